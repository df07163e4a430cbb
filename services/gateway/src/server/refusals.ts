import type { Socket } from 'node:net';
import { createId, ERROR_TABLE } from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';
import type { Connections } from './connections.ts';
import { type Refusal, writeRefusal } from './write-refusal.ts';

interface RefusalsDeps {
  readonly connections: Connections;
  readonly logger: Logger;
}

/** How long a client may take to read why it was refused; closing with bytes of it unread would lose that. */
const LINGER_MS = 1000;

/** Refuses what is no request: in its turn, once a connection, which is gone soon after whatever its client does. */
export class Refusals {
  readonly #deps: RefusalsDeps;
  readonly #refused = new WeakSet<Socket>();

  constructor(deps: RefusalsDeps) {
    this.#deps = deps;
  }

  /** Answers what came last on a connection, after the answers before it, and ends the connection; writes one line. */
  refuse(socket: Socket, refusal: Refusal): void {
    if (this.#refused.has(socket)) return;
    this.#refused.add(socket);
    const { connections } = this.#deps;
    connections.afterAnswers(socket, () => {
      if (connections.takesError(socket)) this.#answer(socket, refusal);
      endSoon(socket);
    });
  }

  /** Costs its sender a connection, so a line for it is no more than the one for an unknown path. */
  #answer(socket: Socket, refusal: Refusal): void {
    const requestId = createId('req');
    const { code, message: reason } = refusal.error;
    writeRefusal(socket, requestId, refusal);
    this.#deps.logger.info({ requestId, status: ERROR_TABLE[code].httpStatus, code, reason }, 'refused');
  }
}

function endSoon(socket: Socket): void {
  if (socket.destroyed) return;
  const linger = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(linger));
  socket.end();
}
