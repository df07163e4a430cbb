import { getCompileCacheDir } from 'node:module';
import { type Transferable, Worker } from 'node:worker_threads';
import { AppError } from '@gleaner/contracts';
import { errorOf, ORDERS, type ThreadData, type ThreadMessage } from './serve-tasks.ts';

/** Module and memory limit of a thread. */
export interface ThreadOptions {
  /** A module that calls `serveTasks`. */
  readonly module: URL;
  /** Heap limit in MB; a task that needs more ends the thread. */
  readonly maxHeapMb: number;
}

/** Heap for short-lived objects, in addition to a thread's heap limit. */
const YOUNG_HEAP_MB = 8;

/** Memory a task may take outside the heap, such as for the contents of an unpacked file. */
const MAX_EXTERNAL_MB = 256;

/** Interval of checks of that memory; it has no limit of its own. */
const LOOK_MS = 100;

/** Time in which a task stops at a checkpoint; the thread is ended if it does not. */
const STOP_WITHIN_MS = 1000;

/** A worker thread that runs one task at a time. */
export class TaskThread<Task, Result> {
  /** Resolves when the thread can take its first task. Rejects if it never can. */
  readonly ready: Promise<void>;
  /** Resolves when the thread has ended. */
  readonly ended: Promise<void>;
  readonly #worker: Worker;
  readonly #maxHeapMb: number;
  readonly #orders = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #outcome: PromiseWithResolvers<Result> | undefined;
  #isAlive = true;
  #overtime: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;

  constructor({ module, maxHeapMb }: ThreadOptions) {
    this.#maxHeapMb = maxHeapMb;
    const workerData: ThreadData = { orders: this.#orders };
    this.#worker = new Worker(module, {
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
      env: threadEnv(),
      name: 'extraction',
      workerData,
    });
    const ready = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    this.ready = ready.promise;
    this.ended = ended.promise;
    ready.promise.catch(() => {});
    const fail = (error: unknown): void => {
      this.#isAlive = false;
      const explained = this.#explain(error);
      ready.reject(explained);
      this.#finish((outcome) => outcome.reject(explained));
    };
    this.#worker.on('message', (message: ThreadMessage<Result>) => {
      if (message.kind === 'ready') ready.resolve();
      else if (message.kind === 'done') this.#finish((outcome) => outcome.resolve(message.result));
      else this.#finish((outcome) => outcome.reject(errorOf(message)));
    });
    this.#worker.on('error', fail);
    this.#worker.on('exit', () => {
      fail(new Error('The thread exited.'));
      ended.resolve();
    });
    this.#worker.unref();
  }

  /** True while the thread can run another task. */
  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Runs the task. Rejects with its error, or if the thread ends. */
  async run(task: Task, transfer: readonly Transferable[]): Promise<Result> {
    const outcome = Promise.withResolvers<Result>();
    this.#outcome = outcome;
    this.#order(ORDERS.goOn);
    this.#worker.ref();
    this.#worker.postMessage(task, transfer);
    this.#looking = setTimeout(() => this.#lookAtMemory(outcome), LOOK_MS).unref();
    return await outcome.promise;
  }

  /** Lets the task wait at its next checkpoint. */
  pause(): void {
    this.#order(ORDERS.wait);
  }

  /** Lets a task that waits go on. */
  resume(): void {
    this.#order(ORDERS.goOn);
  }

  /** Stops the task at its next checkpoint, or ends the thread if it reaches none. */
  stop(): void {
    if (!this.#outcome) return;
    this.#order(ORDERS.stop);
    this.#overtime = setTimeout(() => void this.end(), STOP_WITHIN_MS);
  }

  /** Ends the thread, even while it runs a task. */
  async end(): Promise<void> {
    this.#isAlive = false;
    await this.#worker.terminate();
  }

  /** Ends the thread if its task takes too much memory outside the heap, and otherwise looks again. */
  #lookAtMemory(outcome: PromiseWithResolvers<Result>): void {
    const lookAgain = ({ external_memory: bytes }: { readonly external_memory: number }): void => {
      if (this.#outcome !== outcome) return;
      if (bytes <= MAX_EXTERNAL_MB * 1_048_576) {
        this.#looking = setTimeout(() => this.#lookAtMemory(outcome), LOOK_MS).unref();
        return;
      }
      this.#finish(({ reject }) => reject(outOfMemory(MAX_EXTERNAL_MB)));
      this.end().catch(() => {});
    };
    // A thread that has ended says so by itself.
    this.#worker.getHeapStatistics().then(lookAgain, () => {});
  }

  #order(order: number): void {
    Atomics.store(this.#orders, 0, order);
    Atomics.notify(this.#orders, 0);
  }

  #finish(settle: (outcome: PromiseWithResolvers<Result>) => void): void {
    const outcome = this.#outcome;
    this.#outcome = undefined;
    clearTimeout(this.#overtime);
    clearTimeout(this.#looking);
    this.#worker.unref();
    if (outcome) settle(outcome);
  }

  #explain(error: unknown): AppError {
    const isOutOfMemory = codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY';
    if (!isOutOfMemory) return new AppError('INTERNAL_ERROR', { cause: error });
    return outOfMemory(this.#maxHeapMb, error);
  }
}

function outOfMemory(maxMb: number, cause?: unknown): AppError {
  return new AppError('UNSUPPORTED_CONTENT', {
    message: `Reading the page takes more than ${maxMb} MB of memory.`,
    suggestion: 'Scrape a smaller page, or extract less of this one; of a PDF, fewer pages (pdf.maxPages).',
    cause,
  });
}

/** Returns the environment of a thread: without ours, which holds secrets; only the compile cache is shared. */
function threadEnv(): Record<string, string> {
  const cacheDir = getCompileCacheDir();
  return cacheDir === undefined ? {} : { NODE_COMPILE_CACHE: cacheDir };
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
