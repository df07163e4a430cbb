import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Connection {
  /** In the order of their requests, which is the one that they are sent in. */
  readonly unanswered: Set<ServerResponse>;
  latest?: ServerResponse;
}

/** The open connections of a server, and the answers that each of them still waits for. */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  #isClosing = false;

  /** How many calls are not answered yet, on all connections. */
  get callsInFlight(): number {
    return this.#open.values().reduce((sum, { unanswered }) => sum + unanswered.size, 0);
  }

  /** Notes a connection until it is gone; calls that are not answered then hear of it. */
  add(socket: Socket): void {
    const connection: Connection = { unanswered: new Set() };
    this.#open.set(socket, connection);
    socket.once('close', () => {
      this.#open.delete(socket);
      // Of a connection that asked for a tunnel, Node tells none but the first of them.
      for (const response of connection.unanswered) response.destroy();
    });
  }

  /** Notes a call until its answer is sent, or its connection is gone. */
  addCall(response: ServerResponse): void {
    const { socket } = response.req;
    const connection = this.#open.get(socket);
    if (!connection) return;
    const { unanswered } = connection;
    connection.latest = response;
    unanswered.add(response);
    if (this.#isClosing) response.setHeader('Connection', 'close');
    response.once('close', () => {
      unanswered.delete(response);
      if (this.#isClosing && unanswered.size === 0) socket.destroySoon();
    });
  }

  /** Calls back once the connection has sent what goes before anything new: answers to whole requests, and begun ones. */
  afterAnswers(socket: Socket, then: () => void): void {
    const next = this.#open.get(socket)?.unanswered.values().find(isOwed);
    if (next) next.once('close', () => this.afterAnswers(socket, then));
    else then();
  }

  /** Whether a fault of the connection is still to be answered: that of a request whose own answer was sent is not. */
  takesError(socket: Socket): boolean {
    const latest = this.#open.get(socket)?.latest;
    return socket.writable && (!latest?.headersSent || latest.req.complete);
  }

  /** From now on a connection ends with its last answer. */
  beginClosing(): void {
    this.#isClosing = true;
    for (const { unanswered, latest } of this.#open.values()) {
      if (latest && unanswered.has(latest) && !latest.headersSent) latest.setHeader('Connection', 'close');
    }
  }

  /** Cuts the connections that wait for no answer. */
  cutIdle(): void {
    for (const [socket, { unanswered }] of this.#open) if (unanswered.size === 0) socket.destroy();
  }

  /** Cuts every connection, whatever it waits for. */
  cut(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }
}

function isOwed(response: ServerResponse): boolean {
  return response.headersSent || response.req.complete;
}
