import type { Database } from '../database/connect-database.ts';
import { WRITE_CONCERNS } from '../database/connection-options.ts';
import { guarded } from '../database/guarded.ts';
import { driverCollection } from '../database/models.ts';
import { isDuplicateKey } from '../database/translate-error.ts';
import type { RateLimitDocument } from './rate-limit-model.ts';
import { takeAtOnce } from './take-at-once.ts';
import { type RateLimitRequest, takePipeline } from './take-pipeline.ts';

/** Whether a request may go on, and what the RateLimit-* and Retry-After headers say. */
export interface RateLimitDecision {
  readonly isAllowed: boolean;
  /** What stood in the way: the requests of the window, or those in flight. */
  readonly refusedBy: 'rate' | 'concurrency' | null;
  readonly limit: number;
  readonly remaining: number;
  /** Slots that are taken, expired ones that nobody had to look for included. */
  readonly inFlight: number;
  /** Seconds until the oldest requests of the window stop counting; 0 when none counts. */
  readonly resetSeconds: number;
  /** Seconds after which a refused request may be tried again; 0 when it is allowed. */
  readonly retryAfterSeconds: number;
}

export type RateLimitStore = ReturnType<typeof createRateLimitStore>;

/** Rate limits and requests in flight per key, shared by all replicas. */
export function createRateLimitStore({ models: { rateLimits } }: Pick<Database, 'models'>) {
  const collection = driverCollection(rateLimits);

  function tryAtOnce(request: RateLimitRequest) {
    const { filter, update } = takeAtOnce(request);
    return collection.findOneAndUpdate({ _id: documentId(request), ...filter }, update, {
      returnDocument: 'after',
      writeConcern: WRITE_CONCERNS.counter,
    });
  }

  function take(request: RateLimitRequest) {
    return collection.findOneAndUpdate({ _id: documentId(request) }, takePipeline(request), {
      upsert: true,
      returnDocument: 'after',
      writeConcern: WRITE_CONCERNS.counter,
    });
  }

  return guarded({
    /**
     * Counts a request, and takes its slot, if both allow it; a refused one counts nothing. One round trip, and another
     * one for the first request of a slice or where the limit is near.
     */
    async takeFromRateLimit(request: RateLimitRequest): Promise<RateLimitDecision> {
      const document =
        (await tryAtOnce(request)) ??
        (await take(request).catch((error: unknown) => {
          // Two replicas made the document at once; it is there now.
          if (isDuplicateKey(error)) return take(request);
          throw error;
        }));
      if (!document) throw new Error(`An upsert of the rate limit ${documentId(request)} returned nothing`);
      return toDecision(document, request);
    },

    /** Has the slots of operations expire later. Those that were freed, or given to another one, stay so. */
    async extendSlots({
      keyId,
      class: rateLimitClass,
      operationIds,
      expiresAt,
    }: ExtendedSlots): Promise<void> {
      await collection.updateOne(
        { _id: documentId({ keyId, class: rateLimitClass }) },
        { $max: { 'slots.$[extended].expiresMs': expiresAt.getTime(), expiresAt } },
        {
          arrayFilters: [{ 'extended.operationId': { $in: operationIds } }],
          writeConcern: WRITE_CONCERNS.counter,
        },
      );
    },

    /** Frees the slots of operations; once more changes nothing. */
    async freeSlots({ keyId, class: rateLimitClass, operationIds }: FreedSlots): Promise<void> {
      await collection.updateOne(
        { _id: documentId({ keyId, class: rateLimitClass }) },
        { $pull: { slots: { operationId: { $in: operationIds } } } },
        { writeConcern: WRITE_CONCERNS.counter },
      );
    },
  });
}

/** Whose slots are freed. */
interface FreedSlots {
  readonly keyId: string;
  readonly class: string;
  readonly operationIds: readonly string[];
}

interface ExtendedSlots extends FreedSlots {
  readonly expiresAt: Date;
}

function documentId(request: Pick<RateLimitRequest, 'keyId' | 'class'>): string {
  return `${request.keyId}:${request.class}`;
}

function toDecision(
  document: RateLimitDocument,
  { limit, windowMs, now }: RateLimitRequest,
): RateLimitDecision {
  const { open, closed, slots, verdict } = document;
  const oldestMs = now.getTime() - windowMs;
  const counted = [open, ...closed].filter(({ count, lastMs }) => count > 0 && lastMs > oldestMs);
  const used = counted.reduce((sum, { count }) => sum + count, 0);
  const freeAtMs = Math.min(...counted.map(({ lastMs }) => lastMs)) + windowMs;
  const resetSeconds = counted.length > 0 ? Math.max(1, Math.ceil((freeAtMs - now.getTime()) / 1000)) : 0;
  return {
    isAllowed: verdict === 'allowed',
    refusedBy: verdict === 'allowed' ? null : verdict,
    limit,
    remaining: Math.max(0, limit - used),
    inFlight: slots.length,
    resetSeconds,
    retryAfterSeconds: { allowed: 0, rate: resetSeconds, concurrency: 1 }[verdict],
  };
}
