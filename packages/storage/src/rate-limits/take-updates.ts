import type { RateLimitVerdict } from './rate-limit-model.ts';

/** Request to count and to allow or reject. */
export interface RateLimitRequest {
  readonly keyId: string;
  /** Allowance that the request counts against. */
  readonly class: string;
  /** Maximum number of requests in any span of `windowMs`. */
  readonly limit: number;
  readonly windowMs: number;
  readonly now: Date;
  /** Set if requests in flight are limited, too. */
  readonly slot?: SlotRequest;
}

/** Slot among at most `max` requests in flight; it expires at `expiresAt` unless it is freed before. */
export interface SlotRequest {
  readonly operationId: string;
  readonly max: number;
  readonly expiresAt: Date;
}

/** Requests are counted by slice, so each counts for the window and at most one more slice. */
const SLICES_PER_WINDOW = 20;

const ALLOWED: RateLimitVerdict = 'allowed';
const OVER_RATE: RateLimitVerdict = 'rate';
const TOO_MANY: RateLimitVerdict = 'concurrency';

/** Returns whether `openSliceUpdate` may count the requests together: they differ in their times within a slice, and in their operations. */
export function canShareUpdate(requests: readonly RateLimitRequest[]): boolean {
  const [first] = requests;
  if (!first) return false;
  const { limit, windowMs, slot } = first;
  const isAlike = (request: RateLimitRequest) =>
    request.limit === limit &&
    request.windowMs === windowMs &&
    sliceOf(request) === sliceOf(first) &&
    request.slot?.max === slot?.max;
  const operations = new Set(requests.map((request) => request.slot?.operationId));
  const fitsSlots = !slot || (operations.size === requests.length && requests.length <= slot.max);
  return fitsSlots && requests.every(isAlike);
}

/**
 * Returns the filter and update of the ordinary case, in plain operators, which cost a fraction of the pipeline: the slice
 * is open, and had room for these requests when it was opened. The filter matches nothing else; the pipeline decides then.
 */
export function openSliceUpdate(requests: readonly [RateLimitRequest, ...RateLimitRequest[]]) {
  const [first] = requests;
  const slots = requests.flatMap(({ slot }) => slot ?? []);
  const nowMs = Math.max(...requests.map(({ now }) => now.getTime()));
  const endsMs = Math.max(nowMs + first.windowMs, ...slots.map(({ expiresAt }) => expiresAt.getTime()));
  const taken = slots.map(({ operationId, expiresAt }) => ({ operationId, expiresMs: expiresAt.getTime() }));
  return {
    filter: {
      'open.slice': sliceOf(first),
      'room.limit': first.limit,
      'room.left': { $gte: requests.length },
      ...(first.slot && {
        // Enough slots are left, counting expired ones as occupied, and none belongs to these operations.
        [`slots.${first.slot.max - requests.length}`]: { $exists: false },
        'slots.operationId': { $nin: slots.map(({ operationId }) => operationId) },
      }),
    },
    update: {
      $inc: { 'open.count': requests.length, 'room.left': -requests.length },
      $max: { 'open.lastMs': nowMs, expiresAt: new Date(endsMs) },
      $set: { verdict: 'allowed' as const },
      ...(first.slot && { $push: { slots: { $each: taken } } }),
    },
  };
}

/**
 * Returns the update that forgets expired slices and slots, decides, and counts the request if it is allowed. Lists are
 * walked only where an element has expired: the embedded server pays for each element.
 */
export function takePipeline(request: RateLimitRequest): { $set: object }[] {
  return [turnSlice(request), dropExpired(request), decide(request), count(request), measureRoom(request)];
}

/** Returns the update that moves the ends of slots forward, never back. */
export function extendPipeline(operationIds: readonly string[], expiresAt: Date): { $set: object }[] {
  const isExtended = { $in: ['$$this.operationId', { $literal: operationIds }] };
  const later = { $max: ['$$this.expiresMs', expiresAt.getTime()] };
  const extended = {
    operationId: '$$this.operationId',
    expiresMs: { $cond: [isExtended, later, '$$this.expiresMs'] },
  };
  const slots = { $map: { input: '$slots', in: extended } };
  return [{ $set: { slots, expiresAt: { $max: ['$expiresAt', expiresAt] } } }];
}

/** Returns the times after and until which requests count: later ones are of a clock that was set back since. */
export function countedTimes({ windowMs, now }: Pick<RateLimitRequest, 'windowMs' | 'now'>) {
  return { oldestMs: now.getTime() - windowMs, newestMs: now.getTime() + windowMs };
}

/** Returns the number of the slice that a request falls into. */
export function sliceOf({ windowMs, now }: RateLimitRequest): number {
  return Math.floor((now.getTime() * SLICES_PER_WINDOW) / windowMs);
}

function turnSlice(request: RateLimitRequest) {
  const slice = sliceOf(request);
  // A replica whose clock is behind counts in the newer slice; one of a clock that was set back counts nothing any more.
  const isOpen = {
    $and: [{ $gte: ['$open.slice', slice] }, { $lte: ['$open.slice', slice + SLICES_PER_WINDOW] }],
  };
  return {
    $set: {
      open: { $cond: [isOpen, '$open', { slice, lastMs: { $literal: 0 }, count: { $literal: 0 } }] },
      closed: { $cond: [isOpen, '$closed', { $concatArrays: [orEmpty('$closed'), ['$open']] }] },
    },
  };
}

function dropExpired({ windowMs, now, slot }: RateLimitRequest) {
  const { oldestMs, newestMs } = countedTimes({ windowMs, now });
  const isCounted = {
    $and: [{ $gt: ['$$this.lastMs', oldestMs] }, { $lte: ['$$this.lastMs', newestMs] }],
  };
  const isInFlight = { $gt: ['$$this.expiresMs', now.getTime()] };
  const slots = orEmpty('$slots');
  const slotsInFlight = { $filter: { input: slots, cond: isInFlight } };
  return {
    $set: {
      closed: {
        $cond: [
          {
            $and: [
              { $gt: [{ $min: '$closed.lastMs' }, oldestMs] },
              { $lte: [{ $max: '$closed.lastMs' }, newestMs] },
            ],
          },
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
  const otherwise = slot ? { $cond: [hasNoSlotLeft(slot), TOO_MANY, ALLOWED] } : ALLOWED;
  return { $set: { verdict: { $cond: [isOverRate, OVER_RATE, otherwise] } } };
}

/** Returns whether no slot is left; an operation that asks again because the answer was lost has its slot already. */
function hasNoSlotLeft(slot: SlotRequest) {
  return { $and: [{ $gte: [{ $size: '$slots' }, slot.max] }, { $not: [hasSlot(slot)] }] };
}

function hasSlot({ operationId }: SlotRequest) {
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

/** Stores how many requests `openSliceUpdate` may still allow while this slice is open. */
function measureRoom({ limit }: RateLimitRequest) {
  const left = { $subtract: [limit, { $add: ['$open.count', { $sum: '$closed.count' }] }] };
  return { $set: { room: { limit, left } } };
}

function withSlot(slot: SlotRequest, isAllowed: object) {
  const taken = { operationId: { $literal: slot.operationId }, expiresMs: slot.expiresAt.getTime() };
  const isNew = { $and: [isAllowed, { $not: [hasSlot(slot)] }] };
  return { $cond: [isNew, { $concatArrays: ['$slots', [taken]] }, '$slots'] };
}

function orEmpty(path: string) {
  return { $ifNull: [path, []] };
}
