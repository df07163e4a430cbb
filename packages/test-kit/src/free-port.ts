import { randomInt } from 'node:crypto';
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
    return port;
  }
}
