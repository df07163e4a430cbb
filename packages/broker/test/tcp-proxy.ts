import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy in front of the broker that simulates a bad network, or a broker that restarts. */
export class TcpProxy {
  readonly #target: { hostname: string; port: number };
  readonly #sockets = new Set<Socket>();
  readonly #stalled = new WeakSet<Socket>();
  #server: Server | undefined;
  #port = 0;

  constructor(targetUrl: string) {
    const { hostname, port } = new URL(targetUrl);
    this.#target = { hostname, port: Number(port) || 5672 };
  }

  /** Listens on a free port, or again on the port of the last time; returns it. */
  async open(): Promise<number> {
    this.#server = createServer((client) => this.#join(client));
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
    return this.#port;
  }

  /** Resets every connection; new ones are accepted. */
  cut(): void {
    for (const socket of this.#sockets) {
      // Node cannot reset a socket that has ended its side already: it would never release the handle.
      if (socket.writableEnded) socket.destroy();
      else socket.resetAndDestroy();
    }
  }

  /** Stops forwarding on all open connections, in both directions, the end of the other side included. */
  stall(): void {
    for (const socket of this.#sockets) {
      socket.unpipe().pause();
      this.#stalled.add(socket);
    }
  }

  /** Resets every connection and rejects new ones. */
  async close(): Promise<void> {
    const closed = this.#server && once(this.#server, 'close');
    this.#server?.close();
    this.cut();
    await closed;
    this.#server = undefined;
  }

  #join(client: Socket): void {
    const broker = connect(this.#target.port, this.#target.hostname);
    for (const [socket, other] of [
      [client, broker],
      [broker, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => {
        this.#sockets.delete(socket);
        if (!this.#stalled.has(socket)) other.destroy();
      });
      socket.pipe(other);
    }
  }
}
