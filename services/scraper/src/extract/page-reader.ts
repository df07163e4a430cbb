import type { ParseCommand, RobotsFound, SitemapFound } from '@gleaner/contracts';
import {
  type AnswerToCheck,
  Budget,
  type CheckedAnswer,
  FairQueue,
  ThreadPool,
  type ThreadPoolOptions,
} from '@gleaner/extraction';
import { type CrawlFile, readCrawlFile } from '../crawl/read-crawl-file.ts';
import { type DocumentToRead, type PageToRead, readPage } from './read-page.ts';
import type { PageValues } from './reading.ts';
import type { ThreadCommand } from './work-on-snapshot.ts';

/** Pages up to this size are read on the calling thread first: moving them would cost more than reading them. */
const MAX_INLINE_BYTES = 64 * 1024;
/** The same for pages of jobs without interactive traffic: a thread costs more CPU, but does not block the event loop. */
const MAX_INLINE_JOB_BYTES = 256 * 1024;

/** About 20 ms of work; pages that need more move to a thread. */
const MAX_INLINE_STEPS = 1_000_000;

/** Time for a snapshot or a caller's own page: less than the gateway waits for the reply. */
const SNAPSHOT_MS = 20_000;

/**
 * Time after a scrape during which pages of jobs stay off the event loop, so that it is free for the next scrape. A job
 * without interactive traffic does not use the threads, which cost a seventh more CPU.
 */
const INTERACTIVE_WINDOW_MS = 2000;

/** Context of one page to read. */
export interface ReadOptions {
  readonly accountId: string;
  /** The job of the page; undefined for a scrape, whose caller waits. */
  readonly jobId?: string | undefined;
  readonly signal: AbortSignal;
}

/** Bodies to read, and their results. */
type Task = PageToRead | CrawlFile;
type TaskResult = PageValues | RobotsFound | SitemapFound;

/** Commands about kept pages, and about pages and files from callers. */
export type ContentCommand = ThreadCommand | ParseCommand;

/** Tasks of the threads: bodies to read, pages to work on, and answers of models to check. */
export type ThreadTask = Task | ContentCommand | AnswerToCheck;

/**
 * Reads pages so that the event loop stays free for scrapes. Small pages of scrapes are read at once, within a budget; all
 * others in threads, where accounts take turns. Pages of jobs come after them and take turns with other jobs; while
 * interactive traffic is present, they are read in threads only, and otherwise larger ones are read at once too.
 */
export class PageReader {
  readonly #pool: ThreadPool<ThreadTask, TaskResult | string | CheckedAnswer | null>;
  readonly #turns = new Turns();
  #lastScrapeMs = Number.NEGATIVE_INFINITY;

  /** The time limit is that of one page, including its wait for a thread; 30 s by default. */
  constructor(options: Pick<ThreadPoolOptions, 'maxThreads' | 'timeoutMs'>) {
    this.#pool = new ThreadPool({ ...options, module: new URL('./page-thread.ts', import.meta.url) });
  }

  /** Records interactive traffic: a scrape is about to fetch its page. */
  noteScrape(): void {
    this.#lastScrapeMs = performance.now();
    this.#pool.prepare();
  }

  /**
   * Extracts the values of a page, whose body may be transferred. Throws UNSUPPORTED_CONTENT for a page or values that are
   * too large or too much work; TIMEOUT, SERVICE_UNAVAILABLE, or the signal's reason.
   */
  async read(page: PageToRead, options: ReadOptions): Promise<PageValues> {
    const { kind } = page;
    if (kind === 'pdf') return await this.#runInThread<PageValues>(page, options);
    return await this.#run({ ...page, kind }, readPage, options);
  }

  /** Reads a robots.txt or a sitemap, whose body may be transferred. Throws as `read` does. */
  async readFile(file: CrawlFile, options: ReadOptions): Promise<RobotsFound | SitemapFound> {
    return await this.#run(file, readCrawlFile, options);
  }

