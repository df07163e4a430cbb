import { Places } from './places.ts';
import { createYoungCollector } from './young-collector.ts';

/** From which size on a page takes a place, and how many such pages are held at once; smallest first. */
const TIERS = [
  { overBytes: 256 * 1024, places: 16 },
  { overBytes: 1024 * 1024, places: 2 },
] as const;

/** The memory that one page may fill, until it is disposed of. */
export interface PageRoom extends Disposable {
  /** Waits until the page may hold this many bytes; nothing to wait for gives undefined. */
  grow(bytes: number, signal: AbortSignal): Promise<void> | undefined;
}

/**
 * Bounds what the bodies of all pages under way take together. Most pages are small and never wait; large ones wait
 * for each other. A page climbs the tiers in their order, so that no two can wait for each other's places.
 */
export class PageMemory {
  readonly #tiers = TIERS.map(({ overBytes, places }) => ({ overBytes, places: new Places(places) }));

  readonly #collectYoung = createYoungCollector();

  /** Room for one more page. */
  open(): PageRoom {
    const tiers = this.#tiers;
    const collectYoung = this.#collectYoung;
    let taken = 0;
    const climb = async (bytes: number, signal: AbortSignal): Promise<void> => {
      for (let tier = tiers[taken]; tier && bytes > tier.overBytes; tier = tiers[taken]) {
        await tier.places.take(signal);
        taken += 1;
      }
    };
    return {
      grow(bytes, signal) {
        const next = tiers[taken];
        return next && bytes > next.overBytes ? climb(bytes, signal) : undefined;
      },
      [Symbol.dispose]() {
        // The next large page is let in once the chunks of this one are gone.
        if (taken === tiers.length) collectYoung();
        for (const { places } of tiers.slice(0, taken)) places.giveBack();
        taken = 0;
      },
    };
  }
}
