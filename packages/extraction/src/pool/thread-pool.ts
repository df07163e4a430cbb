import { availableParallelism } from 'node:os';
import type { Transferable } from 'node:worker_threads';
import { AppError } from '@gleaner/contracts';
import { FairQueue } from './fair-queue.ts';
import { TaskThread } from './task-thread.ts';

/** What a pool runs, how large it is and what each task may take; every bound has a default. */
export interface ThreadPoolOptions {
  /** What each thread runs: a module that calls `serveTasks`. */
  readonly module: URL;
  /** Threads at most; one fewer than there are cores, but at least one. */
  readonly maxThreads?: number;
  /** Tasks that may wait for a thread; 1000. */
  readonly maxQueued?: number;
  /** Heap of one thread; 128 MB. */
  readonly maxHeapMb?: number;
  /** Time of one task, waiting included; 30 s. A signal can only shorten it. */
  readonly timeoutMs?: number;
}

/** When to give up on a task, and what of it changes hands in place of being copied. */
export interface TaskOptions {
  readonly signal?: AbortSignal;
  /** Where it waits for a thread, in turns with other queues. */
  readonly queue?: string;
  /** Whether it lets all that are not go before it; false unless given. */
  readonly isPatient?: boolean;
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
 * Runs the work of a module in threads, so that the caller's event loop stays free. Tasks and results are plain data;
 * a thread is cut at the deadline and replaced, as is one whose page takes more memory than it may.
 */
export class ThreadPool<Task, Result> {
  readonly #options: Required<ThreadPoolOptions>;
  readonly #threads = new Set<TaskThread<Task, Result>>();
  readonly #idle: TaskThread<Task, Result>[] = [];
  readonly #urgent = new FairQueue<Waiter<Task, Result>>();
  readonly #patient = new FairQueue<Waiter<Task, Result>>();
  #isClosed = false;

  /** Threads start when they are first needed: one that waits takes 40 MB. */
  constructor(options: ThreadPoolOptions) {
    this.#options = { ...DEFAULTS, ...options };
  }

  /**
   * What the work gives, or throws. Throws TIMEOUT at the deadline, the signal's reason when that aborts,
   * UNSUPPORTED_CONTENT for a page too large, SERVICE_UNAVAILABLE when the queue is full or the pool is closed.
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

  /** Ends all threads; what is under way or waiting fails with SERVICE_UNAVAILABLE. */
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

  /** One timer and one listener a task, both gone when it ends. */
  #startDeadline(signal: AbortSignal | undefined): { signal: AbortSignal; stop: () => void } {
    const { timeoutMs } = this.#options;
    const controller = new AbortController();
    const onAbort = (): void => controller.abort(signal?.reason);
    const timer = setTimeout(() => controller.abort(overdue(timeoutMs)), timeoutMs);
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
      throw unavailable(`All extraction threads are busy and ${this.#options.maxQueued} pages wait for one.`);
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

function overdue(timeoutMs: number): AppError {
  return new AppError('TIMEOUT', {
    message: `The extraction did not finish within ${timeoutMs} ms.`,
    suggestion: 'Use fewer or simpler selectors, or ask for less of the page.',
  });
}

function unavailable(message: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { message, retryAfterSeconds: 1 });
}
