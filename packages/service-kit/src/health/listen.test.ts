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
  it('picks a free port for 0 and returns it', async () => {
    const server = newServer();
    const port = await listen(server, { host: '127.0.0.1', port: 0, settings: SETTINGS });
    expect(server.address()).toMatchObject({ port, address: '127.0.0.1' });
  });

  it('names the port that is taken and the setting that changes it', async () => {
    const port = await listen(newServer(), { host: '127.0.0.1', port: 0, settings: SETTINGS });
    const error = await errorOf({ host: '127.0.0.1', port });
    expect(error.message).toBe(
      `Can't listen on 127.0.0.1 port ${port}: another process listens there already.`,
    );
    expect(error.suggestion).toContain('PORT (0 picks a free port) or HOST');
  });

  it('explains an address that this machine does not have', async () => {
    expect((await errorOf({ host: '192.0.2.1', port: 0 })).message).toContain('has no such address');
  });
});

function newServer(): Server {
  const server = createServer();
  servers.push(server);
  return server;
}

async function errorOf(address: { host: string; port: number }): Promise<StartupError> {
  const error: unknown = await listen(newServer(), { ...address, settings: SETTINGS }).catch(
    (thrown) => thrown,
  );
  if (error instanceof StartupError) return error;
  throw new Error('The server listens.');
}
