import type { CallOptions } from './operation-types.ts';

/** One page of a list, newest first. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly pagination: { limit: number; offset: number; total: number; hasMore: boolean };
}

/** A list that is read page by page: iterate over it for all entries, or ask for one `page`. */
export interface Listing<Item> extends AsyncIterable<Item> {
  /** Returns the page that `limit` and `offset` name; without them the first. */
  page(): Promise<Page<Item>>;
}

interface Range {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

const PAGE_SIZE = 100;

/** Creates a list from a function that reads one page of it. */
export function createListing<Query extends Range, Item extends object>(
  query: Query,
  options: CallOptions | undefined,
  readPage: (query: Query, options: CallOptions | undefined) => Promise<Page<Item>>,
): Listing<Item> {
  return {
    page: () => readPage(query, options),
    async *[Symbol.asyncIterator]() {
      let offset = query.offset ?? 0;
      let before: ReadonlySet<string> = new Set();
      for (let hasMore = true; hasMore; ) {
        const page = await readPage({ ...query, limit: query.limit ?? PAGE_SIZE, offset }, options);
        // An entry that was added since pushes the end of one page into the next.
        yield* page.items.filter((item) => !before.has(idOf(item) ?? ''));
        before = new Set(page.items.flatMap((item) => idOf(item) ?? []));
        offset += page.items.length;
        hasMore = page.pagination.hasMore && page.items.length > 0;
      }
    },
  };
}

/** Returns the id of an entry, or of its job; undefined of one that no other entry pushes away. */
function idOf(entry: { readonly id?: string; readonly jobId?: string }): string | undefined {
  return entry.id ?? entry.jobId;
}
