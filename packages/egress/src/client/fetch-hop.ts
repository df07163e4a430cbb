import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { type ReadScope, readResponseBody } from '../body/read-response-body.ts';
import type { Hop, HttpResponse, HttpStack, RequestSender, SentRequest } from '../http/http-stack.ts';
import type { HopCookies } from '../request/create-cookie-jar.ts';
import type { StageClock } from '../route/stage-clock.ts';
import { type AttemptOutcome, decideRetry } from './decide-retry.ts';
import { explainFailure } from './explain-failure.ts';
import { isRedirect } from './next-hop.ts';
import { parseRetryAfter } from './parse-retry-after.ts';

/** State and limits of one fetch, over all its hops and attempts. */
export interface FetchScope extends ReadScope {
  readonly sender: RequestSender;
  readonly cookies: HopCookies;
  readonly clock: StageClock;
  readonly limits: ReadScope['limits'] & { readonly maxAttempts: number };
  readonly defaultHeaders: HttpStack['defaultHeaders'];
}

/** Response of a hop; the body of a redirect is empty. */
export type HopResult = Omit<HttpResponse, 'body'> & { readonly body: Buffer };

type Attempt = { readonly result: HopResult } | { readonly retryInMs: number };
type Decide = (outcome: AttemptOutcome) => number | undefined;

const IDEMPOTENT_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
const MAX_DRAIN_MS = 100;

/** Fetches one hop, in several attempts if needed; throws an AppError, or anything once the signal has aborted. */
export async function fetchHop(hop: Hop, scope: FetchScope): Promise<HopResult> {
  for (let attempts = 1; ; attempts += 1) {
    const attempt = await attemptHop(hop, scope, (outcome) => decide(outcome, attempts, hop, scope));
    if ('result' in attempt) return attempt.result;
    scope.clock.enter('backoff');
    await delay(attempt.retryInMs, undefined, { signal: scope.signal });
  }
}

async function attemptHop(hop: Hop, scope: FetchScope, decideNext: Decide): Promise<Attempt> {
  try {
    const { signal, clock } = scope;
    const request = await scope.sender.send({ hop, headers: headersFor(hop, scope), signal, clock });
    return await exchange(request, scope, decideNext);
  } catch (thrown) {
    if (scope.signal.aborted) throw thrown;
    const { error, isTransient, isStaleConnection } = explainFailure(thrown, hop.url);
    const retryInMs = decideNext({ kind: 'failure', isTransient, isStaleConnection });
    if (retryInMs === undefined) throw error;
    return { retryInMs };
  }
}

async function exchange(request: SentRequest, scope: FetchScope, decideNext: Decide): Promise<Attempt> {
  let outcome: 'completed' | 'failed' = 'failed';
  try {
    const response = await request.response;
    const retryInMs = decideNext(outcomeOf(response));
    const isUnneeded = retryInMs !== undefined || isRedirect(response.statusCode, response.headers.location);
    scope.clock.enter('body');
    const body = isUnneeded ? await drain(response.body) : await readResponseBody(response, scope);
    outcome = 'completed';
    return retryInMs === undefined ? { result: { ...response, body } } : { retryInMs };
  } finally {
    request.end(outcome);
  }
}

function decide(outcome: AttemptOutcome, attempts: number, hop: Hop, scope: FetchScope): number | undefined {
  return decideRetry({
    outcome,
    attempts,
    maxAttempts: scope.limits.maxAttempts,
    isIdempotent: IDEMPOTENT_METHODS.has(hop.method),
    remainingMs: scope.remainingMs(),
    random: Math.random(),
  });
}

function outcomeOf({ statusCode, headers }: HttpResponse): AttemptOutcome {
  const retryAfterSeconds = parseRetryAfter(headers['retry-after'], Date.now());
  return {
    kind: 'response',
    statusCode,
    retryAfterMs: retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1_000,
  };
}

/** Merges the caller's headers over ours, and the cookies of the caller's header and of the jar, which are newer. */
function headersFor(hop: Hop, { cookies, defaultHeaders }: FetchScope): Record<string, string> {
  const fromJar = cookies.headerFor(hop.url);
  const jarNames = new Set(fromJar.split('; ').map(cookieName));
  const own = (hop.headers.cookie ?? '')
    .split(/; */)
    .filter((pair) => pair !== '' && !jarNames.has(cookieName(pair)));
  const cookie = [...own, fromJar].filter((part) => part !== '').join('; ');
  const { cookie: _own, ...headers } = { ...defaultHeaders(hop.url, hop.headers), ...hop.headers };
  return cookie === '' ? headers : { ...headers, cookie };
}

function cookieName(pair: string): string {
  return pair.split('=', 1)[0]?.trim() ?? '';
}

/** Discards an unneeded body for a moment, so that its connection can be kept; returns an empty one. */
async function drain(body: Readable): Promise<Buffer> {
  await finished(body.resume(), { signal: AbortSignal.timeout(MAX_DRAIN_MS) }).catch(() => {});
  return Buffer.alloc(0);
}
