import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { choosePort } from './choose-port.ts';

const host = '127.0.0.1';

/** Runs the test while something listens on a port. */
async function whileTaken(test: (port: number) => Promise<void>): Promise<void> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  try {
    await test((server.address() as AddressInfo).port);
  } finally {
    server.close();
  }
}

describe('choosePort', () => {
  it('takes a free port where the default one is taken', () =>
    whileTaken(async (port) => {
      expect(await choosePort({ host, port, askedBy: undefined })).not.toBe(port);
    }));

  it('takes a free port that the system gives to no outgoing connection, where any will do', async () => {
    const ports = await Promise.all(
      Array.from({ length: 20 }, () => choosePort({ host, port: 0, askedBy: 'PORT' })),
    );
    for (const port of ports) {
      expect(port).toBeGreaterThanOrEqual(20_000);
      expect(port).toBeLessThan(32_768);
    }
  });

  it('says so where the address has no port to give', async () => {
    await expect(choosePort({ host: '192.0.2.1', port: 0, askedBy: undefined })).rejects.toMatchObject({
      message: expect.stringContaining('No port on 192.0.2.1 is free (EADDRNOTAVAIL)'),
    });
  });

  it('says which variable to change where the taken port was asked for', () =>
    whileTaken(async (port) => {
      await expect(choosePort({ host, port, askedBy: 'PORT' })).rejects.toMatchObject({
        message: expect.stringContaining(`Port ${port}`),
        remedy: expect.stringContaining('PORT'),
      });
    }));
});
