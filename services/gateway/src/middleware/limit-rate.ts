import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError, defined, type RateLimitClass, type RouteDefinition } from '@gleaner/contracts';
import type { RateLimitDecision, RateLimitRequest, Stores } from '@gleaner/storage';
import type { Headroom } from '../admission/headroom.ts';
import { type HeldSlots, SLOT_LEASE_MS, type SlotReleases } from '../admission/slots.ts';
import type { Caller } from '../authentication.ts';
import { type Call, expectSet, type Response, type Stage } from '../call.ts';

/** Limits of one key, shared by all replicas. */
export interface Allowances {
  /** Calls per window, by class. */
  readonly perWindow: Readonly<Record<RateLimitClass, number>>;
  readonly windowMs: number;
  /** Scrapes in flight at once. */
  readonly scrapesInFlight: number;
}

type SlotRequest = NonNullable<RateLimitRequest['slot']>;

/** Collaborators of the stage. */
export interface LimitRateDeps {
  readonly clock: Stores['clock'];
  readonly rateLimits: Stores['rateLimits'];
  readonly headroom: Headroom;
  readonly heldSlots: HeldSlots;
  readonly slotReleases: SlotReleases;
  readonly allowances: Allowances;
}

/**
 * Counts the call against the limits of its key and sets the RateLimit headers. Throws RATE_LIMITED. A scrape of a key that
 * has used little of its limit continues while it is counted; an error then arrives through `admission`.
 */
export function limitRate(route: LimitedRoute, deps: LimitRateDeps): Stage {
  return async (request, response, next) => {
    const { call } = response.locals;
    const rateLimit = rateLimitOf(route, request.url);
    const { keyId } = expectSet(call.caller, 'caller');
    const runsAhead = rateLimit === 'scrape' && deps.headroom.isAmple(keyId);
    call.admission = count(response, rateLimit, { ...deps, begin: runsAhead ? afterCommand : atOnce });
    if (runsAhead) call.admission.catch(() => {});
    else await call.admission;
    next();
  };
}

type LimitedRoute = Pick<RouteDefinition, 'rateLimit' | 'rateLimitWith'>;

/** Returns the limit of a call: that of a parameter of its query, or of the route. */
function rateLimitOf({ rateLimit, rateLimitWith = {} }: LimitedRoute, target: string): RateLimitClass {
  const named = Object.entries(rateLimitWith);
  if (named.length === 0) return rateLimit;
  const query = new URLSearchParams(target.split('?', 2)[1]);
  return named.find(([name]) => query.getAll(name).includes('true'))?.[1] ?? rateLimit;
}

/** Counts the call, whose caller is known, as `limitRate` does. Throws RATE_LIMITED. */
export async function countCall(
  response: Response,
  rateLimit: RateLimitClass,
  deps: LimitRateDeps,
): Promise<void> {
  await count(response, rateLimit, { ...deps, begin: atOnce });
}

/** Starts the count of a call, now or later. */
type Begin = <Count>(take: () => Promise<Count>) => Promise<Count>;

const atOnce: Begin = (take) => take();

/**
 * Starts the count after the command of the scrape was written: the command is published in this turn of the event loop and
 * amqplib writes it in the next (docs/decisions/patches.md). Counted first, a scrape would wait for a busy database.
 */
const afterCommand: Begin = async (take) => {
  await nextTurn();
  await nextTurn();
  return await take();
};

async function count(
  response: Response,
  rateLimit: RateLimitClass,
  deps: LimitRateDeps & { readonly begin: Begin },
): Promise<void> {
  const { clock, rateLimits, headroom, slotReleases, allowances, begin } = deps;
  const { call } = response.locals;
  const { keyId, holder } = expectSet(call.caller, 'caller');
  const now = clock.now();
  const slot = rateLimit === 'scrape' ? slotFor(call, now, allowances) : undefined;
  const request: RateLimitRequest = {
    keyId,
    class: rateLimit,
    limit: allowances.perWindow[rateLimit],
    windowMs: allowances.windowMs,
    now,
    ...defined({ slot }),
  };
  const take = (start: Begin) => {
    const counting = start(() => rateLimits.takeFromRateLimit(request));
    return slot ? headroom.watch(keyId, counting) : counting;
  };
  let decision = await take(begin);
  // The caller may have the answers of scrapes whose slots are still being freed.
  if (decision.refusedBy === 'concurrency' && (await slotReleases.settle(keyId)))
    decision = await take(atOnce);
  setHeaders(response, decision, rateLimit, allowances);
  if (!decision.isAllowed) throw rateLimited(decision, { rateLimit, holder }, allowances);
  if (slot) holdUntilClose(slot, response, keyId, deps);
}

function slotFor({ id }: Call, now: Date, { scrapesInFlight }: Allowances): SlotRequest {
  return { operationId: id, max: scrapesInFlight, expiresAt: new Date(now.getTime() + SLOT_LEASE_MS) };
}

/** Sets the headers of the early drafts and of draft-ietf-httpapi-ratelimit-headers-11. */
function setHeaders(
  response: Response,
  { limit, remaining, resetSeconds }: RateLimitDecision,
  rateLimit: RateLimitClass,
  { windowMs }: Allowances,
): void {
  response.setHeader('RateLimit-Limit', limit);
  response.setHeader('RateLimit-Remaining', remaining);
  response.setHeader('RateLimit-Reset', resetSeconds);
  response.setHeader('RateLimit-Policy', `"${rateLimit}";q=${limit};w=${Math.ceil(windowMs / 1000)}`);
  response.setHeader('RateLimit', `"${rateLimit}";r=${remaining};t=${resetSeconds}`);
}

function rateLimited(
  { refusedBy, limit, retryAfterSeconds }: RateLimitDecision,
  { rateLimit, holder }: Pick<RouteDefinition, 'rateLimit'> & Pick<Caller, 'holder'>,
  { windowMs, scrapesInFlight }: Allowances,
): AppError {
  const message =
    refusedBy === 'concurrency'
      ? `The ${holder} has ${scrapesInFlight} scrapes in flight, which is its limit.`
      : `The ${holder} has reached its limit of ${limit} ${NOUNS[rateLimit]} per ${windowMs / 1000} seconds.`;
  return new AppError('RATE_LIMITED', { message, retryAfterSeconds });
}

const NOUNS: Readonly<Record<RateLimitClass, string>> = {
  scrape: 'scrapes',
  create: 'requests that create or change something',
  read: 'read requests',
  extract: 'extractions',
};

function holdUntilClose(
  { operationId, expiresAt }: SlotRequest,
  response: Response,
  keyId: string,
  { heldSlots, slotReleases }: Pick<LimitRateDeps, 'heldSlots' | 'slotReleases'>,
): void {
  heldSlots.add(keyId, operationId, expiresAt.getTime());
  const free = () => {
    heldSlots.drop(keyId, operationId);
    slotReleases.add(keyId, operationId);
  };
  if (response.locals.call.signal.aborted) free();
  else response.once('close', free);
}
