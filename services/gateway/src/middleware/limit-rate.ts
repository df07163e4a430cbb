import { AppError, LIMITS, type RateLimitClass } from '@gleaner/contracts';
import type { RateLimitDecision, Stores } from '@gleaner/storage';
import type { Headroom } from '../admission/headroom.ts';
import type { SlotReleases } from '../admission/slot-releases.ts';
import { type Answer, type Call, expectSet, type Stage } from '../call.ts';

/** How much one key may do; the same on every replica. */
export interface Allowances {
  /** Calls a window, by class. */
  readonly perWindow: Readonly<Record<RateLimitClass, number>>;
  readonly windowMs: number;
  /** Scrapes in flight at once. */
  readonly scrapesInFlight: number;
}

/** Collaborators of the stage. */
export interface LimitRateDeps {
  readonly rateLimits: Stores['rateLimits'];
  readonly headroom: Headroom;
  readonly slots: SlotReleases;
  readonly allowances: Allowances;
}

/** The slot of a gateway that was killed comes free when its scrape must be over, and a little later. */
const SLOT_LIFETIME_MS = LIMITS.maxTimeoutMs + 10_000;

/**
 * Counts the call against its key's allowance and says what is left of it; throws RATE_LIMITED. A scrape of a key that has
 * used little goes on meanwhile: it is `admission` that refuses it then.
 */
export function limitRate(rateLimit: RateLimitClass, deps: LimitRateDeps): Stage {
  return async (_request, response, next) => {
    const { call } = response.locals;
    const { keyId } = expectSet(call.caller, 'caller');
    const runsAhead = rateLimit === 'scrape' && deps.headroom.isAmple(keyId);
    call.admission = count(response, rateLimit, deps);
    if (runsAhead) call.admission.catch(() => {});
    else await call.admission;
    next();
  };
}

async function count(response: Answer, rateLimit: RateLimitClass, deps: LimitRateDeps): Promise<void> {
  const { rateLimits, headroom, slots, allowances } = deps;
  const { call } = response.locals;
  const { keyId } = expectSet(call.caller, 'caller');
  const takesSlot = rateLimit === 'scrape';
  const counting = rateLimits.takeFromRateLimit({
    keyId,
    class: rateLimit,
    limit: allowances.perWindow[rateLimit],
    windowMs: allowances.windowMs,
    now: new Date(call.arrivedAtMs),
    ...(takesSlot && { slot: slotFor(call, allowances) }),
  });
  const decision = await (takesSlot ? headroom.watch(keyId, counting) : counting);
  setHeaders(response, decision);
  if (!decision.isAllowed) throw rateLimited(decision, rateLimit, allowances);
  if (takesSlot) freeSlotAtTheEnd(response, keyId, slots);
}

function slotFor({ id, arrivedAtMs }: Call, { scrapesInFlight }: Allowances) {
  return { operationId: id, max: scrapesInFlight, expiresAt: new Date(arrivedAtMs + SLOT_LIFETIME_MS) };
}

function setHeaders(response: Answer, { limit, remaining, resetSeconds }: RateLimitDecision): void {
  response.setHeader('RateLimit-Limit', limit);
  response.setHeader('RateLimit-Remaining', remaining);
  response.setHeader('RateLimit-Reset', resetSeconds);
}

function rateLimited(
  { refusedBy, limit, retryAfterSeconds }: RateLimitDecision,
  rateLimit: RateLimitClass,
  { windowMs, scrapesInFlight }: Allowances,
): AppError {
  const message =
    refusedBy === 'concurrency'
      ? `The API key has ${scrapesInFlight} scrapes in flight already.`
      : `The API key has made its ${limit} ${NOUNS[rateLimit]} of ${windowMs / 1000} seconds.`;
  return new AppError('RATE_LIMITED', { message, retryAfterSeconds });
}

const NOUNS: Readonly<Record<RateLimitClass, string>> = {
  scrape: 'scrapes',
  create: 'creating calls',
  read: 'reading calls',
};

function freeSlotAtTheEnd(response: Answer, keyId: string, slots: SlotReleases): void {
  const { id, signal } = response.locals.call;
  const free = () => slots.add(keyId, id);
  if (signal.aborted) free();
  else response.once('close', free);
}
