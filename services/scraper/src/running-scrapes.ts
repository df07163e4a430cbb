import { AppError } from '@gleaner/contracts';

/** How long a cancelled job's pages may still be found in the queue, and how many jobs are remembered. */
const REMEMBERED_MS = 15 * 60_000;
const MAX_REMEMBERED = 10_000;

/** One scrape under way, and the job that it is part of, if any. */
interface RunningScrape {
  readonly abort: AbortController;
  readonly jobId: string | undefined;
}

/** The scrapes that this process works on, so that one that nobody waits for any more can be ended. */
export class RunningScrapes {
  readonly #scrapes = new Map<string, RunningScrape>();
  /** When each job was cancelled, oldest first. */
  readonly #cancelledJobs = new Map<string, number>();

  /** Does the work under a signal that ends with the given one, or when the request or its job is cancelled. */
  async run<Result>(
    { id, jobId }: { readonly id: string; readonly jobId?: string },
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const scrape = { abort: new AbortController(), jobId };
    this.#scrapes.set(id, scrape);
    try {
      return await work(AbortSignal.any([signal, scrape.abort.signal]));
    } finally {
      if (this.#scrapes.get(id) === scrape) this.#scrapes.delete(id);
    }
  }

  /** Ends the request's work, if it is here. */
  cancel(requestId: string): void {
    this.#scrapes.get(requestId)?.abort.abort(gone('The caller has gone.'));
  }

  /** Ends the work on every page of a job, and keeps those from starting that come later. */
  cancelJob(jobId: string): void {
    this.#cancelledJobs.delete(jobId);
    this.#cancelledJobs.set(jobId, Date.now());
    this.#forgetOldCancellations();
    for (const scrape of this.#scrapes.values()) {
      if (scrape.jobId === jobId) scrape.abort.abort(gone('The job was cancelled.'));
    }
  }

  /** Whether the job was cancelled lately. */
  isCancelled(jobId: string): boolean {
    return this.#cancelledJobs.has(jobId);
  }

  #forgetOldCancellations(): void {
    const oldestMs = Date.now() - REMEMBERED_MS;
    for (const [jobId, atMs] of this.#cancelledJobs) {
      if (atMs >= oldestMs && this.#cancelledJobs.size <= MAX_REMEMBERED) return;
      this.#cancelledJobs.delete(jobId);
    }
  }
}

function gone(message: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { message });
}
