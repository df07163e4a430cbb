import { once } from 'node:events';
import type { Server } from 'node:http';
import { Server as TcpServer } from 'node:net';
import type { Connections } from './connections.ts';

/** Time for requests that are already on their way to arrive. */
const GRACE_MS = 1000;

/** Stops accepting connections, lets every call finish, and closes what is left when the signal aborts. */
export async function closeGracefully(
  server: Server,
  connections: Connections,
  signal: AbortSignal,
): Promise<void> {
  const closed = once(server, 'close');
  const cut = () => connections.cut();
  signal.addEventListener('abort', cut, { once: true });
  // The `close` of HTTP servers resets connections whose first request has arrived but is not read yet.
  TcpServer.prototype.close.call(server);
  connections.beginClosing();
  const grace = setTimeout(() => connections.cutIdle(), GRACE_MS);
  if (signal.aborted) cut();
  await closed;
  clearTimeout(grace);
  signal.removeEventListener('abort', cut);
}
