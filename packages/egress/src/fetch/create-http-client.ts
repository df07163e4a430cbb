import { AppError, LIMITS } from '@gleaner/contracts';
import type { Carrier } from '../carrier/carrier.ts';
import { createPlainCarrier } from '../carrier/create-plain-carrier.ts';
import { createLookup } from '../dns/create-lookup.ts';
import type { EgressPolicy } from '../policy/create-egress-policy.ts';
import { createCookieJar } from '../request/create-cookie-jar.ts';
import { findHeaderFaults } from '../request/find-header-faults.ts';
import { createDirectRoute } from '../route/create-direct-route.ts';
import type { Route } from '../route/route.ts';
import { bindDeadline, explainInterruption } from './bind-deadline.ts';
import { type FetchScope, fetchHop, type HopResult } from './fetch-hop.ts';
import type { FetchedPage, FetchRequest, HttpClient, Redirect } from './http-client.ts';
import { type Hop, isRedirect, nextHop, resolveLocation } from './next-hop.ts';
import { Semaphore } from './semaphore.ts';
import { startStageClock } from './stage-clock.ts';

/** What a client needs; all but the policy has defaults. */
export interface HttpClientDeps {
  readonly policy: EgressPolicy;
  /** The way out; straight to the target unless given. */
  readonly route?: Route;
  readonly userAgent?: string;
  /** What speaks TLS and HTTP; one that says who we are unless given. */
  readonly carrier?: Carrier;
  readonly maxBodyBytes?: number;
  /** Default 20, as browsers follow (https://fetch.spec.whatwg.org/#concept-http-redirect-fetch). */
  readonly maxRedirects?: number;
  /** What becomes of a redirect: it is followed (the default), or it is the answer. */
  readonly redirects?: 'follow' | 'answer';
  /** What becomes of a body over the cap: it is refused (the default), or it ends there. */
  readonly longBodies?: 'refuse' | 'cut';
  /** How often a hop is tried in all. */
  readonly maxAttempts?: number;
  /** PEM certificates to trust instead of the usual authorities. */
  readonly certificateAuthorities?: readonly string[];
}

/** Bodies that are decompressed at once; more would take turns on the same cores. */
const MAX_DECODING = 2;

/** Builds a client; close it to let its connections go. */
export function createHttpClient(deps: HttpClientDeps): HttpClient {
  const { policy, maxRedirects = 20, redirects: onRedirect = 'follow' } = deps;
  const ownRoute = deps.route ?? createDirectRoute({ policy, lookup: createLookup({ policy }) });
  const carrier = deps.carrier ?? createPlainCarrier(deps);
  const limits = {
    maxBytes: deps.maxBodyBytes ?? LIMITS.maxPageBytes,
    maxAttempts: deps.maxAttempts ?? 3,
    longBodies: deps.longBodies ?? 'refuse',
  };
  const decoding = new Semaphore(MAX_DECODING);

  async function fetchPage(request: FetchRequest, signal: AbortSignal): Promise<FetchedPage> {
    const firstHop = startHop(request, policy);
    const cookies = createCookieJar(request.cookies ?? [], firstHop.url);
    using bound = bindDeadline(request.deadlineMs, signal);
    const clock = startStageClock();
    await using carriage = carrier.open(request.route ?? ownRoute);
    const scope = {
      carriage,
      cookies,
      clock,
      signal: bound.signal,
      remainingMs: bound.remainingMs,
      limits,
      defaultHeaders: carrier.defaultHeaders,
      makeRoom: request.makeRoom,
      decoding,
    };
    try {
      const { redirects, hop, result } = await follow(firstHop, scope);
      return {
        url: request.url,
        finalUrl: hop.url.href,
        redirects,
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

  async function follow(firstHop: Hop, scope: FetchScope): Promise<Journey> {
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
      redirects.push({ url: hop.url.href, statusCode: result.statusCode });
      if (redirects.length > maxRedirects) throw tooManyRedirects(firstHop.url, maxRedirects);
      hop = nextHop(hop, result.statusCode, checkLocation(location, hop.url));
    }
  }

  function checkLocation(location: string, from: URL): URL {
    const url = resolveLocation(location, from);
    if (url === undefined) {
      throw new AppError('UPSTREAM_ERROR', {
        message: `${from.host} redirects to something that is not a URL.`,
      });
    }
    try {
      return policy.checkUrl(url);
    } catch (error) {
      throw blameRedirect(error, from.href);
    }
  }

  return { fetchPage, close: carrier.close };
}

interface Journey {
  readonly redirects: readonly Redirect[];
  readonly hop: Hop;
  readonly result: HopResult;
}

function startHop(request: FetchRequest, policy: EgressPolicy): Hop {
  const url = policy.checkUrl(request.url);
  const headers = request.headers ?? {};
  const details = findHeaderFaults(headers, { hasCookies: request.cookies !== undefined });
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
    message: `${new URL(from).host} redirects to a URL that is refused. ${error.message}`,
    suggestion:
      'It is the site that sends requests there: give another page of it, or the public URL where this one ends in a browser. If this service is yours, EGRESS_ALLOW can open hosts, networks and ports.',
    source: 'target',
    cause: error,
  });
}

function tooManyRedirects(url: URL, maxRedirects: number): AppError {
  return new AppError('UPSTREAM_ERROR', {
    message: `${url.host} redirects more than ${maxRedirects} times, probably in a loop.`,
    suggestion: 'Open the page in a browser and give the URL where it ends; it may need cookies.',
  });
}
