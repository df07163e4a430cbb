import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Connections } from './connections.ts';

/** Takes no new connections, lets every call finish, and cuts what is left when the signal aborts. */
export async function closeGracefully(
  server: Server,
  connections: Connections,
  signal: AbortSignal,
): Promise<void> {
  const closed = once(server, 'close');
  const cut = () => connections.cut();
  signal.addEventListener('abort', cut, { once: true });
  server.close();
  connections.beginClosing();
  if (signal.aborted) cut();
  await closed;
  signal.removeEventListener('abort', cut);
}
