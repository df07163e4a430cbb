import type { Socket } from 'node:net';
import type { Outlet } from './outlet.ts';
import type { ServerContext } from './server-context.ts';

/** Stops reading from a client that does not read its answers, or publishes faster than can be kept. */
export class ReadGate {
  readonly #socket: Socket;
  readonly #outlet: Outlet;
  readonly #context: ServerContext;
  /** Memory holds up publishers alone: whoever only consumes makes room. */
  #isPublisher = false;

  constructor(socket: Socket, outlet: Outlet, context: ServerContext) {
    this.#socket = socket;
    this.#outlet = outlet;
    this.#context = context;
  }

  onPublish(): void {
    this.#isPublisher = true;
  }

  /** Called when something has been read: closes the gate if need be. */
  check(): void {
    const { memory, isDiskBehind, afterFlush } = this.#context;
    const mustWaitForMemory = this.#isPublisher && memory.isFull;
    if (!this.#outlet.isOverfull && !isDiskBehind() && !mustWaitForMemory) return;
    this.#socket.pause();
    if (isDiskBehind()) afterFlush(() => this.reopen());
    if (mustWaitForMemory) memory.afterRelease(() => this.reopen());
  }

  /** Called when something has got better: reads on, unless something else is still in the way. */
  reopen(): void {
    if (this.#socket.destroyed || !this.#socket.isPaused()) return;
    this.#socket.resume();
    this.check();
  }
}
