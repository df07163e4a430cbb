import { availableParallelism } from 'node:os';
import type { Transferable } from 'node:worker_threads';
import { AppError } from '@gleaner/contracts';
import { FairQueue } from './fair-queue.ts';
import { TaskThread } from './task-thread.ts';

/** Module, size and limits of a pool; every limit has a default. */
export interface ThreadPoolOptions {
  /** Module that each thread runs; it calls `serveTasks`. */
  readonly module: URL;
  /** Maximum number of threads; by default one fewer than the number of cores, but at least one. */
  readonly maxThreads?: number;
  /** Maximum number of tasks waiting for a thread; 1000 by default. */
  readonly maxQueued?: number;
  /** Heap limit of one thread; 128 MB by default. */
  readonly maxHeapMb?: number;
  /** Time limit of one task, including waiting; 30 s by default. A signal can only shorten it. */
  readonly timeoutMs?: number;
}

/** Options of one task. */
export interface TaskOptions {
  readonly signal?: AbortSignal;
  /** Queue in which it waits for a thread; queues are served in rotation. */
  readonly queue?: string;
  /** True for a task that waits until all others have been served; false by default. */
  readonly isPatient?: boolean;
  /** Objects that are moved to the thread instead of being copied. */
  readonly transfer?: readonly Transferable[];
}

type Waiter<Task, Result> = PromiseWithResolvers<TaskThread<Task, Result>>;

const DEFAULTS = {
  maxThreads: Math.max(1, availableParallelism() - 1),
  maxQueued: 1000,
  maxHeapMb: 128,
  timeoutMs: 30_000,
} as const satisfies Required<Omit<ThreadPoolOptions, 'module'>>;

/**
 * Runs the work of a module in threads, so that the event loop stays free. Tasks and results are plain data. A thread is
 * terminated and replaced when its task exceeds the deadline or its heap limit.
 */
export class ThreadPool<Task, Result> {
  readonly #options: Required<ThreadPoolOptions>;
  readonly #threads = new Set<TaskThread<Task, Result>>();
  readonly #idle: TaskThread<Task, Result>[] = [];
  readonly #urgent = new FairQueue<Waiter<Task, Result>>();
  readonly #patient = new FairQueue<Waiter<Task, Result>>();
  #isClosed = false;

  /** Starts no thread yet: threads start when first needed, since an idle one takes memory, too. */
  constructor(options: ThreadPoolOptions) {
    this.#options = { ...DEFAULTS, ...options };
  }

  /**
   * Runs a task and returns its result, or throws its error. Throws TIMEOUT at the deadline, the signal's reason when it
   * aborts, UNSUPPORTED_CONTENT if the page is too large, SERVICE_UNAVAILABLE if the queue is full or the pool is closed.
   */
  async run(task: Task, options: TaskOptions = {}): Promise<Result> {
    const { signal, transfer = [], queue = '', isPatient = false } = options;
    signal?.throwIfAborted();
    if (this.#isClosed) throw unavailable('The extraction pool is closed.');
    const deadline = this.#startDeadline(signal);
    try {
      const waiters = isPatient ? this.#patient : this.#urgent;
      const thread = await this.#acquire(waiters, queue, deadline.signal);
      return await this.#runIn(thread, task, { signal: deadline.signal, transfer });
    } finally {
      deadline.stop();
    }
  }

  /** Ends all threads; running and waiting tasks fail with SERVICE_UNAVAILABLE. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const waiters of [this.#urgent, this.#patient]) {
      for (let waiter = waiters.shift(); waiter; waiter = waiters.shift()) {
        waiter.reject(unavailable('The extraction pool is closed.'));
      }
    }
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }

  async #runIn(
    thread: TaskThread<Task, Result>,
    task: Task,
    { signal, transfer }: { readonly signal: AbortSignal; readonly transfer: readonly Transferable[] },
  ): Promise<Result> {
    try {
      return await thread.run(task, signal, transfer);
    } catch (error) {
      throw this.#isClosed ? unavailable('The extraction pool is closed.') : error;
    } finally {
      this.#release(thread);
    }
  }

  /** Starts the deadline of a task, with one timer and one listener, which `stop` removes. */
  #startDeadline(signal: AbortSignal | undefined): { signal: AbortSignal; stop: () => void } {
    const { timeoutMs } = this.#options;
    const controller = new AbortController();
    const onAbort = (): void => controller.abort(signal?.reason);
    const timer = setTimeout(() => controller.abort(timedOut(timeoutMs)), timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    const stop = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    return { signal: controller.signal, stop };
  }

  async #acquire(
    waiters: FairQueue<Waiter<Task, Result>>,
    queue: string,
    signal: AbortSignal,
  ): Promise<TaskThread<Task, Result>> {
    for (let thread = this.#idle.pop(); thread; thread = this.#idle.pop()) {
      if (thread.isAlive) return thread;
      this.#threads.delete(thread);
    }
    if (this.#threads.size < this.#options.maxThreads) return this.#start();
    if (this.#urgent.size + this.#patient.size >= this.#options.maxQueued) {
      throw unavailable(`All extraction threads are busy and ${this.#options.maxQueued} pages are waiting.`);
    }
    const waiter: Waiter<Task, Result> = Promise.withResolvers();
    const onAbort = (): void => {
      waiters.remove(queue, waiter);
      waiter.reject(signal.reason);
    };
    waiters.push(queue, waiter);
    signal.addEventListener('abort', onAbort, { once: true });
    return waiter.promise.finally(() => signal.removeEventListener('abort', onAbort));
  }

  #release(thread: TaskThread<Task, Result>): void {
    if (this.#isClosed) return;
    if (!thread.isAlive) this.#threads.delete(thread);
    const waiter = this.#urgent.shift() ?? this.#patient.shift();
    if (waiter) waiter.resolve(thread.isAlive ? thread : this.#start());
    else if (thread.isAlive) this.#idle.push(thread);
  }

  #start(): TaskThread<Task, Result> {
    const thread = new TaskThread<Task, Result>(this.#options);
    this.#threads.add(thread);
    return thread;
  }
}

function timedOut(timeoutMs: number): AppError {
  return new AppError('TIMEOUT', {
    message: `The extraction did not finish within ${timeoutMs} ms.`,
    suggestion: 'Use fewer or simpler selectors, or extract less of the page.',
  });
}

function unavailable(message: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { message, retryAfterSeconds: 1 });
}
