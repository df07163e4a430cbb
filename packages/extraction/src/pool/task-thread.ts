import { getCompileCacheDir } from 'node:module';
import { type Transferable, Worker } from 'node:worker_threads';
import { AppError } from '@gleaner/contracts';
import { resultOf, type TaskOutcome } from './task-outcome.ts';

/** What a thread runs, and what it may take. */
export interface ThreadOptions {
  /** A module that calls `serveTasks`. */
  readonly module: URL;
  /** Its heap in MB; a task that needs more ends the thread. */
  readonly maxHeapMb: number;
}

/** Room for what dies young; part of a thread's memory beside its heap limit. */
const YOUNG_HEAP_MB = 8;

/** One worker thread, which runs one task at a time and is thrown away once a task breaks or overstays. */
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
    // Without a listener the death of an idle thread would end the process.
    this.#worker.on('error', () => {
      this.#isAlive = false;
    });
    this.#worker.on('exit', () => {
      this.#isAlive = false;
    });
  }

  /** Whether it can take another task. */
  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Runs the task; ends the thread and rejects with the signal's reason when that aborts first. */
  async run(task: Task, signal: AbortSignal, transfer: readonly Transferable[]): Promise<Result> {
    const settled = Promise.withResolvers<TaskOutcome<Result>>();
    const onError = (error: unknown): void => settled.reject(this.#explain(error));
    const onExit = (): void => settled.reject(this.#explain(new Error('The thread exited.')));
    const onAbort = (): void => {
      settled.reject(signal.reason);
      void this.end();
    };
    this.#worker.once('message', settled.resolve).once('error', onError).once('exit', onExit).ref();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      if (signal.aborted) throw signal.reason;
      this.#worker.postMessage(task, transfer);
      return resultOf(await settled.promise);
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#worker.off('message', settled.resolve).off('error', onError).off('exit', onExit).unref();
    }
  }

  /** Stops the thread, whatever it is doing. */
  async end(): Promise<void> {
    this.#isAlive = false;
    await this.#worker.terminate();
  }

  #explain(error: unknown): AppError {
    this.#isAlive = false;
    const isOutOfMemory = codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY';
    if (!isOutOfMemory) return new AppError('INTERNAL_ERROR', { cause: error });
    return new AppError('UNSUPPORTED_CONTENT', {
      message: `The page takes more than ${this.#maxHeapMb} MB of memory to read.`,
      suggestion: 'Scrape a smaller page, or fewer values of this one.',
      cause: error,
    });
  }
}

/** Nothing of ours, secrets least of all; compiled modules are shared where the process keeps them. */
function threadEnv(): Record<string, string> {
  const cacheDir = getCompileCacheDir();
  return cacheDir === undefined ? {} : { NODE_COMPILE_CACHE: cacheDir };
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
