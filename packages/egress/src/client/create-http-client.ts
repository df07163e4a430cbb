import { AppError, LIMITS } from '@gleaner/contracts';
import type { LongBodies } from '../body/read-response-body.ts';
import { Semaphore } from '../body/semaphore.ts';
import { createLookup } from '../dns/create-lookup.ts';
import { createPlainStack } from '../http/create-plain-stack.ts';
import type { Hop, HttpStack } from '../http/http-stack.ts';
import type { EgressPolicy } from '../policy/create-egress-policy.ts';
import { createCookieJar } from '../request/create-cookie-jar.ts';
import { findHeaderErrors } from '../request/find-header-errors.ts';
import { createDirectRoute } from '../route/create-direct-route.ts';
import type { Route } from '../route/route.ts';
import { startStageClock } from '../route/stage-clock.ts';
import { bindDeadline, explainInterruption } from './bind-deadline.ts';
import { type FetchScope, fetchHop, type HopResult } from './fetch-hop.ts';
import type { FetchedPage, FetchRequest, HttpClient, Redirect } from './http-client.ts';
import { isRedirect, nextHop, resolveLocation } from './next-hop.ts';
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
  const { policy, maxRedirects = 20, redirects: onRedirect = 'follow' } = deps;
  const ownRoute = deps.route ?? createDirectRoute({ policy, lookup: createLookup({ policy }) });
  const stack = deps.stack ?? createPlainStack(deps);
  const limits = {
    maxBytes: deps.maxBodyBytes ?? LIMITS.maxPageBytes,
    maxAttempts: deps.maxAttempts ?? 3,
    longBodies: deps.longBodies ?? 'refuse',
    unpacksGzip: deps.unpacksGzip ?? false,
  };
  const decoding = new Semaphore(MAX_DECODING);

  async function fetchPage(request: FetchRequest, signal: AbortSignal): Promise<FetchedPage> {
    const firstHop = startHop(request, policy);
    const cookies = createCookieJar(request.cookies ?? [], firstHop.url);
    using bound = bindDeadline(request.deadlineMs, signal);
    const { clock = startStageClock() } = request;
    await using sender = stack.open(request.route ?? ownRoute);
    const scope = {
      sender,
      cookies,
      clock,
      signal: bound.signal,
      remainingMs: bound.remainingMs,
      limits,
      defaultHeaders: stack.defaultHeaders,
      makeRoom: request.makeRoom,
      decoding,
    };
    try {
      const { redirects, redirectsTo, hop, result } = await follow(firstHop, request, scope);
      return {
        url: request.url,
        finalUrl: hop.url.href,
        redirects,
        ...(redirectsTo && { redirectsTo: redirectsTo.href }),
        statusCode: result.statusCode,
        headers: result.headers,
        body: result.body,
        remoteAddress: result.remoteAddress,
        timings: clock.timings(),
      };
    } catch (error) {
      if (!bound.signal.aborted) throw error;
      throw explainInterruption(bound.signal.reason, firstHop.url, clock);
    }
  }

  async function follow(
    firstHop: Hop,
    { mayFollow }: Pick<FetchRequest, 'mayFollow'>,
    scope: FetchScope,
  ): Promise<FollowedRedirects> {
    const redirects: Redirect[] = [];
    let hop = firstHop;
    for (;;) {
      const from = redirects.at(-1);
      const result = await fetchHop(hop, scope).catch((error) => {
        throw from ? blameRedirect(error, from.url) : error;
      });
      scope.cookies.keep(result.setCookie, hop.url);
      const location = result.headers.location;
      if (onRedirect === 'answer' || !isRedirect(result.statusCode, location))
        return { redirects, hop, result };
      const target = checkLocation(location, hop.url);
      if (mayFollow && !mayFollow(target)) return { redirects, redirectsTo: target, hop, result };
      redirects.push({ url: hop.url.href, statusCode: result.statusCode });
      if (redirects.length > maxRedirects) throw tooManyRedirects(firstHop.url, maxRedirects);
      hop = nextHop(hop, result.statusCode, target);
    }
  }

  function checkLocation(location: string, from: URL): URL {
    const url = resolveLocation(location, from);
    if (url === undefined) {
      throw new AppError('UPSTREAM_ERROR', {
        message: `${quoteUrl(from)} redirects to something that is not a URL.`,
      });
    }
    try {
      return policy.checkUrl(url);
    } catch (error) {
      throw blameRedirect(error, from.href);
    }
  }

  return { fetchPage, close: stack.close };
}

interface FollowedRedirects {
  readonly redirects: readonly Redirect[];
  readonly redirectsTo?: URL;
  readonly hop: Hop;
  readonly result: HopResult;
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

function blameRedirect(error: unknown, from: string): unknown {
  if (!(error instanceof AppError) || error.code !== 'INVALID_URL') return error;
  return new AppError('INVALID_URL', {
    message: `${quoteUrl(from)} redirects to a URL that is not allowed. ${error.message}`,
    suggestion:
      'The site causes this redirect: scrape another page of it, or the public URL where this page ends in a browser. If this service is yours and the target is on a private network, EGRESS_ALLOW can allow it.',
    source: 'target',
    cause: error,
  });
}

function tooManyRedirects(url: URL, maxRedirects: number): AppError {
  return new AppError('UPSTREAM_ERROR', {
    message: `${quoteUrl(url)} redirects more than ${maxRedirects} times, probably in a loop.`,
    suggestion: 'Open the page in a browser and scrape the URL where it ends; it may need cookies.',
  });
}
