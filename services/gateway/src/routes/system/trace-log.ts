import { redactOptions, type ScrapeRequest, storedAttempts, type TracedAttempt } from '@gleaner/contracts';
import type { NewTrace, Stores } from '@gleaner/storage';

/** Time for which traces are kept. */
const RETENTION_MS = 86_400_000;
/** Traces that wait for the database; later ones are dropped, since a trace is worth less than the service. */
const MAX_WAITING = 5000;

/** Stored form of the trace of a scrape. */
export interface StoredTrace {
  /** Without its secrets. */
  readonly request: ScrapeRequest;
  /** `success`, or the error code. */
  readonly state: string;
  readonly message?: string;
  readonly durationMs: number;
  readonly attempts: readonly TracedAttempt[];
}

/** The trace of a scrape that has finished. */
export interface FinishedScrape extends StoredTrace {
  readonly accountId: string;
  readonly requestId: string;
}

/** Collaborators of the log. */
export interface TraceLogDeps {
  readonly traces: Pick<Stores['traces'], 'insertTraces'>;
  readonly clock: Pick<Stores['clock'], 'nowMs'>;
}

/** Traces of the scrapes of this gateway, which are stored together: one at a time would cost more than they are worth. */
export class TraceLog {
  readonly #deps: TraceLogDeps;
  #waiting: NewTrace[] = [];
  /** Resolves when nothing is being stored. */
  #storing: Promise<unknown> = Promise.resolve();

  constructor(deps: TraceLogDeps) {
    this.#deps = deps;
  }

  /** Notes a trace; the next `flush` stores it. */
  add({ accountId, requestId, request, durationMs, attempts, ...rest }: FinishedScrape): void {
    if (this.#waiting.length >= MAX_WAITING) return;
    const shown: StoredTrace = {
      request: { ...redactOptions(request), url: request.url },
      ...rest,
      attempts: storedAttempts(attempts),
      durationMs: Math.round(durationMs),
    };
    this.#waiting.push({ accountId, requestId, json: JSON.stringify(shown) });
  }

  /** Stores the waiting traces, and waits for other flushes under way; drops the waiting ones if this fails. */
  async flush(): Promise<void> {
    const before = this.#storing;
    const stored = this.#store();
    this.#storing = Promise.allSettled([before, stored]);
    await Promise.all([before, stored]);
  }

  async #store(): Promise<void> {
    const { clock, traces } = this.#deps;
    const waiting = this.#waiting;
    this.#waiting = [];
    await traces.insertTraces(waiting, new Date(clock.nowMs() + RETENTION_MS));
  }
}
