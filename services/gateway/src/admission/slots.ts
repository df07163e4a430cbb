import type { Logger } from '@gleaner/service-kit';
import type { Stores } from '@gleaner/storage';
import type { Headroom } from './headroom.ts';

/** Lifetime of a slot after the last renewal by its gateway. */
export const SLOT_LEASE_MS = 30_000;
/** Two attempts before a slot expires; a scrape that takes less than one interval is never renewed. */
export const SLOT_RENEWAL_INTERVAL_MS = 10_000;

interface HeldSlotsDeps {
  readonly rateLimits: Pick<Stores['rateLimits'], 'extendSlots'>;
  readonly clock: Stores['clock'];
}

/**
 * Slots of the scrapes in flight at this gateway. A lease is shorter than a scrape may be, and is renewed, so that the slots
 * of a killed gateway expire soon.
 */
export class HeldSlots {
  readonly #deps: HeldSlotsDeps;
  /** Expiry of each operation's slot, by key. */
  readonly #expiries = new Map<string, Map<string, number>>();

  constructor(deps: HeldSlotsDeps) {
    this.#deps = deps;
  }

  /** Records a slot until it is dropped. */
  add(keyId: string, operationId: string, expiresMs: number): void {
    const expiries = this.#expiries.get(keyId);
    if (expiries) expiries.set(operationId, expiresMs);
    else this.#expiries.set(keyId, new Map([[operationId, expiresMs]]));
  }

  drop(keyId: string, operationId: string): void {
    const expiries = this.#expiries.get(keyId);
    expiries?.delete(operationId);
    if (expiries?.size === 0) this.#expiries.delete(keyId);
  }

  /** Renews, in one write per key, the slots that could expire before the renewal after the next. */
  async renew(): Promise<void> {
    const nowMs = this.#deps.clock.nowMs();
    const isDue = (expiresMs: number) => expiresMs - nowMs < 2 * SLOT_RENEWAL_INTERVAL_MS;
    const renewals = [...this.#expiries].map(async ([keyId, expiries]) => {
      const operationIds = [...expiries].flatMap(([id, expiresMs]) => (isDue(expiresMs) ? [id] : []));
      if (operationIds.length === 0) return;
      const expiresMs = nowMs + SLOT_LEASE_MS;
      const slots = { keyId, class: 'scrape', operationIds, expiresAt: new Date(expiresMs) };
      await this.#deps.rateLimits.extendSlots(slots);
      for (const id of operationIds) if (expiries.has(id)) expiries.set(id, expiresMs);
    });
    await Promise.all(renewals);
  }
}

interface SlotReleasesDeps {
  readonly rateLimits: Pick<Stores['rateLimits'], 'freeSlots'>;
  readonly headroom: Pick<Headroom, 'hasPlaces'>;
  readonly logger: Logger;
}

/** Time that a slot may wait for others of its key, to be freed in one round trip with them. */
const GATHER_MS = 25;

/**
 * Frees the slots of finished scrapes: at once for a key with few left, else together with the next ones.
 * A slot that could not be freed is freed with the next ones of its key, or expires.
 */
export class SlotReleases {
  readonly #deps: SlotReleasesDeps;
  readonly #gathered = new Map<string, string[]>();
  /** Writes that are not done, with their keys. */
  readonly #running = new Map<Promise<void>, string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: SlotReleasesDeps) {
    this.#deps = deps;
  }

  /** Schedules the slot of an operation to be freed. */
  add(keyId: string, operationId: string): void {
    const gathered = this.#gathered.get(keyId);
    if (gathered) gathered.push(operationId);
    else this.#gathered.set(keyId, [operationId]);
    if (!this.#deps.headroom.hasPlaces(keyId)) this.#free(keyId);
    else this.#timer ??= setTimeout(() => this.#freeAll(), GATHER_MS);
  }

  /** Frees the gathered slots and waits until all writes are done. */
  async finish(): Promise<void> {
    this.#freeAll();
    await Promise.all(this.#running.keys());
  }

  /** Frees the gathered slots of a key and waits until its writes are done. Returns whether there were any. */
  async settle(keyId: string): Promise<boolean> {
    if (this.#gathered.has(keyId)) this.#free(keyId);
    const ofKey = [...this.#running].flatMap(([freeing, key]) => (key === keyId ? [freeing] : []));
    await Promise.all(ofKey);
    return ofKey.length > 0;
  }

  #freeAll(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const keyId of [...this.#gathered.keys()]) this.#free(keyId);
  }

  #free(keyId: string): void {
    const { rateLimits, logger } = this.#deps;
    const operationIds = this.#gathered.get(keyId) ?? [];
    this.#gathered.delete(keyId);
    const freeing = rateLimits
      .freeSlots({ keyId, class: 'scrape', operationIds })
      .catch((err: unknown) => {
        const message =
          'Slots of finished scrapes could not be freed; the next ones free them, or they expire.';
        logger.warn({ err, callIds: operationIds }, message);
        this.#gathered.set(keyId, [...operationIds, ...(this.#gathered.get(keyId) ?? [])]);
      })
      .finally(() => this.#running.delete(freeing));
    this.#running.set(freeing, keyId);
  }
}
