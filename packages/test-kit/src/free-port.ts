import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below what systems give to outgoing connections (from 32768 on Linux, 49152 on macOS). */
const FREE_PORTS = { from: 20_000, to: 32_767 };

/**
 * A port on loopback that nobody listens at, and that no outgoing connection takes: it is still free when a server comes
 * to it, or comes back.
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
