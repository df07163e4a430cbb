import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Carriage, CarriedRequest, Carrier } from '../carrier/carrier.ts';
import type { HopCookies } from '../request/create-cookie-jar.ts';
import { type AttemptOutcome, decideRetry } from './decide-retry.ts';
import { explainFailure } from './explain-failure.ts';
import { type Hop, isRedirect } from './next-hop.ts';
import { parseRetryAfter } from './parse-retry-after.ts';
import { type ReadScope, readWanted } from './read-wanted.ts';
import type { Answer } from './send-request.ts';
import type { StageClock } from './stage-clock.ts';

/** What one fetch works with, over all its hops and attempts. */
export interface FetchScope extends ReadScope {
  readonly carriage: Carriage;
  readonly cookies: HopCookies;
  readonly clock: StageClock;
  readonly limits: ReadScope['limits'] & { readonly maxAttempts: number };
  readonly defaultHeaders: Carrier['defaultHeaders'];
}

/** A hop's answer; the body of one that redirects is empty. */
export type HopResult = Omit<Answer, 'body'> & { readonly body: Buffer };

type Attempt = { readonly result: HopResult } | { readonly retryInMs: number };
type Decide = (outcome: AttemptOutcome) => number | undefined;

const IDEMPOTENT_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
const MAX_DRAIN_MS = 100;

/** Fetches one hop, again where that may help; throws an AppError, or anything once the signal has ended it. */
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
    const request = await scope.carriage.send({ hop, headers: headersFor(hop, scope), signal, clock });
    return await exchange(request, scope, decideNext);
  } catch (thrown) {
    if (scope.signal.aborted) throw thrown;
    const { error, isTransient, isStaleConnection } = explainFailure(thrown, hop.url);
    const retryInMs = decideNext({ kind: 'failure', isTransient, isStaleConnection });
    if (retryInMs === undefined) throw error;
    return { retryInMs };
  }
}

async function exchange(request: CarriedRequest, scope: FetchScope, decideNext: Decide): Promise<Attempt> {
  let outcome: 'completed' | 'failed' = 'failed';
  try {
    const answer = await request.answer;
    const retryInMs = decideNext(outcomeOf(answer));
    const isLeft = retryInMs !== undefined || isRedirect(answer.statusCode, answer.headers.location);
    scope.clock.enter('body');
    const body = isLeft ? await drain(answer.body) : await readWanted(answer, scope);
    outcome = 'completed';
    return retryInMs === undefined ? { result: { ...answer, body } } : { retryInMs };
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

function outcomeOf({ statusCode, headers }: Answer): AttemptOutcome {
  const retryAfterSeconds = parseRetryAfter(headers['retry-after'], Date.now());
  return {
    kind: 'answer',
    statusCode,
    retryAfterMs: retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1_000,
  };
}

/** The caller's headers over ours, and the cookies of both the caller's header and the jar; the jar's are newer. */
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

/** Lets a body that nobody needs run out for a moment, so that its connection can be kept; gives an empty one. */
async function drain(body: Readable): Promise<Buffer> {
  await finished(body.resume(), { signal: AbortSignal.timeout(MAX_DRAIN_MS) }).catch(() => {});
  return Buffer.alloc(0);
}
