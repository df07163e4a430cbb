import { AppError } from '@gleaner/contracts';
import QuickLRU from 'quick-lru';

/** Time for which pages of a cancelled job may still be in the queue, and number of jobs that are remembered. */
const REMEMBERED_MS = 15 * 60_000;
const MAX_REMEMBERED = 10_000;

/** Identity of a scrape: the request or page, and the job that a page belongs to. */
export interface ScrapeIdentity {
  readonly id: string;
  readonly jobId?: string;
}

/** A scrape in progress; it is over when disposed of. */
export interface RunningScrape extends Disposable {
  /** Aborts with the given signal, and when the request or its job is cancelled. */
  readonly signal: AbortSignal;
}

/** The scrapes in progress in this process, so that cancelled ones can be stopped. */
export class RunningScrapes {
  readonly #scrapes = new Map<
    string,
    { readonly abort: AbortController; readonly jobId: string | undefined }
  >();
  readonly #cancelledJobs = new QuickLRU<string, true>({ maxSize: MAX_REMEMBERED, maxAge: REMEMBERED_MS });

  /** Registers a scrape. */
  start({ id, jobId }: ScrapeIdentity, signal: AbortSignal): RunningScrape {
    const scrape = { abort: new AbortController(), jobId };
    this.#scrapes.set(id, scrape);
    // One listener costs less than AbortSignal.any.
    const onAbort = () => scrape.abort.abort(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort);
    return {
      signal: scrape.abort.signal,
      [Symbol.dispose]: () => {
        signal.removeEventListener('abort', onAbort);
        if (this.#scrapes.get(id) === scrape) this.#scrapes.delete(id);
      },
    };
  }

  /** Stops the work for a request, if it runs here. */
  cancel(requestId: string): void {
    this.#scrapes.get(requestId)?.abort.abort(cancelled('The caller has disconnected.'));
  }

  /** Stops the work on every page of a job, and keeps later ones from starting. */
  cancelJob(jobId: string): void {
    this.#cancelledJobs.set(jobId, true);
    for (const scrape of this.#scrapes.values()) {
      if (scrape.jobId === jobId) scrape.abort.abort(cancelled('The job was cancelled.'));
    }
  }

  /** Tells whether the job was cancelled recently. */
  isCancelled(jobId: string): boolean {
    return this.#cancelledJobs.has(jobId);
  }
}

function cancelled(message: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { message });
}
