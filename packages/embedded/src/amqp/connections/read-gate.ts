import type { Socket } from 'node:net';
import type { ServerContext } from '../channels/server-context.ts';
import type { Outlet } from './outlet.ts';

/** Informs a client that the server has stopped reading its messages, or reads them again. */
export interface BlockNotices {
  /** Sends `connection.blocked`. */
  blocked(reason: string): void;
  /** Sends `connection.unblocked`. */
  unblocked(): void;
}

/** Stops reading from a client that does not read its replies, or publishes more than can be kept. */
export class ReadGate {
  readonly #socket: Socket;
  readonly #outlet: Outlet;
  readonly #context: ServerContext;
  readonly #notices: BlockNotices;
  /** Alarms stop only publishers: a connection that only consumes frees memory. */
  #isPublisher = false;
  #isBlocked = false;

  constructor(socket: Socket, outlet: Outlet, context: ServerContext, notices: BlockNotices) {
    this.#socket = socket;
    this.#outlet = outlet;
    this.#context = context;
    this.#notices = notices;
  }

  onPublish(): void {
    this.#isPublisher = true;
  }

  /** Called after each read: closes the gate when necessary. */
  check(): void {
    const { memory, diskAlarm, isDiskBehind, afterFlush } = this.#context;
    const isOutOfMemory = this.#isPublisher && memory.isFull;
    const isOutOfDisk = this.#isPublisher && diskAlarm.isRaised;
    const isBehind = isDiskBehind();
    if (!this.#outlet.isOverfull && !isBehind && !isOutOfMemory && !isOutOfDisk) return;
    this.#socket.pause();
    if (isBehind) afterFlush(() => this.reopen());
    if (isOutOfMemory) memory.afterRelease(() => this.reopen());
    if (isOutOfDisk) diskAlarm.afterClear(() => this.reopen());
    if (!this.#isBlocked && (isOutOfMemory || isOutOfDisk)) {
      this.#isBlocked = true;
      this.#notices.blocked(isOutOfDisk ? 'low on disk' : 'low on memory');
    }
  }

  /** Called when a reason to wait may be gone: continues to read unless another one remains. */
  reopen(): void {
    if (this.#socket.destroyed || !this.#socket.isPaused()) return;
    this.#socket.resume();
    this.check();
    if (!this.#isBlocked || this.#socket.isPaused()) return;
    this.#isBlocked = false;
    this.#notices.unblocked();
  }
}