  /** Checks the answer of a model against its page, in a thread; null if it is not an object of JSON. Throws as `read` does. */
  async checkAnswer(
    task: AnswerToCheck,
    { accountId, jobId, signal }: ReadOptions,
  ): Promise<CheckedAnswer | null> {
    const options = { signal, queue: jobId ?? accountId, owner: accountId, isPatient: jobId !== undefined };
    return (await this.#pool.run(task, options)) as CheckedAnswer | null;
  }

  /**
   * Carries out a task on a snapshot, or on a page that its caller sent, in a thread, and returns its content, compressed, in
   * base64. An account's snapshots take turns with its scrapes. Throws as `read` does.
   */
  async workOnSnapshot(command: ContentCommand, signal: AbortSignal): Promise<string> {
    const { accountId: owner } = command;
    // Someone who picks elements in the console does not wait for many pages that the account sends.
    const queue = `${isSent(command) ? 'pages' : 'snapshots'} of ${owner}`;
    return (await this.#pool.run(command, { signal, owner, queue, timeoutMs: SNAPSHOT_MS })) as string;
  }

  async #run<Input extends DocumentToRead | CrawlFile, Result extends TaskResult>(
    task: Input,
    readHere: (task: Input, budget: Budget) => Result,
    options: ReadOptions,
  ): Promise<Result> {
    const { jobId } = options;
    const isOfJob = jobId !== undefined;
    if (isOfJob && !this.#hasInteractiveTraffic) await this.#turns.take(jobId);
    const isInline = lengthOf(task) <= this.#maxInlineBytes(isOfJob ? 'job' : 'scrape');
    const result = isInline ? readInline(task, readHere) : undefined;
    return result ?? (await this.#runInThread<Result>(task, options));
  }

  async #runInThread<Result extends TaskResult>(
    task: Task,
    { accountId, jobId, signal }: ReadOptions,
  ): Promise<Result> {
    const body = owned(task.body);
    const options = {
      signal,
      queue: jobId ?? accountId,
      owner: accountId,
      isPatient: jobId !== undefined,
      transfer: [body.buffer],
    };
    // A thread reads each kind of task with the same function.
    return (await this.#pool.run({ ...task, body }, options)) as Result;
  }

  #maxInlineBytes(purpose: 'job' | 'scrape'): number {
    if (purpose === 'scrape') return MAX_INLINE_BYTES;
    // While the threads start, pages would wait for longer than it takes to read them.
    return this.#hasInteractiveTraffic && this.#pool.isWarm ? 0 : MAX_INLINE_JOB_BYTES;
  }

  get #hasInteractiveTraffic(): boolean {
    return performance.now() - this.#lastScrapeMs < INTERACTIVE_WINDOW_MS;
  }

  /** Ends the threads; pages that they are reading fail with SERVICE_UNAVAILABLE. */
  async close(): Promise<void> {
    await this.#pool.close();
  }
}

/** Returns whether a command is about a page or a file that its caller sent, now or for a test. */
export function isSent(command: ContentCommand): boolean {
  return 'file' in command || command.task.type === 'read' || command.task.type === 'test';
}

/** Returns the size of everything that is read for a task. */
function lengthOf(task: Task): number {
  const captured = 'captured' in task ? Object.values(task.captured ?? {}).flat() : [];
  return captured.reduce((sum, { body = '' }) => sum + body.length, task.body.length);
}

/** Returns the result, or undefined when the task needs more work than the event loop may spend. */
function readInline<Input extends Task, Result>(
  task: Input,
  readHere: (task: Input, budget: Budget) => Result,
): Result | undefined {
  const budget = new Budget({ maxSteps: MAX_INLINE_STEPS });
  try {
    return readHere(task, budget);
  } catch (error) {
    if (budget.isSpent) return undefined;
    throw error;
  }
}

/** Returns the bytes in their own memory, which can be transferred; small buffers share theirs with others. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.length;
  return isAlone ? new Uint8Array(buffer) : new Uint8Array(bytes);
}

/**
 * Lets scrapes go before pages of jobs: only one page of a job is read per turn of the event loop, so that a response for
 * a scrape waits for one page at most. Jobs take turns too: a page of a small job does not wait for all earlier pages of
 * a large one.
 */
export class Turns {
  readonly #waiting = new FairQueue<() => void>();
  #isScheduled = false;

  /** Resolves at the turn of a page of this job; the caller must do its work synchronously. */
  take(jobId: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(jobId, resolve);
    this.#schedule();
    return promise;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.size === 0) return;
    this.#isScheduled = true;
    setImmediate(() => this.#next());
  }

  #next(): void {
    this.#isScheduled = false;
    this.#waiting.shift()?.();
    this.#schedule();
  }
}
