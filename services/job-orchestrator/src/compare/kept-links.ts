import { type FoundLink, takingTurns } from '@gleaner/contracts';
import type { CompiledFilter } from '@gleaner/frontier';
import { pageIdOf, type Stores } from '@gleaner/storage';
import type { Base } from './find-bases.ts';

/** Links that are remembered, over all crawls. */
const MAX_LINKS = 200_000;
const CHUNK = 1000;

type Admitted = Pick<FoundLink, 'url' | 'key' | 'rule'> | null;

/**
 * Reads the links of an earlier crawl for pages without a reading now. The links of the pages of one site are mostly the
 * same, and so are remembered.
 */
export class KeptLinks {
  readonly #pages: Pick<Stores['pages'], 'findUrls'>;
  /** By crawl and id of the page that they lead to; null of links that do not belong to the crawl any more. */
  readonly #admitted = new Map<string, Map<string, Admitted>>();
  #size = 0;

  constructor({ pages }: { readonly pages: Pick<Stores['pages'], 'findUrls'> }) {
    this.#pages = pages;
  }

  /** Returns the links of each base that belong to the crawl with this filter. */
  async find(
    crawlId: string,
    bases: readonly Base[],
    filter: CompiledFilter,
  ): Promise<ReadonlyMap<Base, readonly FoundLink[]>> {
    const admitted = this.#of(crawlId);
    const wanted = new Set(bases.flatMap((base) => idsOf(base).map(({ id }) => id)));
    const takeTurns = takingTurns();
    const unknown = [...wanted].filter((id) => !admitted.has(id));
    for (let start = 0; start < unknown.length; start += CHUNK) {
      const ids = unknown.slice(start, start + CHUNK);
      const urls = await this.#pages.findUrls(ids);
      for (const id of ids) {
        admitted.set(id, await admit(urls.get(id), filter, takeTurns));
        await takeTurns();
      }
      this.#size += ids.length;
    }
    const links = new Map(bases.map((base) => [base, linksOf(base, admitted)]));
    if (this.#size > MAX_LINKS) this.#forget();
    return links;
  }

  #of(crawlId: string): Map<string, Admitted> {
    const known = this.#admitted.get(crawlId) ?? new Map<string, Admitted>();
    this.#admitted.set(crawlId, known);
    return known;
  }

  #forget(): void {
    this.#admitted.clear();
    this.#size = 0;
  }
}

function idsOf({ page, fingerprint }: Base): { readonly id: string; readonly isNext: boolean }[] {
  const links = fingerprint?.links ?? [];
  return links.map(({ index, isNext }) => ({ id: pageIdOf(page.jobId, index), isNext }));
}

function linksOf(base: Base, admitted: ReadonlyMap<string, Admitted>): FoundLink[] {
  return idsOf(base).flatMap(({ id, isNext }) => {
    const link = admitted.get(id);
    return link ? [{ ...link, ...(isNext && { isNext: true as const }) }] : [];
  });
}

async function admit(
  url: string | undefined,
  filter: CompiledFilter,
  takeTurns: () => Promise<void>,
): Promise<Admitted> {
  const admission = url === undefined ? undefined : await filter.admitInTurns(new URL(url), takeTurns);
  return admission && 'link' in admission ? admission.link : null;
}
