import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError, type RateLimitClass } from '@gleaner/contracts';
import type { RateLimitDecision, RateLimitRequest, Stores } from '@gleaner/storage';
import type { Headroom } from '../admission/headroom.ts';
import { type HeldSlots, SLOT_LEASE_MS } from '../admission/held-slots.ts';
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

type SlotRequest = NonNullable<RateLimitRequest['slot']>;

/** Collaborators of the stage. */
export interface LimitRateDeps {
  readonly rateLimits: Stores['rateLimits'];
  readonly headroom: Headroom;
  readonly heldSlots: HeldSlots;
  readonly slotReleases: SlotReleases;
  readonly allowances: Allowances;
}

/**
 * Counts the call against its key's allowance and says what is left of it; throws RATE_LIMITED. A scrape of a key that has
 * used little goes on meanwhile: it is `admission` that refuses it then.
 */
export function limitRate(rateLimit: RateLimitClass, deps: LimitRateDeps): Stage {
  return async (_request, response, next) => {
    const { call } = response.locals;
    const { keyId } = expectSet(call.caller, 'caller');
    const runsAhead = rateLimit === 'scrape' && deps.headroom.isAmple(keyId);
    call.admission = count(response, rateLimit, { ...deps, begin: runsAhead ? afterCommand : atOnce });
    if (runsAhead) call.admission.catch(() => {});
    else await call.admission;
    next();
  };
}

/** When a call is counted. */
type Begin = <Count>(take: () => Promise<Count>) => Promise<Count>;

const atOnce: Begin = (take) => take();

/**
 * Behind the command that the call is about to send: it is published within this turn of the event loop, and amqplib writes
 * it in the next. Were the count before it, a scrape would wait until a busy database has it.
 */
const afterCommand: Begin = async (take) => {
  await nextTurn();
  await nextTurn();
  return await take();
};

async function count(
  response: Answer,
  rateLimit: RateLimitClass,
  deps: LimitRateDeps & { readonly begin: Begin },
): Promise<void> {
  const { rateLimits, headroom, allowances, begin } = deps;
  const { call } = response.locals;
  const { keyId } = expectSet(call.caller, 'caller');
  const slot = rateLimit === 'scrape' ? slotFor(call, allowances) : undefined;
  const counting = begin(() =>
    rateLimits.takeFromRateLimit({
      keyId,
      class: rateLimit,
      limit: allowances.perWindow[rateLimit],
      windowMs: allowances.windowMs,
      now: new Date(call.arrivedAtMs),
      ...(slot && { slot }),
    }),
  );
  const decision = await (slot ? headroom.watch(keyId, counting) : counting);
  setHeaders(response, decision);
  if (!decision.isAllowed) throw rateLimited(decision, rateLimit, allowances);
  if (slot) holdToTheEnd(slot, response, keyId, deps);
}

function slotFor({ id, arrivedAtMs }: Call, { scrapesInFlight }: Allowances): SlotRequest {
  return { operationId: id, max: scrapesInFlight, expiresAt: new Date(arrivedAtMs + SLOT_LEASE_MS) };
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

function holdToTheEnd(
  { operationId, expiresAt }: SlotRequest,
  response: Answer,
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
