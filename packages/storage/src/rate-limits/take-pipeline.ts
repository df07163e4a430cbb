import type { RateLimitVerdict } from './rate-limit-model.ts';

/** One request that asks to be let in. */
export interface RateLimitRequest {
  readonly keyId: string;
  /** Which allowance it counts against. */
  readonly class: string;
  /** Requests at most in any span of `windowMs`. */
  readonly limit: number;
  readonly windowMs: number;
  readonly now: Date;
  /** Given where the requests in flight are bounded too. */
  readonly slot?: SlotRequest;
}

/** A place among at most `max` requests in flight; it comes free at `expiresAt` if nobody frees it. */
export interface SlotRequest {
  readonly operationId: string;
  readonly max: number;
  readonly expiresAt: Date;
}

/** The window is remembered in so many slices: a request counts for the window and at most one slice more. */
const SLICES_PER_WINDOW = 20;

const ALLOWED: RateLimitVerdict = 'allowed';
const OVER_RATE: RateLimitVerdict = 'rate';
const TOO_MANY: RateLimitVerdict = 'concurrency';

/**
 * The update of a rate limit's document that forgets what is over, decides, and counts the request if it is allowed.
 * Lists are walked only where something in them is over: the embedded server pays for each element.
 */
export function takePipeline(request: RateLimitRequest): { $set: object }[] {
  return [
    turnSlice(request),
    forgetWhatIsOver(request),
    decide(request),
    count(request),
    measureRoom(request),
  ];
}

/** The number of the slice that a request falls into. */
export function sliceOf({ windowMs, now }: RateLimitRequest): number {
  return Math.floor((now.getTime() * SLICES_PER_WINDOW) / windowMs);
}

function turnSlice(request: RateLimitRequest) {
  const slice = sliceOf(request);
  // A replica whose clock is behind counts in the newer slice.
  const isOpen = { $gte: ['$open.slice', slice] };
  return {
    $set: {
      open: { $cond: [isOpen, '$open', { slice, lastMs: { $literal: 0 }, count: { $literal: 0 } }] },
      closed: { $cond: [isOpen, '$closed', { $concatArrays: [orEmpty('$closed'), ['$open']] }] },
    },
  };
}

function forgetWhatIsOver({ windowMs, now, slot }: RateLimitRequest) {
  const oldestMs = now.getTime() - windowMs;
  const isCounted = { $gt: ['$$this.lastMs', oldestMs] };
  const isInFlight = { $gt: ['$$this.expiresMs', now.getTime()] };
  const slots = orEmpty('$slots');
  const slotsInFlight = { $filter: { input: slots, cond: isInFlight } };
  return {
    $set: {
      closed: {
        $cond: [
          { $gt: [{ $min: '$closed.lastMs' }, oldestMs] },
          '$closed',
          { $filter: { input: '$closed', cond: isCounted } },
        ],
      },
      slots: slot ? { $cond: [{ $lt: [{ $size: slots }, slot.max] }, slots, slotsInFlight] } : slots,
    },
  };
}

function decide({ limit, slot }: RateLimitRequest) {
  const isOverRate = { $gte: [{ $add: ['$open.count', { $sum: '$closed.count' }] }, limit] };
  const otherwise = slot ? { $cond: [hasNoPlace(slot), TOO_MANY, ALLOWED] } : ALLOWED;
  return { $set: { verdict: { $cond: [isOverRate, OVER_RATE, otherwise] } } };
}

/** An operation that asks again, since the answer got lost, has its place already. */
function hasNoPlace(slot: SlotRequest) {
  return { $and: [{ $gte: [{ $size: '$slots' }, slot.max] }, { $not: [isPlaced(slot)] }] };
}

function isPlaced({ operationId }: SlotRequest) {
  return { $in: [{ $literal: operationId }, '$slots.operationId'] };
}

function count({ windowMs, now, slot }: RateLimitRequest) {
  const nowMs = now.getTime();
  const isAllowed = { $eq: ['$verdict', ALLOWED] };
  const endsMs = Math.max(nowMs + windowMs, slot?.expiresAt.getTime() ?? 0);
  return {
    $set: {
      'open.count': { $add: ['$open.count', { $cond: [isAllowed, 1, 0] }] },
      'open.lastMs': { $cond: [isAllowed, { $max: ['$open.lastMs', nowMs] }, '$open.lastMs'] },
      ...(slot && { slots: withSlot(slot, isAllowed) }),
      expiresAt: { $max: ['$expiresAt', new Date(endsMs)] },
    },
  };
}

/** What is left to `takeAtOnce` while this slice is open. */
function measureRoom({ limit }: RateLimitRequest) {
  const left = { $subtract: [limit, { $add: ['$open.count', { $sum: '$closed.count' }] }] };
  return { $set: { room: { limit, left } } };
}

function withSlot(slot: SlotRequest, isAllowed: object) {
  const taken = { operationId: { $literal: slot.operationId }, expiresMs: slot.expiresAt.getTime() };
  const isNew = { $and: [isAllowed, { $not: [isPlaced(slot)] }] };
  return { $cond: [isNew, { $concatArrays: ['$slots', [taken]] }, '$slots'] };
}

function orEmpty(path: string) {
  return { $ifNull: [path, []] };
}
