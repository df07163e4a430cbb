import { createServer, type Server } from 'node:net';
import { StartupError } from '@gleaner/config';
import { afterEach, describe, expect, it } from '@jest/globals';
import { listen } from './listen.ts';

const SETTINGS = { host: 'HOST', port: 'PORT' };
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

describe('listen', () => {
  it('takes any free port for 0 and says which', async () => {
    const server = newServer();
    const port = await listen(server, { host: '127.0.0.1', port: 0, settings: SETTINGS });
    expect(server.address()).toMatchObject({ port, address: '127.0.0.1' });
  });

  it('says which port is taken and which setting changes it', async () => {
    const port = await listen(newServer(), { host: '127.0.0.1', port: 0, settings: SETTINGS });
    const fault = await faultOf({ host: '127.0.0.1', port });
    expect(fault.message).toBe(
      `Can't listen on 127.0.0.1 port ${port}: another process listens there already.`,
    );
    expect(fault.suggestion).toContain('PORT (0 takes any free port) or HOST');
  });

  it('explains an address that this machine does not have', async () => {
    expect((await faultOf({ host: '192.0.2.1', port: 0 })).message).toContain('has no such address');
  });
});

function newServer(): Server {
  const server = createServer();
  servers.push(server);
  return server;
}

async function faultOf(address: { host: string; port: number }): Promise<StartupError> {
  const fault: unknown = await listen(newServer(), { ...address, settings: SETTINGS }).catch(
    (error) => error,
  );
  if (fault instanceof StartupError) return fault;
  throw new Error('It listens.');
}
