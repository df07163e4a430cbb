import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the range that systems use for outgoing connections (from 32768 on Linux, 49152 on macOS). */
const FREE_PORTS = { from: 20_000, to: 32_767 };

/**
 * Returns a free port on loopback outside the range of outgoing connections, so that it is still free when a server
 * starts there, or starts again.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FREE_PORTS.from, FREE_PORTS.to + 1);
    const server = createServer();
    const isFree = await new Promise<boolean>((done) => {
      server.once('error', () => done(false));
      server.listen(port, '127.0.0.1', () => done(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    if (await claimPort(port)) return port;
  }
}

/**
 * Holds the UDP port of this number for the life of this process, so that no other test and no stack chooses the same
 * TCP port before its server listens there. Returns false where a process holds it.
 */
function claimPort(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = createSocket('udp4').unref();
    socket.once('error', () => socket.close(() => done(false)));
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => done(true));
  });
}
