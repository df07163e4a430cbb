import type { Stores } from '@gleaner/storage';

interface HeldSlotsDeps {
  readonly rateLimits: Pick<Stores['rateLimits'], 'extendSlots'>;
  /** In milliseconds since 1970, as slots expire. */
  readonly now: () => number;
}

/** How long a slot outlives the gateway that holds it. */
export const SLOT_LEASE_MS = 30_000;
/** Two tries before a slot expires; a scrape that takes less than one is never renewed. */
export const SLOT_RENEWAL_INTERVAL_MS = 10_000;

/**
 * The slots of the scrapes that this gateway has in flight. They are taken for half a minute, whatever the scrape may take,
 * so that those of a gateway that was killed come free soon; one that is needed for longer is renewed.
 */
export class HeldSlots {
  readonly #deps: HeldSlotsDeps;
  /** When the slot of each operation expires, by key. */
  readonly #expiries = new Map<string, Map<string, number>>();

  constructor(deps: HeldSlotsDeps) {
    this.#deps = deps;
  }

  /** Notes a slot that was taken, until it is dropped. */
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

  /** Renews, in one write a key, the slots that might expire before the renewal after the next. */
  async renew(): Promise<void> {
    const nowMs = this.#deps.now();
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
