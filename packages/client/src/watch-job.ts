import { sleep } from './bound.ts';
import type { Caller, OpenResponse } from './caller.ts';
import { GleanerError } from './error.ts';
import type { Job, JobWithResults } from './generated/openapi.ts';
import type { CallOptions } from './operation-types.ts';
import { readChunks, readLines } from './read-lines.ts';

/** Options of a watch. */
export interface WatchOptions extends Pick<CallOptions, 'signal'> {
  /** Time for which the service may be away before the watch fails. Default 120000. */
  readonly reconnectMs?: number | undefined;
  /** Time between two looks at the job where events do not arrive. Default 2000. */
  readonly pollMs?: number | undefined;
  /** Time without an event or a heartbeat after which the connection counts as lost. Default 40000. */
  readonly silenceMs?: number | undefined;
  /** Time for the first event. A proxy that holds events back is noticed by it. Default 5000. */
  readonly firstEventMs?: number | undefined;
  /** Called when the service does not answer; the watch goes on until `reconnectMs` have passed. */
  readonly onAway?: ((error: GleanerError) => void) | undefined;
}

const RECONNECT_MS = 120_000;
const POLL_MS = 2_000;
const SILENCE_MS = 40_000;
const FIRST_EVENT_MS = 5_000;
/** Streams in a row without an event, after which the job is polled. */
const MAX_EMPTY_STREAMS = 2;

/**
 * Yields the job whenever it has changed, until it has finished. Follows server-sent events, reconnects when they break
 * off, and polls where they do not arrive.
 */
export async function* watchJob(caller: Caller, id: string, options: WatchOptions = {}): AsyncGenerator<Job> {
  const { signal, reconnectMs = RECONNECT_MS, pollMs = POLL_MS } = options;
  let lastEventId: string | undefined;
  let shown = '';
  let emptyStreams = 0;
  let lostAtMs: number | undefined;
  for (;;) {
    try {
      if (emptyStreams < MAX_EMPTY_STREAMS) {
        emptyStreams += 1;
        for await (const { job, eventId } of followEvents(caller, id, lastEventId, options)) {
          emptyStreams = 0;
          lostAtMs = undefined;
          lastEventId = eventId;
          shown = stateOf(job);
          yield job;
          if (hasFinished(job)) return;
        }
      }
      const job = await pollJob(caller, id, options);
      lostAtMs = undefined;
      if (stateOf(job) !== shown) yield job;
      if (hasFinished(job)) return;
      shown = stateOf(job);
      await sleep(emptyStreams < MAX_EMPTY_STREAMS ? pollMs * Math.random() : pollMs, signal);
    } catch (error) {
      if (signal?.aborted || !isTransient(error)) throw error;
      if (lostAtMs === undefined) options.onAway?.(error);
      lostAtMs ??= performance.now();
      // A service that is away says nothing about the proxies before it.
      if (isLost(error)) emptyStreams = 0;
      const awayMs = performance.now() - lostAtMs;
      const waitMs = Math.max(
        error.retryAfterMs ?? 0,
        (0.5 + Math.random()) * Math.min(pollMs, 250 + awayMs),
      );
      if (awayMs + waitMs > reconnectMs) throw error;
      await sleep(waitMs, signal);
    }
  }
}

/** Yields the job of each event; ends when the stream does, or brings nothing for too long. */
async function* followEvents(
  caller: Caller,
  id: string,
  lastEventId: string | undefined,
  { signal, silenceMs = SILENCE_MS, firstEventMs = FIRST_EVENT_MS }: WatchOptions,
): AsyncGenerator<{ job: Job; eventId: string | undefined }> {
  const headers = { accept: 'text/event-stream', ...(lastEventId && { 'last-event-id': lastEventId }) };
  // After an event, the next one may take as long as the job; only heartbeats are due.
  const timeoutMs = lastEventId ? silenceMs : firstEventMs;
  try {
    const open = await caller.open(
      'getJobEvents',
      { path: { id }, headers },
      { signal, timeoutMs, maxRetries: 0 },
    );
    for await (const { event, id: eventId, data } of readEvents(open)) {
      open.bound.timeoutMs = silenceMs;
      if (event === 'progress' || event === 'end') yield { job: JSON.parse(data) as Job, eventId };
    }
  } catch (error) {
    const hasEnded = error instanceof GleanerError && ENDINGS.has(error.code);
    if (!hasEnded) throw error;
  }
}

/** Errors of a stream that say nothing about the job: the next poll decides. */
const ENDINGS: ReadonlySet<string> = new Set(['STREAM_CUT', 'CLIENT_TIMEOUT', 'RATE_LIMITED']);

async function pollJob(
  caller: Caller,
  id: string,
  { signal, silenceMs = SILENCE_MS }: WatchOptions,
): Promise<Job> {
  const input = { path: { id }, query: { resultsLimit: 0 } };
  const { job } = await caller.call('getJob', input, { signal, timeoutMs: silenceMs, maxRetries: 0 });
  const { options, results, resultsPagination, ...rest }: JobWithResults = job;
  return rest;
}

function stateOf({ status, totalUrls, completedUrls, failedUrls, creditsUsed, completedAt }: Job): string {
  return [status, totalUrls, completedUrls, failedUrls, creditsUsed, completedAt].join('-');
}

/** Returns whether a job does not change any more. A large one is cancelled before its counters are exact. */
export function hasFinished({ completedAt }: Pick<Job, 'completedAt'>): boolean {
  return completedAt !== undefined;
}

function isTransient(error: unknown): error is GleanerError {
  if (!(error instanceof GleanerError)) return false;
  return isLost(error) || [429, 502, 503].includes(error.status ?? 0);
}

function isLost({ code }: GleanerError): boolean {
  return code === 'CONNECTION_FAILED' || code === 'CLIENT_TIMEOUT';
}

/** Fields of a job that tell how far it is. */
export type JobProgress = Pick<Job, 'totalUrls' | 'completedUrls' | 'crawl'>;

/** Numbers of pages with a result, and of all pages with a result or without one yet. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** Returns how far a job is. URLs that a crawl skips or only follows are not counted: they never have a result. */
export function progressOf({ totalUrls, completedUrls, crawl }: JobProgress): Progress {
  if (!crawl) return { done: completedUrls, total: totalUrls };
  const { results, waiting, running } = crawl;
  return { done: results, total: results + waiting + running };
}

interface ServerEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

/** Reads server-sent events (HTML Standard, section 9.2). Comments, which keep the connection open, are left out. */
async function* readEvents(open: OpenResponse): AsyncGenerator<ServerEvent> {
  let event = 'message';
  let id: string | undefined;
  let data: string[] = [];
  for await (const line of readLines(readChunks(open))) {
    if (line === '') {
      if (data.length > 0) yield { event, id, data: data.join('\n') };
      event = 'message';
      data = [];
      continue;
    }
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
    if (field === 'event') event = value;
    if (field === 'id') id = value;
    if (field === 'data') data.push(value);
  }
}
