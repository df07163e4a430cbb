import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A server on loopback that can be cut off from all its clients at once. */
export interface LoopbackServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Starts a server that hands every connection to `onConnection` and ignores errors of connections. */
export async function serveOnLoopback(
  port: number,
  onConnection: (socket: Socket) => void,
): Promise<LoopbackServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}).once('close', () => sockets.delete(socket)));
    onConnection(socket);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
