import type { Transferable } from 'node:worker_threads';
import { AppError } from '@gleaner/contracts';
import { FairQueue } from './fair-queue.ts';
import { TaskThread } from './task-thread.ts';

/** Module, size and limits of a pool; every limit has a default. */
export interface ThreadPoolOptions {
  /** Module that each thread runs; it calls `serveTasks`. */
  readonly module: URL;
  /** Maximum number of threads that work at the same time; 2 by default. */
  readonly maxThreads?: number;
  /** Maximum number of tasks waiting for a thread; 1000 by default. */
  readonly maxQueued?: number;
  /** Heap limit of one thread; 128 MB by default. */
  readonly maxHeapMb?: number;
  /** Time limit of one task, including waiting; 30 s by default. A signal can only shorten it. */
  readonly timeoutMs?: number;
  /** Time after which a task gives way to tasks of other owners; 300 ms by default. */
  readonly turnMs?: number;
  /** Time after which threads without a task end, and return their memory; 60 s by default. */
  readonly restMs?: number;
}

/** Options of one task. */
export interface TaskOptions {
  readonly signal?: AbortSignal;
  /** Queue in which it waits for a thread; queues are served in rotation. All tasks of a queue have one owner. */
  readonly queue?: string;
  /** Account or the like: one of several threads is kept from it while it holds the others. The queue by default. */
  readonly owner?: string;
  /** True for a task that waits until all others have been served; false by default. */
  readonly isPatient?: boolean;
  /** Time limit, including waiting; that of the pool by default. */
  readonly timeoutMs?: number;
  /** Objects that are moved to the thread instead of being copied. */
  readonly transfer?: readonly Transferable[];
}

/** A task that waits for a thread, runs in one, or waits in one until others have had their turn. */
interface Job<Task, Result> {
  readonly task: Task;
  readonly transfer: readonly Transferable[];
  readonly queue: string;
  readonly owner: string;
  readonly isPatient: boolean;
  readonly outcome: PromiseWithResolvers<Result>;
  readonly addedAtMs: number;
  /** Undefined until it has begun. */
  thread: TaskThread<Task, Result> | undefined;
  /** Begin of its present turn; undefined while it waits. */
  turnAtMs: number | undefined;
  ranMs: number;
  isOver: boolean;
}

const DEFAULTS = {
  maxThreads: 2,
  maxQueued: 1000,
  maxHeapMb: 128,
  timeoutMs: 30_000,
  turnMs: 300,
  restMs: 60_000,
} as const satisfies Required<Omit<ThreadPoolOptions, 'module'>>;

/** Tasks that may wait in a thread of their own until others have had their turn. */
const MAX_SET_ASIDE = 2;

/** Pause before another thread is started when one could not start. */
const RESTART_MS = 1000;

/**
 * Runs the work of a module in threads, so that the event loop stays free. Tasks and results are plain data. Threads start
 * when there is work, one ahead of it, and end when there has been none for a while. One of several is never taken by an owner that holds the others, and a task that runs for long gives
 * way to other owners' tasks. A thread is ended and replaced when its task does not stop or exceeds its heap limit.
 */
export class ThreadPool<Task, Result> {
  readonly #options: Required<ThreadPoolOptions>;
  readonly #threads = new Set<TaskThread<Task, Result>>();
  readonly #idle: TaskThread<Task, Result>[] = [];
  readonly #urgent = new FairQueue<Job<Task, Result>>();
  readonly #patient = new FairQueue<Job<Task, Result>>();
  readonly #begun = new Set<Job<Task, Result>>();
  #starting = 0;
  #turnTimer: NodeJS.Timeout | undefined;
  readonly #restTimer: NodeJS.Timeout;
  #isClosed = false;

  constructor(options: ThreadPoolOptions) {
    this.#options = { ...DEFAULTS, ...options };
    this.#restTimer = setTimeout(() => this.#rest(), this.#options.restMs).unref();
  }

  /** Starts the first thread, for tasks that are about to come. */
  prepare(): void {
    this.#restTimer.refresh();
    this.#growIfBusy();
  }

  /** True when a thread has started that can take tasks, or runs one. */
  get isWarm(): boolean {
    return this.#idle.length + this.#begun.size > 0;
  }

