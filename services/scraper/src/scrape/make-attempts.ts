import {
  AppError,
  type Attempt,
  type Engine,
  type Failure,
  type ScrapeCommand,
  type ScrapeResult,
  toAppError,
  toFailure,
} from '@gleaner/contracts';
import {
  describeNoProxies,
  isWorthAnotherProxy,
  type ProxyLease,
  type ProxyPools,
  type Route,
} from '@gleaner/egress';
import type { Logger } from '@gleaner/service-kit';
import type { Finding, ProxyChoice } from './scrape.ts';
import { startAttempt } from './start-attempt.ts';

/** What making attempts takes. */
export interface AttemptDeps {
  readonly engine: Engine;
  readonly proxyPools: ProxyPools;
  readonly proxies: ProxyChoice;
  readonly logger: Pick<Logger, 'error'>;
}

/** A page as it was found. */
type FoundPage = Omit<ScrapeResult, 'attempts' | 'price'>;

/** Asks for the page once, by this route, or straight where there is none. Throws why the page is not to be had. */
export type AttemptOnce = (route: Route | undefined) => Promise<FoundPage>;

/** A request that has met so many failing proxies has waited long enough. */
const MAX_PROXIES = 3;

/**
 * Asks for the page of a request: once, or through one proxy of its country after the other as long as it is the proxy that
 * fails. An attempt keeps to its proxy. Failures come back as findings, never thrown; faults of ours are logged.
 */
export async function makeAttempts(
  { requestId, request }: ScrapeCommand,
  deps: AttemptDeps,
  attemptOnce: AttemptOnce,
): Promise<Finding> {
  const attempts: Attempt[] = [];
  let lease = leaseFor(request, attempts, deps);
  if (request.proxy !== undefined && !lease) {
    return { ok: false, failure: toFailure(noProxies(deps.proxyPools.countries)), attempts };
  }
  for (;;) {
    const outcome = await makeAttempt(lease, { ...deps, requestId }, attemptOnce);
    attempts.push(outcome.attempt);
    if ('page' in outcome) return { ok: true, result: { ...outcome.page, attempts } };
    const { error } = outcome;
    const isOver = !lease || attempts.length >= MAX_PROXIES || !isWorthAnotherProxy(error);
    lease = isOver ? undefined : leaseFor(request, attempts, deps);
    if (!lease) return { ok: false, failure: tellOfAll(error, attempts), attempts };
  }
}

function leaseFor(
  { proxy: country, url }: ScrapeCommand['request'],
  attempts: readonly Attempt[],
  { proxyPools, proxies }: AttemptDeps,
): ProxyLease | undefined {
  if (country === undefined) return undefined;
  const except = [...proxies.except, ...attempts.flatMap(({ proxy }) => proxy ?? [])];
  const target = URL.parse(url)?.host ?? '';
  return proxyPools.lease(country, { target, except, prefer: proxies.prefer });
}

type Outcome = { readonly attempt: Attempt } & ({ readonly page: FoundPage } | { readonly error: AppError });

async function makeAttempt(
  lease: ProxyLease | undefined,
  { engine, logger, requestId }: AttemptDeps & Pick<ScrapeCommand, 'requestId'>,
  attemptOnce: AttemptOnce,
): Promise<Outcome> {
  const clock = startAttempt(engine, lease?.name);
  try {
    const page = await attemptOnce(lease?.route);
    lease?.succeeded();
    return { page, attempt: clock.succeeded(page.statusCode) };
  } catch (thrown) {
    lease?.failed(thrown);
    const error = toAppError(thrown);
    if (error.code === 'INTERNAL_ERROR')
      logger.error({ err: thrown, requestId }, 'An attempt at a page failed.');
    return { error, attempt: clock.failed(error) };
  }
}

/** The last failure; after several proxies it says that there were several. */
function tellOfAll(error: AppError, attempts: readonly Attempt[]): Failure {
  const failure = toFailure(error);
  if (attempts.length === 1) return failure;
  return { ...failure, message: `${attempts.length} proxies were tried; the last: ${failure.message}` };
}

function noProxies(countries: readonly string[]): AppError {
  const message = describeNoProxies(countries);
  return new AppError('INVALID_REQUEST', {
    message: `proxy ${message}.`,
    details: [{ path: 'proxy', message }],
  });
}
