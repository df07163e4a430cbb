import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Connection {
  /** In the order of their requests, the order in which they are sent. */
  readonly unanswered: Set<ServerResponse>;
  latest?: ServerResponse;
}

/** Listeners for the end of a response from which Node suspects a leak; its default of 10 is less than all that listen here. */
const MAX_LISTENERS = 20;

/** Open connections of a server, with the responses that each still waits for. */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  #isClosing = false;

  /** Number of calls without a complete response, on all connections. */
  get callsInFlight(): number {
    return this.#open.values().reduce((sum, { unanswered }) => sum + unanswered.size, 0);
  }

  /** Tracks a connection until it closes; responses that are not complete by then are destroyed. */
  add(socket: Socket): void {
    const connection: Connection = { unanswered: new Set() };
    this.#open.set(socket, connection);
    socket.once('close', () => {
      this.#open.delete(socket);
      // After a CONNECT request, Node closes only the first of them.
      for (const response of connection.unanswered) response.destroy();
    });
  }

  /** Tracks a call until its response is sent or its connection closes. */
  addCall(response: ServerResponse): void {
    const { socket } = response.req;
    const connection = this.#open.get(socket);
    if (!connection) return;
    const { unanswered } = connection;
    connection.latest = response;
    unanswered.add(response);
    // Stages, stream and connection each listen for its end.
    response.setMaxListeners(MAX_LISTENERS);
    if (this.#isClosing) response.setHeader('Connection', 'close');
    response.once('close', () => {
      unanswered.delete(response);
      if (this.#isClosing && unanswered.size === 0) socket.destroySoon();
    });
  }

  /** Calls back once the connection has sent the responses to complete requests, and those that have begun. */
  afterAnswers(socket: Socket, then: () => void): void {
    const next = this.#open.get(socket)?.unanswered.values().find(isOwed);
    if (next) next.once('close', () => this.afterAnswers(socket, then));
    else then();
  }

  /** Returns true when an error of the connection can still be answered: its request must not have its own response already. */
  takesError(socket: Socket): boolean {
    const latest = this.#open.get(socket)?.latest;
    return socket.writable && (!latest?.headersSent || latest.req.complete);
  }

  /** Closes each connection after its last response from now on; new ones may still bring their first request. */
  beginClosing(): void {
    this.#isClosing = true;
    for (const [socket, { unanswered, latest }] of this.#open) {
      if (!latest) continue;
      if (unanswered.size === 0) socket.destroy();
      else if (unanswered.has(latest) && !latest.headersSent) latest.setHeader('Connection', 'close');
    }
  }

  /** Closes the connections without a call. */
  cutIdle(): void {
    for (const [socket, { unanswered }] of this.#open) if (unanswered.size === 0) socket.destroy();
  }

  /** Closes every connection at once. */
  cut(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }
}

function isOwed(response: ServerResponse): boolean {
  return response.headersSent || response.req.complete;
}