  /**
   * Runs a task and returns its result, or throws its error. Throws TIMEOUT at the deadline, with the source "api" if the
   * task waited longer than it ran; the signal's reason when it aborts; UNSUPPORTED_CONTENT if the page is too large;
   * SERVICE_UNAVAILABLE if the queue is full or the pool is closed.
   */
  async run(task: Task, options: TaskOptions = {}): Promise<Result> {
    const { signal, transfer = [], queue = '', owner = queue, isPatient = false } = options;
    signal?.throwIfAborted();
    if (this.#isClosed) throw closed();
    const { maxQueued, maxThreads } = this.#options;
    const { timeoutMs = this.#options.timeoutMs } = options;
    const free = maxThreads - this.#running().length;
    if (this.#waitingCount >= maxQueued + free) {
      throw unavailable(`All extraction threads are busy and ${maxQueued} pages are waiting.`);
    }
    const job: Job<Task, Result> = {
      task,
      transfer,
      queue,
      owner,
      isPatient,
      outcome: Promise.withResolvers<Result>(),
      addedAtMs: performance.now(),
      thread: undefined,
      turnAtMs: undefined,
      ranMs: 0,
      isOver: false,
    };
    const onAbort = (): void => this.#abandon(job, signal?.reason);
    const timer = setTimeout(() => this.#abandon(job, timedOut(timeoutMs)), timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      this.#queueOf(job).push(queue, job);
      this.prepare();
      this.#serve();
      return await job.outcome.promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Ends all threads; running and waiting tasks fail with SERVICE_UNAVAILABLE. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#turnTimer);
    clearTimeout(this.#restTimer);
    for (const jobs of [this.#urgent, this.#patient]) {
      for (let job = jobs.shift(); job; job = jobs.shift()) this.#abandon(job, closed());
    }
    for (const job of this.#begun) this.#abandon(job, closed());
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }

  /** Begins waiting tasks, or lets them go on, as long as there are threads. */
  #serve(): void {
    if (this.#isClosed) return;
    while (this.#running().length < this.#options.maxThreads) {
      const job = this.#next((waiting) => this.#mayRun(waiting));
      if (!job) break;
      this.#letRun(job);
    }
    this.#giveTurns();
  }

  /** Sets aside tasks that have used up their turn, in favor of waiting tasks of others. */
  #giveTurns(): void {
    clearTimeout(this.#turnTimer);
    const { turnMs } = this.#options;
    const now = performance.now();
    for (const job of this.#running()) {
      if (this.#waitingCount === 0) return;
      if (now - (job.turnAtMs ?? now) < turnMs) continue;
      this.#startSpare();
      const other = this.#next(
        (waiting) => waiting.owner !== job.owner && this.#mayRun(waiting, { instead: job }),
      );
      if (!other) continue;
      job.thread?.pause();
      this.#endTurn(job);
      this.#queueOf(job).unshift(job.queue, job);
      this.#letRun(other);
    }
    if (this.#waitingCount > 0) this.#turnTimer = setTimeout(() => this.#giveTurns(), turnMs / 3).unref();
  }

  /** Starts the thread that runs a task while another is set aside. */
  #startSpare(): void {
    const maxThreads = this.#options.maxThreads + MAX_SET_ASIDE;
    const areAllBusy = this.#begun.size === this.#threads.size;
    if (areAllBusy && this.#threads.size < maxThreads) this.#start();
  }

  get #waitingCount(): number {
    return this.#urgent.size + this.#patient.size;
  }

  #next(isAcceptable: (job: Job<Task, Result>) => boolean): Job<Task, Result> | undefined {
    return this.#urgent.shift(isAcceptable) ?? this.#patient.shift(isAcceptable);
  }

  /** Tells whether a waiting task may run now, or instead of one that gives way. */
  #mayRun(job: Job<Task, Result>, { instead }: { readonly instead?: Job<Task, Result> } = {}): boolean {
    if (job.thread) return true;
    if (this.#idle.length === 0) return false;
    const held = [...this.#begun].filter((other) => other !== instead && other.owner === job.owner).length;
    return held < Math.max(1, this.#options.maxThreads - 1);
  }

  #letRun(job: Job<Task, Result>): void {
    job.turnAtMs = performance.now();
    job.thread?.resume();
    const thread = job.thread ? undefined : this.#idle.pop();
    if (!thread) return;
    job.thread = thread;
    this.#begun.add(job);
    this.#growIfBusy();
    thread
      .run(job.task, job.transfer)
      .then(job.outcome.resolve, job.outcome.reject)
      .finally(() => this.#release(job, thread));
  }

  #release(job: Job<Task, Result>, thread: TaskThread<Task, Result>): void {
    job.isOver = true;
    this.#begun.delete(job);
    // It may have been set aside just before it was done.
    this.#queueOf(job).remove(job.queue, job);
    if (thread.isAlive) this.#idle.push(thread);
    this.#restTimer.refresh();
    this.#serve();
  }

  /** Fails a task, and stops it if it has begun. */
  #abandon(job: Job<Task, Result>, reason: unknown): void {
    if (job.isOver) return;
    job.isOver = true;
    this.#endTurn(job);
    this.#queueOf(job).remove(job.queue, job);
    const waitedMs = performance.now() - job.addedAtMs - job.ranMs;
    const isOurs = reason instanceof AppError && reason.code === 'TIMEOUT' && waitedMs > job.ranMs;
    job.outcome.reject(isOurs ? waitedTooLong(waitedMs, reason) : reason);
    job.thread?.stop();
    this.#serve();
  }

  #endTurn(job: Job<Task, Result>): void {
    if (job.turnAtMs !== undefined) job.ranMs += performance.now() - job.turnAtMs;
    job.turnAtMs = undefined;
  }

  /** Running tasks: neither set aside nor about to stop. */
  #running(): Job<Task, Result>[] {
    return [...this.#begun].filter(({ turnAtMs }) => turnAtMs !== undefined);
  }

  #queueOf({ isPatient }: Job<Task, Result>): FairQueue<Job<Task, Result>> {
    return isPatient ? this.#patient : this.#urgent;
  }

  /** Starts a thread when none is left for the next task. */
  #growIfBusy(): void {
    const isLeft = this.#idle.length + this.#starting > 0;
    if (!isLeft && !this.#isClosed && this.#threads.size < this.#options.maxThreads) this.#start();
  }

  /** Ends all threads when there has been nothing to do for a while. */
  #rest(): void {
    if (this.#begun.size + this.#waitingCount > 0) return;
    for (const thread of this.#idle.splice(0)) thread.end().catch(() => {});
  }

  #start(): void {
    const thread = new TaskThread<Task, Result>(this.#options);
    this.#threads.add(thread);
    this.#starting += 1;
    thread.ready.then(
      () => {
        this.#starting -= 1;
        this.#idle.push(thread);
        this.#restTimer.refresh();
        this.#serve();
      },
      (error: unknown) => {
        this.#starting -= 1;
        const job = this.#next((waiting) => waiting.thread === undefined);
        if (job) this.#abandon(job, error);
      },
    );
    const startedAtMs = performance.now();
    thread.ended
      .then(() => {
        this.#threads.delete(thread);
        const at = this.#idle.indexOf(thread);
        if (at >= 0) this.#idle.splice(at, 1);
        const pauseMs = startedAtMs + RESTART_MS - performance.now();
        setTimeout(() => this.#replace(), Math.max(0, pauseMs)).unref();
      })
      .catch(() => {});
  }

  #replace(): void {
    if (this.#begun.size + this.#waitingCount > 0) this.#growIfBusy();
  }
}

function timedOut(timeoutMs: number): AppError {
  return new AppError('TIMEOUT', {
    message: `The extraction did not finish within ${timeoutMs} ms.`,
    suggestion:
      'Use fewer or simpler selectors, or extract less of the page; of a PDF, fewer pages (pdf.maxPages).',
  });
}

function waitedTooLong(waitedMs: number, cause: AppError): AppError {
  return new AppError('TIMEOUT', {
    source: 'api',
    message: `The time ran out after the page had waited ${(waitedMs / 1000).toFixed(1)} s to be read.`,
    suggestion: 'Try again; if it happens often, start more scrapers.',
    cause,
  });
}

function closed(): AppError {
  return unavailable('The extraction pool is closed.');
}

function unavailable(message: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { message, retryAfterSeconds: 1 });
}
