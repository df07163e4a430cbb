import { Budget, ThreadPool } from '@gleaner/extraction';
import { type PageToRead, type PageValues, readPage } from './read-page.ts';
import { Turns } from './turns.ts';

/** Pages up to this size are tried on the calling thread first: the hop would cost more than their work. */
const MAX_INLINE_BYTES = 64 * 1024;

/** About 20 ms; what needs more moves to a thread. */
const MAX_INLINE_STEPS = 1_000_000;

/**
 * How long after a caller was there pages of jobs stay off the event loop: whoever calls now and then meets it free, and a
 * job that runs alone is spared the threads, which take a seventh more CPU.
 */
const CALLERS_ARE_ABOUT_MS = 2000;

/** How a page is read. */
export interface ReadOptions {
  readonly accountId: string;
  /** The job that it belongs to; somebody waits for a page without one. */
  readonly jobId?: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Reads pages so that the event loop stays free for those that somebody waits for: of these, small ones at once within a
 * budget, all others in threads, where accounts take turns. Pages of jobs come after them, in turns with those of other
 * jobs; while callers are about, they are read in threads alone.
 */
export class PageReader {
  readonly #pool: ThreadPool<PageToRead, PageValues>;
  readonly #turns = new Turns();
  #callerSeenMs = Number.NEGATIVE_INFINITY;

  constructor({ maxThreads }: { readonly maxThreads: number }) {
    this.#pool = new ThreadPool({ module: new URL('./page-thread.ts', import.meta.url), maxThreads });
  }

  /** Notes that somebody waits for a page that is about to be fetched. */
  noteCaller(): void {
    this.#callerSeenMs = performance.now();
  }

  /**
   * What the page holds; its body is used up. Throws UNSUPPORTED_CONTENT for a page or values too large, or too much work;
   * TIMEOUT, SERVICE_UNAVAILABLE, or the signal's reason.
   */
  async read(page: PageToRead, { accountId, jobId, signal }: ReadOptions): Promise<PageValues> {
    const isOfJob = jobId !== undefined;
    if (isOfJob && !this.#areCallersAbout) await this.#turns.take(jobId);
    const isForThread = page.body.length > MAX_INLINE_BYTES || (isOfJob && this.#areCallersAbout);
    const values = isForThread ? undefined : readInline(page);
    if (values) return values;
    const body = owned(page.body);
    return await this.#pool.run(
      { ...page, body },
      {
        signal,
        queue: jobId ?? accountId,
        isPatient: isOfJob,
        transfer: [body.buffer],
      },
    );
  }

  get #areCallersAbout(): boolean {
    return performance.now() - this.#callerSeenMs < CALLERS_ARE_ABOUT_MS;
  }

  /** Ends the threads; what they work on fails with SERVICE_UNAVAILABLE. */
  async close(): Promise<void> {
    await this.#pool.close();
  }
}

/** The values, or undefined where the page needs more work than the event loop can give. */
function readInline(page: PageToRead): PageValues | undefined {
  const budget = new Budget({ maxSteps: MAX_INLINE_STEPS });
  try {
    return readPage(page, budget);
  } catch (error) {
    if (budget.isSpent) return undefined;
    throw error;
  }
}

/** The bytes in memory of their own, which can be given away; small buffers share theirs with others. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.length;
  return isAlone ? new Uint8Array(buffer) : new Uint8Array(bytes);
}
