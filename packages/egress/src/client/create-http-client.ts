import type { IncomingHttpHeaders } from 'node:http';
import { AppError, LIMITS } from '@gleaner/contracts';
import type { Got } from 'got';
import type { LongBodies } from '../body/read-response-body.ts';
import { Semaphore } from '../body/semaphore.ts';
import type { Hop, HttpStack } from '../http/http-stack.ts';
import { createPlainStack } from '../http/plain-stack.ts';
import type { EgressPolicy } from '../policy/create-egress-policy.ts';
import { createCookieJar } from '../request/create-cookie-jar.ts';
import { findHeaderErrors } from '../request/find-header-errors.ts';
import { createDirectRoute } from '../route/create-direct-route.ts';
import { createLookup } from '../route/create-lookup.ts';
import type { Route } from '../route/route.ts';
import { type StageClock, startStageClock } from '../route/stage-clock.ts';
import { GOT_OPTIONS, HopSequence, outcomeUnknown } from './hop-sequence.ts';
import type { FetchedPage, FetchRequest, HttpClient } from './http-client.ts';
import { quoteUrl } from './quote-url.ts';

/** Dependencies and settings of a client; all but the policy have defaults. */
export interface HttpClientDeps {
  readonly policy: EgressPolicy;
  /** Opens connections; by default directly to the target. */
  readonly route?: Route;
  readonly userAgent?: string;
  /** Speaks TLS and HTTP; by default one that identifies itself as Gleaner. */
  readonly stack?: HttpStack;
  readonly maxBodyBytes?: number;
  /** Default 20, as in browsers (https://fetch.spec.whatwg.org/#concept-http-redirect-fetch). */
  readonly maxRedirects?: number;
  /** Follows redirects (the default), or returns them as responses. */
  readonly redirects?: 'follow' | 'answer';
  /** Treatment of a body over the cap; refused by default. */
  readonly longBodies?: LongBodies;
  /** Decompresses a body that is a gzip file, such as sitemap.xml.gz, whatever its headers say. Default false. */
  readonly unpacksGzip?: boolean;
  /** Attempts for each hop, the first included. */
  readonly maxAttempts?: number;
  /** PEM certificates to trust instead of the usual authorities. */
  readonly certificateAuthorities?: readonly string[];
}

/** Bodies that are decompressed at once; more would only share the same cores. */
const MAX_DECODING = 2;

/** Creates a client; close it to close its connections. */
export function createHttpClient(deps: HttpClientDeps): HttpClient {
  const { policy, redirects = 'follow' } = deps;
  const ownRoute = deps.route ?? createDirectRoute({ policy, lookup: createLookup({ policy }) });
  const stack = deps.stack ?? createPlainStack(deps);
  const limits = limitsOf(deps);
  const decoding = new Semaphore(MAX_DECODING);
  let loading: Promise<Got> | undefined;

  async function fetchPage(request: FetchRequest, signal: AbortSignal): Promise<FetchedPage> {
    const firstHop = startHop(request, policy);
    const cookies = request.jar ?? createCookieJar(request.cookies ?? [], firstHop.url);
    using bound = bindDeadline(request.deadlineMs, signal);
    const { clock = startStageClock() } = request;
    loading ??= loadGot();
    const got = await loading;
    await using sender = stack.open(request.route ?? ownRoute);
    using hops = new HopSequence(got, firstHop, {
      policy,
      sender,
      cookies,
      clock,
      limits,
      redirects,
      decoding,
      signal: bound.signal,
      remainingMs: bound.remainingMs,
      defaultHeaders: stack.defaultHeaders,
      makeRoom: request.makeRoom,
      chooseSink: request.chooseSink,
      mayFollow: request.mayFollow,
      repeatable: request.repeatable,
      onSent: request.onSent,
    });
    try {
      const { response, body, hop, redirects, redirectsTo } = await hops.follow();
      return {
        url: request.url,
        finalUrl: hop.url.href,
        redirects,
        ...(redirectsTo && { redirectsTo: redirectsTo.href }),
        statusCode: response.statusCode,
        headers: joinHeaders(response.headers),
        body,
        remoteAddress: response.remoteAddress,
        timings: clock.timings(),
      };
    } catch (error) {
      if (!bound.signal.aborted) throw error;
      const reason = explainInterruption(bound.signal.reason, firstHop.url, clock);
      throw hops.isUndecided ? outcomeUnknown(firstHop, reason) : reason;
    }
  }

  return { fetchPage, close: stack.close };
}

function limitsOf(deps: HttpClientDeps) {
  return {
    maxBytes: deps.maxBodyBytes ?? LIMITS.maxPageBytes,
    maxAttempts: deps.maxAttempts ?? 3,
    maxRedirects: deps.maxRedirects ?? 20,
    longBodies: deps.longBodies ?? 'refuse',
    unpacksGzip: deps.unpacksGzip ?? false,
  };
}

/** Loads got on first use: processes that only check URLs save its memory. */
async function loadGot(): Promise<Got> {
  const { default: got } = await import('got');
  return got.extend(GOT_OPTIONS);
}

function joinHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return joined;
}

function startHop(request: FetchRequest, policy: EgressPolicy): Hop {
  const url = policy.checkUrl(request.url);
  const headers = request.headers ?? {};
  const details = findHeaderErrors(headers, { hasCookies: request.cookies !== undefined });
  if (details.length > 0)
    throw new AppError('INVALID_REQUEST', { message: 'Some headers cannot be sent.', details });
  const lowerCased = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    url,
    method: request.method ?? 'GET',
    headers: Object.fromEntries(lowerCased),
    body: request.body,
  };
}

/** A deadline and a caller's signal as one signal; disposing it clears its timer. */
interface BoundDeadline extends Disposable {
  readonly signal: AbortSignal;
  readonly remainingMs: () => number;
}

/** Creates a signal that also aborts at the deadline, with a TimeoutError. */
function bindDeadline(deadlineMs: number | undefined, signal: AbortSignal): BoundDeadline {
  const remainingMs = () => (deadlineMs === undefined ? Number.POSITIVE_INFINITY : deadlineMs - Date.now());
  // One listener costs less than AbortSignal.any.
  const bound = new AbortController();
  const onAbort = () => bound.abort(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort);
  const onDeadline = () => bound.abort(new DOMException('The deadline has passed.', 'TimeoutError'));
  const timer = deadlineMs === undefined ? undefined : setTimeout(onDeadline, Math.max(0, remainingMs()));
  return {
    signal: bound.signal,
    remainingMs,
    [Symbol.dispose]() {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    },
  };
}

/** Returns TIMEOUT when time ran out, and any other reason of the caller's signal unchanged. */
function explainInterruption(reason: unknown, url: URL, clock: StageClock): unknown {
  if (!isTimeout(reason)) return reason;
  const { totalMs } = clock.timings();
  const suggestion = clock.advice();
  return new AppError('TIMEOUT', {
    message: `The time ran out after ${totalMs} ms while ${clock.phrase()} (${quoteUrl(url)}).`,
    ...(suggestion && { suggestion }),
    cause: reason,
  });
}

/** Recognizes the caller's own TIMEOUT, and the reason of AbortSignal.timeout by its name, because errors cross realms. */
function isTimeout(reason: unknown): boolean {
  if (reason instanceof AppError) return reason.code === 'TIMEOUT';
  return typeof reason === 'object' && reason !== null && 'name' in reason && reason.name === 'TimeoutError';
}
