import type { Socket } from 'node:net';
import type { AppError } from '@gleaner/contracts';
import type { Connections } from './connections.ts';
import { writeRefusal } from './write-refusal.ts';

/** How long a client may take to read why it was refused; closing with bytes of it unread would lose that. */
const LINGER_MS = 1000;

/** Refuses what is no request: in its turn, once a connection, which is gone soon after whatever its client does. */
export class Refusals {
  readonly #connections: Connections;
  readonly #refused = new WeakSet<Socket>();

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** Answers with an error what came last on a connection, after the answers before it, and ends the connection. */
  refuse(socket: Socket, error: AppError): void {
    if (this.#refused.has(socket)) return;
    this.#refused.add(socket);
    this.#connections.afterAnswers(socket, () => {
      if (this.#connections.takesError(socket)) writeRefusal(socket, error);
      endSoon(socket);
    });
  }
}

function endSoon(socket: Socket): void {
  if (socket.destroyed) return;
  const linger = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(linger));
  socket.end();
}
