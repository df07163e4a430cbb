import { getCompileCacheDir } from 'node:module';
import { type Transferable, Worker } from 'node:worker_threads';
import { AppError } from '@gleaner/contracts';
import { resultOf, type TaskOutcome } from './task-outcome.ts';

/** Module and memory limit of a thread. */
export interface ThreadOptions {
  /** A module that calls `serveTasks`. */
  readonly module: URL;
  /** Heap limit in MB; a task that needs more ends the thread. */
  readonly maxHeapMb: number;
}

/** Heap for short-lived objects, in addition to a thread's heap limit. */
const YOUNG_HEAP_MB = 8;

/** A worker thread that runs one task at a time and is not used again after a task crashes it or exceeds its time. */
export class TaskThread<Task, Result> {
  readonly #worker: Worker;
  readonly #maxHeapMb: number;
  #isAlive = true;

  constructor({ module, maxHeapMb }: ThreadOptions) {
    this.#maxHeapMb = maxHeapMb;
    this.#worker = new Worker(module, {
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
      env: threadEnv(),
      name: 'extraction',
    });
    this.#worker.unref();
    // Without a listener, a crash of an idle thread would end the process.
    this.#worker.on('error', () => {
      this.#isAlive = false;
    });
    this.#worker.on('exit', () => {
      this.#isAlive = false;
    });
  }

  /** True while the thread can run another task. */
  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Runs the task; if the signal aborts first, ends the thread and rejects with the signal's reason. */
  async run(task: Task, signal: AbortSignal, transfer: readonly Transferable[]): Promise<Result> {
    const outcome = Promise.withResolvers<TaskOutcome<Result>>();
    const onError = (error: unknown): void => outcome.reject(this.#explain(error));
    const onExit = (): void => outcome.reject(this.#explain(new Error('The thread exited.')));
    const onAbort = (): void => {
      outcome.reject(signal.reason);
      // The task has already failed, and an ended thread is not used again.
      this.end().catch(() => {});
    };
    this.#worker.once('message', outcome.resolve).once('error', onError).once('exit', onExit).ref();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      if (signal.aborted) throw signal.reason;
      this.#worker.postMessage(task, transfer);
      return resultOf(await outcome.promise);
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#worker.off('message', outcome.resolve).off('error', onError).off('exit', onExit).unref();
    }
  }

  /** Ends the thread, even while it runs a task. */
  async end(): Promise<void> {
    this.#isAlive = false;
    await this.#worker.terminate();
  }

  #explain(error: unknown): AppError {
    this.#isAlive = false;
    const isOutOfMemory = codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY';
    if (!isOutOfMemory) return new AppError('INTERNAL_ERROR', { cause: error });
    return new AppError('UNSUPPORTED_CONTENT', {
      message: `Reading the page takes more than ${this.#maxHeapMb} MB of memory.`,
      suggestion: 'Scrape a smaller page, or extract fewer values from this one.',
      cause: error,
    });
  }
}

/** Returns the environment of a thread: without ours, which holds secrets; only the compile cache is shared. */
function threadEnv(): Record<string, string> {
  const cacheDir = getCompileCacheDir();
  return cacheDir === undefined ? {} : { NODE_COMPILE_CACHE: cacheDir };
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
