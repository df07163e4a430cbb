import type { Logger } from '@gleaner/service-kit';
import type { Stores } from '@gleaner/storage';
import type { Headroom } from './headroom.ts';

interface SlotReleasesDeps {
  readonly rateLimits: Pick<Stores['rateLimits'], 'freeSlots'>;
  readonly headroom: Pick<Headroom, 'hasPlaces'>;
  readonly logger: Logger;
}

/** How long a slot may wait for others of its key, to be freed in one round trip with them. */
const GATHER_MS = 25;

/**
 * Frees the slots of scrapes that are over: at once where a key has few left, else together with those that follow shortly.
 * Whatever fails comes free when it expires.
 */
export class SlotReleases {
  readonly #deps: SlotReleasesDeps;
  readonly #gathered = new Map<string, string[]>();
  readonly #running = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: SlotReleasesDeps) {
    this.#deps = deps;
  }

  /** Has the slot of an operation freed soon. */
  add(keyId: string, operationId: string): void {
    const gathered = this.#gathered.get(keyId);
    if (gathered) gathered.push(operationId);
    else this.#gathered.set(keyId, [operationId]);
    if (!this.#deps.headroom.hasPlaces(keyId)) this.#free(keyId);
    else this.#timer ??= setTimeout(() => this.#freeAll(), GATHER_MS);
  }

  /** Frees what is gathered; resolves when nothing is under way any more. */
  async finish(): Promise<void> {
    this.#freeAll();
    await Promise.all(this.#running);
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
        const message = 'Slots were not freed; they come free by themselves when they expire.';
        logger.warn({ err, callIds: operationIds }, message);
      })
      .finally(() => this.#running.delete(freeing));
    this.#running.add(freeing);
  }
}
