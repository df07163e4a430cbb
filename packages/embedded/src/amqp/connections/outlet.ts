import type { Socket } from 'node:net';
import { FrameWriter } from '../wire/frame-writer.ts';

/** Bytes above which nothing more is delivered until the socket has caught up. */
const CONGESTED_FROM_BYTES = 1024 * 1024;
/** Bytes of unread replies above which the server stops reading from a client. */
const OVERFULL_FROM_BYTES = 32 * 1024 * 1024;
/** Small pieces are joined into one write. */
const JOIN_BELOW_BYTES = 64 * 1024;

/** Output to one client: frames written during a turn go to the socket together. */
export class Outlet {
  readonly writer: FrameWriter;
  readonly #socket: Socket;
  readonly #summaries = new Set<() => void>();
  #isScheduled = false;

  constructor(socket: Socket, maxFrameBytes: number) {
    this.#socket = socket;
    this.writer = new FrameWriter(maxFrameBytes);
  }

  get isCongested(): boolean {
    return this.#waitingBytes > CONGESTED_FROM_BYTES;
  }

  get isOverfull(): boolean {
    return this.#waitingBytes > OVERFULL_FROM_BYTES;
  }

  /** Flushes once this turn's work is done; the summary is called just before. */
  flushSoon(summarize?: () => void): void {
    if (summarize) this.#summaries.add(summarize);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    process.nextTick(() => this.flush());
  }

  /** Writes everything to the socket. */
  flush(): void {
    const summaries = [...this.#summaries];
    this.#summaries.clear();
    for (const summarize of summaries) summarize();
    this.#isScheduled = false;
    if (this.#socket.destroyed || this.writer.pendingBytes === 0) return;
    const isSmall = this.writer.pendingBytes < JOIN_BELOW_BYTES;
    const segments = this.writer.take();
    const pieces = isSmall && segments.length > 1 ? [Buffer.concat(segments)] : segments;
    this.#socket.cork();
    for (const piece of pieces) this.#socket.write(piece);
    this.#socket.uncork();
  }

  get #waitingBytes(): number {
    return this.#socket.writableLength + this.writer.pendingBytes;
  }
}
