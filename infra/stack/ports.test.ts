import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { addressOf, choosePort } from './ports.ts';

const host = '127.0.0.1';

/** Runs the test while a server listens on a port. */
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
  it('chooses a free port when the default one is taken', () =>
    whileTaken(async (port) => {
      expect(await choosePort({ host, port, askedBy: undefined })).not.toBe(port);
    }));

  it('chooses a free port outside the range of outgoing connections', async () => {
    const ports = await Promise.all(
      Array.from({ length: 20 }, () => choosePort({ host, port: 0, askedBy: 'PORT' })),
    );
    for (const port of ports) {
      expect(port).toBeGreaterThanOrEqual(20_000);
      expect(port).toBeLessThan(32_768);
    }
  });

  it('chooses no port twice, even before anything listens there', async () => {
    const choices = Array.from({ length: 500 }, () => choosePort({ host, port: 0, askedBy: undefined }));
    expect(new Set(await Promise.all(choices)).size).toBe(500);
  });

  it('throws when the address is not one of this machine', async () => {
    await expect(choosePort({ host: '192.0.2.1', port: 0, askedBy: undefined })).rejects.toMatchObject({
      message: expect.stringContaining('No free port was found on 192.0.2.1 (EADDRNOTAVAIL)'),
    });
  });

  it('names the variable to change when a port that was asked for is taken', () =>
    whileTaken(async (port) => {
      await expect(choosePort({ host, port, askedBy: 'PORT' })).rejects.toMatchObject({
        message: expect.stringContaining(`Port ${port}`),
        suggestion: expect.stringContaining('PORT'),
      });
    }));
});

describe('addressOf', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:8080'],
    ['gleaner.lan', 'http://gleaner.lan:8080'],
    ['::1', 'http://[::1]:8080'],
    ['0.0.0.0', 'http://127.0.0.1:8080'],
    ['::', 'http://[::1]:8080'],
  ])('returns the URL of a service that listens on %s as %s', (listenHost, url) => {
    expect(addressOf(listenHost, 8080)).toBe(url);
    expect(URL.canParse(url)).toBe(true);
  });
});
