import { AccountPlaces } from '../places/account-places.ts';
import { createYoungCollector } from './young-collector.ts';

/** From which size on a page takes a place, and how many such pages of an account are held at once; smallest first. */
const TIERS = [
  { overBytes: 256 * 1024, perAccount: 16 },
  { overBytes: 1024 * 1024, perAccount: 2 },
] as const;

/** The memory that one page may fill, until it is disposed of. */
export interface PageRoom extends Disposable {
  /** Waits until the page may hold this many bytes; nothing to wait for gives undefined. */
  grow(bytes: number, signal: AbortSignal): Promise<void> | undefined;
}

/**
 * Bounds what the bodies of all pages under way take together. Most pages are small and never wait; large ones wait
 * for each other, and some room is kept from an account that has its part: its pages may never come to an end. A page climbs
 * the tiers in their order, so that no two can wait for each other's places.
 */
export class PageMemory {
  readonly #tiers = TIERS.map(({ overBytes, perAccount }) => ({
    overBytes,
    places: new AccountPlaces({ perAccount }),
  }));

  readonly #collectYoung = createYoungCollector();

  /** Room for one more page of an account. */
  open(accountId: string): PageRoom {
    const tiers = this.#tiers;
    const collectYoung = this.#collectYoung;
    const held: Disposable[] = [];
    const climb = async (bytes: number, signal: AbortSignal): Promise<void> => {
      for (let tier = tiers[held.length]; tier && bytes > tier.overBytes; tier = tiers[held.length]) {
        held.push(await tier.places.take(accountId, signal));
      }
    };
    return {
      grow(bytes, signal) {
        const next = tiers[held.length];
        return next && bytes > next.overBytes ? climb(bytes, signal) : undefined;
      },
      [Symbol.dispose]() {
        // The next large page is let in once the chunks of this one are gone.
        if (held.length === tiers.length) collectYoung();
        for (const place of held.splice(0)) place[Symbol.dispose]();
      },
    };
  }
}
