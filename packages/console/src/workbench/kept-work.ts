import { type Draft, EMPTY_DRAFT, rekeyed } from './draft/draft.ts';
import type { KeptPage } from './page/keep-page.ts';

/** State of the workbench: a page, the options of its scrape, and the fields to extract. */
export interface Work {
  readonly url: string;
  /** Options by the names of the API. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly page?: KeptPage | undefined;
  readonly draft: Draft;
}

const KEY = 'gleaner-workbench';

/** Keeps the work for as long as the tab is open, without headers and cookies. */
export function keepWork({ url, options, page, draft }: Work): void {
  const { headers, cookies, ...kept } = options;
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ url, options: kept, page, draft }));
  } catch {
    // Private windows may refuse; only a reload loses the work then.
  }
}

/** Returns the work that was kept; undefined without any. */
export function recallWork(): Work | undefined {
  try {
    const work = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Partial<Work> | null;
    if (work?.url === undefined) return undefined;
    const draft = work.draft ? rekeyed(work.draft) : EMPTY_DRAFT;
    return { options: {}, ...work, url: work.url, draft };
  } catch {
    return undefined;
  }
}
