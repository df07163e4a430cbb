import { once } from 'node:events';
import type { Server } from 'node:http';
import type { CallsInFlight } from './calls-in-flight.ts';

/** Takes no new connections, lets every call finish, and cuts what is left when the signal aborts. */
export async function closeGracefully(
  server: Server,
  callsInFlight: CallsInFlight,
  signal: AbortSignal,
): Promise<void> {
  const closed = once(server, 'close');
  const cut = () => server.closeAllConnections();
  signal.addEventListener('abort', cut, { once: true });
  callsInFlight.beginClosing();
  server.close();
  if (signal.aborted) cut();
  await closed;
  signal.removeEventListener('abort', cut);
}
