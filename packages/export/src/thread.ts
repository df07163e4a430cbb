import { once } from 'node:events';
import { parentPort, Worker } from 'node:worker_threads';

/** A result of the largest size takes about 200 MB. */
const MAX_HEAP_MB = 1024;

/** Thread that writes results, to keep the event loop free: it answers each message with a few pieces, one at a time. */
export class ExportThread<Message, Piece> implements AsyncDisposable {
  readonly #worker: Worker;

  constructor(entry: URL, workerData: unknown) {
    this.#worker = new Worker(entry, {
      workerData,
      env: {},
      name: 'export',
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    // The wait for a piece reports it.
    this.#worker.on('error', () => {});
  }

  /** Yields the pieces of a message. Throws what ended the thread. */
  async *write(message: Message): AsyncGenerator<Piece> {
    for (let next: Message | null = message; ; next = null) {
      const answered = once(this.#worker, 'message');
      this.#worker.postMessage(next);
      const [piece] = await answered;
      if (piece === undefined) return;
      yield piece;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}

/** Answers the messages to this thread with the pieces of each; null asks for the next piece. */
export function answer<Message, Piece>(write: (message: Message) => Iterable<Piece>): void {
  let pieces: Iterator<Piece> = [].values();
  parentPort?.on('message', (message: Message | null) => {
    if (message !== null) pieces = write(message)[Symbol.iterator]();
    parentPort?.postMessage(pieces.next().value);
  });
}
