import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, hasFinished } from '@gleaner/contracts';
import { inBackground, type Logger } from '@gleaner/service-kit';
import { describeJob, type JobProgress, type Stores } from '@gleaner/storage';

/** Collaborators and bounds of the event streams. */
export interface JobEventsDeps {
  readonly jobs: Pick<Stores['jobs'], 'findProgress'>;
  readonly logger: Logger;
  /** Streams that one key may have open at once at this gateway. */
  readonly maxStreamsPerKey: number;
  /** Time between two reads of the jobs that are followed. Default 500 ms. */
  readonly intervalMs?: number;
}

/** One stream to open. */
export interface EventStream {
  readonly job: JobProgress;
  readonly keyId: string;
  /** Value of Last-Event-ID. */
  readonly lastEventId: string | undefined;
  /** Ends the stream. */
  readonly signal: AbortSignal;
}

interface FollowedJob {
  streams: number;
  /** Resolves with the job at the next read; null when it was deleted. */
  next: PromiseWithResolvers<JobProgress | null>;
}

/** A comment this often shows proxies and clients that the stream is alive. */
const HEARTBEAT_MS = 15_000;
const INTERVAL_MS = 500;

/**
 * Streams the progress of jobs as server-sent events (HTML Standard, section 9.2). All streams of a gateway share one
 * query per interval, however many streams and jobs there are.
 */
export class JobEvents {
  readonly #deps: JobEventsDeps;
  readonly #followed = new Map<string, FollowedJob>();
  readonly #streamsByKey = new Map<string, number>();
  #isPolling = false;

  constructor(deps: JobEventsDeps) {
    this.#deps = deps;
  }

  /**
   * Opens a stream: `progress` whenever the job has changed, `end` when it has finished. A state that `lastEventId` names
   * is not sent again. Throws RATE_LIMITED when the key has too many streams open.
   */
  open({ job, keyId, lastEventId, signal }: EventStream): AsyncGenerator<string> {
    const release = this.#occupy(job.id, keyId);
    // A generator that is closed before it began runs no `finally`, and a signal that has aborted runs no listener.
    if (signal.aborted) release();
    else signal.addEventListener('abort', release, { once: true });
    return this.#stream(job, lastEventId, signal, release);
  }

  async *#stream(
    first: JobProgress,
    lastEventId: string | undefined,
    signal: AbortSignal,
    release: () => void,
  ): AsyncGenerator<string> {
    let sentId = lastEventId;
    // Headers wait for the first chunk: a stream that has nothing new begins with a heartbeat.
    let sentAtMs = Number.NEGATIVE_INFINITY;
    try {
      for (
        let job: JobProgress | null = first;
        job && !signal.aborted;
        job = await this.#next(job.id, signal)
      ) {
        const id = eventIdOf(job);
        if (hasFinished(job)) return yield eventOf('end', id, job);
        const nowMs = performance.now();
        if (id !== sentId) yield eventOf('progress', id, job);
        else if (nowMs - sentAtMs >= HEARTBEAT_MS) yield ': heartbeat\n\n';
        else continue;
        sentId = id;
        sentAtMs = nowMs;
      }
    } finally {
      signal.removeEventListener('abort', release);
      release();
    }
  }

  /** Counts a stream of the key and of the job; returns a function that takes it back, once. */
  #occupy(jobId: string, keyId: string): () => void {
    const streams = this.#streamsByKey.get(keyId) ?? 0;
    if (streams >= this.#deps.maxStreamsPerKey) throw tooManyStreams(streams);
    this.#streamsByKey.set(keyId, streams + 1);
    const followed = this.#followed.get(jobId) ?? { streams: 0, next: Promise.withResolvers() };
    followed.streams += 1;
    this.#followed.set(jobId, followed);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const others = (this.#streamsByKey.get(keyId) ?? 1) - 1;
      if (others > 0) this.#streamsByKey.set(keyId, others);
      else this.#streamsByKey.delete(keyId);
      followed.streams -= 1;
      if (followed.streams === 0) this.#followed.delete(jobId);
    };
  }

  /** Returns the job at the next read; null when it was deleted or the signal aborts first. */
  async #next(jobId: string, signal: AbortSignal): Promise<JobProgress | null> {
    const followed = this.#followed.get(jobId);
    if (!followed || signal.aborted) return null;
    if (!this.#isPolling) inBackground(this.#poll(), this.#deps.logger);
    const aborted = Promise.withResolvers<null>();
    const onAbort = () => aborted.resolve(null);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([followed.next.promise, aborted.promise]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Reads the followed jobs at intervals, until there are none. A failed read is repeated at the next interval. */
  async #poll(): Promise<void> {
    const { jobs, logger, intervalMs = INTERVAL_MS } = this.#deps;
    this.#isPolling = true;
    try {
      for (;;) {
        await sleep(intervalMs, undefined, { ref: false });
        const ids = [...this.#followed.keys()];
        if (ids.length === 0) return;
        const found = await jobs.findProgress(ids).catch((err: unknown) => {
          logger.warn({ err }, 'The progress of followed jobs could not be read; the next read follows.');
        });
        if (found) this.#publish(ids, found);
      }
    } finally {
      this.#isPolling = false;
    }
  }

  #publish(ids: readonly string[], found: readonly JobProgress[]): void {
    const byId = new Map(found.map((job) => [job.id, job]));
    for (const id of ids) {
      const followed = this.#followed.get(id);
      if (!followed) continue;
      const { resolve } = followed.next;
      followed.next = Promise.withResolvers();
      resolve(byId.get(id) ?? null);
    }
  }
}

/** Returns true when the client already has the last event of the job. */
export function hasSeenEnd(job: JobProgress, lastEventId: string | undefined): boolean {
  return hasFinished(job) && lastEventId === eventIdOf(job);
}

/** Names a state of a job, the same at every gateway. */
function eventIdOf(job: JobProgress): string {
  const { status, completedUrls, failedUrls, creditsUsed } = job;
  return [hasFinished(job) ? 'end' : status, completedUrls, failedUrls, creditsUsed].join('-');
}

function eventOf(name: 'progress' | 'end', id: string, job: JobProgress): string {
  return `event: ${name}\nid: ${id}\ndata: ${JSON.stringify(describeJob(job))}\n\n`;
}

function tooManyStreams(open: number): AppError {
  return new AppError('RATE_LIMITED', {
    message: `The API key has ${open} event streams open already.`,
    suggestion: 'Close a stream that is no longer needed, or poll GET /v1/jobs/:id instead.',
    retryAfterSeconds: 5,
  });
}
