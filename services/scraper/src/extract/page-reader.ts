import { Budget, ThreadPool } from '@gleaner/extraction';
import { type PageToRead, type PageValues, readPage } from './read-page.ts';

/** Pages up to this size are tried on the calling thread first: the hop would cost more than their work. */
const MAX_INLINE_BYTES = 64 * 1024;

/** About 20 ms; what needs more moves to a thread. */
const MAX_INLINE_STEPS = 1_000_000;

/** How a page is read. */
export interface ReadOptions {
  /** Somebody waits for it. */
  readonly isUrgent: boolean;
  readonly signal: AbortSignal;
}

/** Reads pages so that the event loop stays free: small ones at once within a budget, all others in threads. */
export class PageReader {
  readonly #pool: ThreadPool<PageToRead, PageValues>;

  constructor({ maxThreads }: { readonly maxThreads: number }) {
    this.#pool = new ThreadPool({ module: new URL('./page-thread.ts', import.meta.url), maxThreads });
  }

  /**
   * What the page holds; its body is used up. An urgent one goes before others that wait for a thread. Throws UNSUPPORTED_CONTENT for a page or values too large, TIMEOUT,
   * SERVICE_UNAVAILABLE, or the signal's reason.
   */
  async read(page: PageToRead, { isUrgent, signal }: ReadOptions): Promise<PageValues> {
    const values = page.body.length <= MAX_INLINE_BYTES ? readInline(page) : undefined;
    if (values) return values;
    const body = owned(page.body);
    return await this.#pool.run({ ...page, body }, { signal, isUrgent, transfer: [body.buffer] });
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
