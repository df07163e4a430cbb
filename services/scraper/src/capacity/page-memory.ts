import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { AccountPlaces } from '@gleaner/service-kit';

/** Size from which a page takes a place, and the number of places per account. */
interface Tier {
  readonly overBytes: number;
  readonly perAccount: number;
}

/** Tiers of pages, smallest first. */
const TIERS: readonly Tier[] = [
  { overBytes: 256 * 1024, perAccount: 16 },
  { overBytes: 1024 * 1024, perAccount: 2 },
];

/** Memory reserved for one page until it is disposed of. */
export interface PageRoom extends Disposable {
  /** Waits until the page may hold this many bytes. Returns undefined when it need not wait. */
  grow(bytes: number, signal: AbortSignal): Promise<void> | undefined;
}

/**
 * Bounds the memory of the bodies of all pages in progress. Most pages are small and never wait; large ones wait for each
 * other. Some places are reserved for other accounts, since one account's pages may never finish. A page takes places of
 * the tiers in order, so that no two pages can wait for each other.
 */
export class PageMemory {
  readonly #tiers: readonly { readonly overBytes: number; readonly places: AccountPlaces }[];
  readonly #collectYoung = createYoungCollector();

  constructor(tiers = TIERS) {
    this.#tiers = tiers.map(({ overBytes, perAccount }) => ({
      overBytes,
      places: new AccountPlaces({ perAccount }),
    }));
  }

  /** Opens room for one more page of an account. */
  open(accountId: string): PageRoom {
    const tiers = this.#tiers;
    const collectYoung = this.#collectYoung;
    const held: Disposable[] = [];
    const takePlaces = async (bytes: number, signal: AbortSignal): Promise<void> => {
      for (let tier = tiers[held.length]; tier && bytes > tier.overBytes; tier = tiers[held.length]) {
        held.push(await tier.places.take(accountId, signal));
      }
    };
    return {
      grow(bytes, signal) {
        const next = tiers[held.length];
        return next && bytes > next.overBytes ? takePlaces(bytes, signal) : undefined;
      },
      [Symbol.dispose]() {
        // Frees the chunks of this page before the next large page is admitted.
        if (held.length === tiers.length) collectYoung();
        for (const place of held.splice(0)) place[Symbol.dispose]();
      },
    };
  }
}

/**
 * Creates a function to collect objects that died young, in a millisecond or two. The chunks of a body are small to V8
 * and large to the machine: by itself it lets 64 MB of them pass before it collects.
 */
function createYoungCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect: (options: { readonly type: 'minor' }) => void = runInNewContext('gc');
  return () => collect({ type: 'minor' });
}
