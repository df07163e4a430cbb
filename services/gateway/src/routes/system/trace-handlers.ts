import {
  AppError,
  encodeBody,
  methodOf,
  redactOptions,
  type ScrapeRequest,
  shownRequestOf,
  type Trace,
  type TraceAttempt,
  type TracedAttempt,
  timeoutMsOf,
} from '@gleaner/contracts';
import { PLAIN_HEADERS } from '@gleaner/egress';
import { pageIdOf, type StoredJob, type StoredPage, type Stores } from '@gleaner/storage';
import type { Handlers } from '../handler.ts';
import { findJob } from '../jobs/find-job.ts';
import type { StoredTrace, TraceLog } from './trace-log.ts';

/** Collaborators of the handlers. */
export interface TraceDeps {
  readonly clock: Stores['clock'];
  readonly traces: Pick<Stores['traces'], 'findTrace'>;
  readonly traceLog: Pick<TraceLog, 'flush'>;
  readonly jobs: Pick<Stores['jobs'], 'findJob'>;
  readonly pages: Pick<Stores['pages'], 'findPages'>;
  readonly results: Pick<Stores['results'], 'findTrace'>;
}

/** Handlers of traces: where the time of a scrape, or of a page of a job, went. */
export const traceHandlers: Handlers<'getTrace' | 'getJobTrace', TraceDeps> = {
  async getTrace({ caller, params: { requestId = '' } }, { clock, traces, traceLog }) {
    // The scrape may have been this gateway's last one.
    await traceLog.flush();
    const json = await traces.findTrace({ accountId: caller.account.id, requestId }, clock.now());
    if (json === null) throw new AppError('TRACE_NOT_FOUND');
    const { request, attempts, ...rest }: StoredTrace = JSON.parse(json);
    const shown = attempts.map((attempt) => describeAttempt(attempt));
    return {
      success: true,
      trace: { requestId, url: request.url, ...rest, attempts: shown, curl: renderCurl(request) },
    };
  },

  async getJobTrace({ caller, params: { id = '', index = '' } }, deps) {
    const job = await findJob(caller, id, deps);
    return { success: true, trace: await traceOfPage(job, index, deps) };
  },
};

const INDEX = /^(?:0|[1-9]\d{0,6})$/;

/** Returns the trace of the URL at this index of a job. Throws TRACE_NOT_FOUND. */
async function traceOfPage(job: StoredJob, index: string, deps: TraceDeps): Promise<Trace> {
  const { pages } = deps;
  const [entry] = INDEX.test(index) ? await pages.findPages([pageIdOf(job.id, Number(index))]) : [];
  const [page] = entry?.copyOf === undefined ? [entry] : await pages.findPages([entry.copyOf]);
  if (!entry || !page) throw new AppError('TRACE_NOT_FOUND');
  const attempts = await attemptsAt(page, deps);
  if (attempts.length === 0) throw new AppError('TRACE_NOT_FOUND');
  const { failure } = page;
  return {
    jobId: job.id,
    index: entry.index,
    url: entry.url,
    state: stateOf(page),
    ...(failure && { message: failure.message }),
    attempts,
    curl: renderCurl({
      ...redactOptions(JSON.parse(job.optionsJson)),
      ...shownRequestOf(page.requestJson).request,
      url: page.url,
    }),
  };
}

function stateOf({ state, failure }: StoredPage): string {
  if (state === 'succeeded' || state === 'visited') return 'success';
  return state === 'failed' || state === 'missing' ? (failure?.code ?? state) : state;
}

/** One round without success, as a page remembers it. */
interface StoredRound {
  readonly round: number;
  readonly attempts: readonly TracedAttempt[];
}

/** Returns the attempts of all rounds at a page, oldest first; the last one is stored with its result. */
async function attemptsAt(
  { id, attempt: round, state, rounds = [] }: StoredPage,
  { results }: TraceDeps,
): Promise<TraceAttempt[]> {
  const failed: StoredRound[] = rounds.map((json) => JSON.parse(json));
  const json = state === 'succeeded' ? await results.findTrace({ id, attempt: round }) : null;
  const last: StoredRound[] = json === null ? [] : [{ round, attempts: JSON.parse(json) }];
  return [...failed, ...last].flatMap((each) =>
    each.attempts.map((attempt) => ({ round: each.round, ...describeAttempt(attempt) })),
  );
}

function describeAttempt({ startedAtMs, ...attempt }: TracedAttempt): TraceAttempt {
  return {
    ...attempt,
    ...(startedAtMs !== undefined && { startedAt: new Date(startedAtMs).toISOString() }),
  };
}

/** Headers set by curl itself, for its connection and for decoding. */
const LEFT_OUT: ReadonlySet<string> = new Set(['accept-encoding', 'cookie', 'host']);

/** Returns a command that requests a page as the first attempt at it did; what was redacted has to be filled in. */
function renderCurl(request: ScrapeRequest): string {
  const { url, headers: own = {}, cookies = [], proxy } = request;
  const lowerCased = Object.entries(own).map(([name, value]) => [name.toLowerCase(), value] as const);
  const method = methodOf(request);
  const sentBody = encodeBody(request);
  const headers = {
    ...PLAIN_HEADERS,
    ...(sentBody && { 'content-type': sentBody.contentType }),
    ...Object.fromEntries(lowerCased),
  };
  const sent = Object.entries(headers).filter(([name]) => !LEFT_OUT.has(name));
  const pairs = cookies.map(({ name, value }) => `${name}=${value}`);
  const ownCookie = lowerCased.flatMap(([name, value]) => (name === 'cookie' ? [value] : []));
  return [
    'curl --include --location --compressed --globoff',
    `--max-time ${Math.ceil(timeoutMsOf(request) / 1000)}`,
    ...(proxy === undefined ? [] : [`--proxy ${quote(`[a proxy of ${proxy}]`)}`]),
    ...(method === 'HEAD' ? ['--head'] : method === 'GET' ? [] : [`--request ${method}`]),
    ...sent.map(([name, value]) => `--header ${quote(`${name}: ${value}`)}`),
    ...[...ownCookie, ...pairs].map((pair) => `--cookie ${quote(pair)}`),
    ...(sentBody ? [`--data-raw ${quote(sentBody.text)}`] : []),
    `--url ${quote(url)}`,
  ].join(' ');
}

/** Quotes a word for a POSIX shell. */
function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
