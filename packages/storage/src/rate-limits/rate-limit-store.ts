import { WRITE_CONCERNS } from '../database/connection-options.ts';
import { inGroups } from '../database/in-groups.ts';
import { isDuplicateKey } from '../database/translate-error.ts';
import type { DriverCollection } from '../document-schema.ts';
import type { RateLimitDocument } from './rate-limit-model.ts';
import {
  canShareUpdate,
  countedTimes,
  extendPipeline,
  openSliceUpdate,
  type RateLimitRequest,
  takePipeline,
} from './take-updates.ts';

/** Decision on a request, with the values of the RateLimit-* and Retry-After headers. */
export interface RateLimitDecision {
  readonly isAllowed: boolean;
  /** Exceeded limit: requests in the window, or requests in flight. */
  readonly refusedBy: 'rate' | 'concurrency' | null;
  readonly limit: number;
  readonly remaining: number;
  /** Occupied slots, including expired ones that have not been removed yet. */
  readonly inFlight: number;
  /** Seconds until the oldest requests of the window stop counting; 0 if none counts. */
  readonly resetSeconds: number;
  /** Seconds after which a rejected request may be retried; 0 if it is allowed. */
  readonly retryAfterSeconds: number;
}

/** Store of rate limits and requests in flight per key, which all replicas share. */
export class RateLimitStore {
  readonly #collection: DriverCollection<RateLimitDocument>;
  readonly #change = inGroups<SlotChange, RateLimitDecision | undefined>(
    ({ taken, freed }) => documentId(taken ?? freed),
    (changes) => this.#changeTogether(changes),
  );

  constructor(collection: DriverCollection<RateLimitDocument>) {
    this.#collection = collection;
  }

  /**
   * Counts a request and occupies its slot if both limits allow it; a rejected request counts nothing. Takes one
   * round trip, shared with requests of the same key and class that come while an earlier one is counted, and a second
   * one for the first request of a slice or close to the limit.
   */
  async takeFromRateLimit(request: RateLimitRequest): Promise<RateLimitDecision> {
    const decision = await this.#change({ taken: request });
    if (!decision) throw new Error(`A request of ${documentId(request)} was not decided`);
    return decision;
  }

  /** Extends the slots of operations. Slots that were freed, or given to another operation, stay as they are. */
  async extendSlots({ keyId, class: rateLimitClass, operationIds, expiresAt }: ExtendedSlots): Promise<void> {
    await this.#collection.updateOne(
      { _id: documentId({ keyId, class: rateLimitClass }) },
      extendPipeline(operationIds, expiresAt),
      { writeConcern: WRITE_CONCERNS.counter },
    );
  }

  /** Frees the slots of operations; idempotent. Shares its round trip as `takeFromRateLimit` does. */
  async freeSlots(freed: FreedSlots): Promise<void> {
    await this.#change({ freed });
  }

  /** Frees slots before it counts requests: the caller of a finished scrape may ask for the next one already. */
  async #changeTogether(changes: readonly SlotChange[]) {
    const freeing = this.#freeTogether(changes.flatMap(({ freed }) => freed ?? []));
    const taking = this.#takeTogether(changes.flatMap(({ taken }) => taken ?? []));
    // A request that is counted alone may be refused by the database while slots are still freed.
    taking.then((decisions) => Promise.allSettled(decisions)).catch(() => {});
    await Promise.allSettled([freeing, taking]);
    let index = 0;
    const nextDecision = async (at: number) => (await taking)[at];
    return changes.map(({ taken }) => (taken ? nextDecision(index++) : freeing.then(() => undefined)));
  }

  /** Counts all of the requests, which have one key and class, or none: then null. */
  #takeFromOpenSlice(requests: readonly [RateLimitRequest, ...RateLimitRequest[]]) {
    const { filter, update } = openSliceUpdate(requests);
    return this.#collection.findOneAndUpdate({ _id: documentId(requests[0]), ...filter }, update, {
      returnDocument: 'after',
      writeConcern: WRITE_CONCERNS.counter,
    });
  }

  #take(request: RateLimitRequest) {
    return this.#collection.findOneAndUpdate({ _id: documentId(request) }, takePipeline(request), {
      upsert: true,
      returnDocument: 'after',
      writeConcern: WRITE_CONCERNS.counter,
    });
  }

  async #takeAlone(request: RateLimitRequest): Promise<RateLimitDecision> {
    const document =
      (await this.#takeFromOpenSlice([request])) ??
      (await this.#take(request).catch((error: unknown) => {
        // Another replica inserted the document at the same time, so it exists now.
        if (isDuplicateKey(error)) return this.#take(request);
        throw error;
      }));
    if (!document) throw new Error(`An upsert of the rate limit ${documentId(request)} returned nothing`);
    return toDecision(document, request);
  }

  async #takeTogether(requests: readonly RateLimitRequest[]) {
    const [first, ...others] = requests;
    if (!first || others.length === 0 || !canShareUpdate(requests))
      return requests.map((request) => this.#takeAlone(request));
    const document = await this.#takeFromOpenSlice([first, ...others]);
    if (!document) return requests.map((request) => this.#takeAlone(request));
    return requests.map((request, index) => toDecision(document, request, others.length - index));
  }

  async #freeTogether(freed: readonly FreedSlots[]): Promise<void> {
    const [first] = freed;
    if (!first) return;
    const operationIds = freed.flatMap((slots) => slots.operationIds);
    await this.#collection.updateOne(
      { _id: documentId(first) },
      { $pull: { slots: { operationId: { $in: operationIds } } } },
      { writeConcern: WRITE_CONCERNS.counter },
    );
  }
}

/** A request to count, or slots to free. */
type SlotChange =
  | { readonly taken: RateLimitRequest; readonly freed?: never }
  | { readonly freed: FreedSlots; readonly taken?: never };

/** Operations of a key and class whose slots are freed. */
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

/** Returns the decision on a request; the same update has counted some others after it. */
function toDecision(
  document: RateLimitDocument,
  { limit, windowMs, now }: RateLimitRequest,
  countedAfter = 0,
): RateLimitDecision {
  const { open, closed, slots, verdict } = document;
  const { oldestMs, newestMs } = countedTimes({ windowMs, now });
  const counted = [open, ...closed].filter(
    ({ count, lastMs }) => count > 0 && lastMs > oldestMs && lastMs <= newestMs,
  );
  const used = counted.reduce((sum, { count }) => sum + count, 0) - countedAfter;
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
