import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The answers that are still to be sent, and the latest of each connection. */
export class CallsInFlight {
  readonly #answers = new Set<ServerResponse>();
  readonly #latest = new WeakMap<Socket, ServerResponse>();
  #isClosing = false;

  get count(): number {
    return this.#answers.size;
  }

  /** Notes an answer until it is sent, or its connection is gone. */
  add(socket: Socket, response: ServerResponse): void {
    this.#latest.set(socket, response);
    this.#answers.add(response);
    if (this.#isClosing) response.setHeader('Connection', 'close');
    response.once('close', () => this.#answers.delete(response));
  }

  /** Whether an error can be written to the connection without breaking into an answer, or following its own. */
  takesError(socket: Socket): boolean {
    const latest = this.#latest.get(socket);
    if (!latest?.headersSent) return true;
    return latest.writableFinished && latest.req.complete;
  }

  /** From now on every answer closes its connection. */
  beginClosing(): void {
    this.#isClosing = true;
    for (const response of this.#answers) {
      if (!response.headersSent) response.setHeader('Connection', 'close');
    }
  }
}
