import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ExportedOptions } from './crawl-columns.ts';
import type { CsvPlan } from './csv-lines.ts';

/** Data that the thread is started with. */
export interface CsvThreadData {
  readonly exported: ExportedOptions;
  readonly plan: CsvPlan;
}

/** A result of the largest size takes about 200 MB. */
const MAX_HEAP_MB = 1024;

/** A thread that writes large results of one export, so that the event loop stays free. */
export class CsvThread implements AsyncDisposable {
  readonly #worker: Worker;

  constructor(workerData: CsvThreadData) {
    this.#worker = new Worker(new URL('./csv-thread.ts', import.meta.url), {
      ...{ workerData, env: {}, name: 'csv' },
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    // The wait for a piece reports it.
    this.#worker.on('error', () => {});
  }

  /** Yields the lines of a result, a few at a time. Throws what ended the thread. */
  async *write(text: string): AsyncGenerator<Uint8Array> {
    for (let message: string | null = text; ; message = null) {
      const answer = once(this.#worker, 'message');
      this.#worker.postMessage(message);
      const [piece] = await answer;
      if (piece === undefined) return;
      yield piece;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}
