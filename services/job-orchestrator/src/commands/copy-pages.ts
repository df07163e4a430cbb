import { AppError, type CreateJobCommand, defined } from '@gleaner/contracts';
import { type NewPage, PAGE_STATES, type PartOfEntries, readEntries, type Stores } from '@gleaner/storage';

/** Pages of a new job that has the URLs of a finished one. */
export interface CopiedPages {
  readonly totalUrls: number;
  /** Number of distinct pages; undefined if no page is a copy. */
  readonly distinctUrls: number | undefined;
  readonly hosts: string[];
  /** Its URLs have methods and bodies of their own. */
  readonly hasRequests: boolean;
  /** Reads the pages a few at a time: all of them may have hundreds of megabytes. */
  readonly read: () => AsyncIterable<readonly NewPage[]>;
}

const STATES: Readonly<Record<'succeeded' | 'failed' | 'all', PartOfEntries['states']>> = {
  succeeded: ['succeeded'],
  failed: ['failed'],
  all: PAGE_STATES,
};

/** Counts the entries of the job that `pagesOf` names, in their order. Throws JOB_NOT_FOUND. */
export async function copyPages(
  { accountId, jobId, pagesOf }: CreateJobCommand & { readonly pagesOf: object },
  { jobs, pages }: Pick<Stores, 'jobs' | 'pages'>,
): Promise<CopiedPages> {
  const source = await jobs.findJob(accountId, pagesOf.jobId);
  if (!source) throw new AppError('JOB_NOT_FOUND');
  const part = { states: STATES[pagesOf.only], limit: Number.MAX_SAFE_INTEGER, offset: 0 };
  const readSource = () => readEntries(source, part, pages);
  let [totalUrls, distinctUrls] = [0, 0];
  for await (const entries of readSource()) {
    totalUrls += entries.length;
    distinctUrls += entries.filter(({ index, page }) => page.index === index).length;
  }
  return {
    totalUrls,
    distinctUrls: distinctUrls === totalUrls ? undefined : distinctUrls,
    hosts: [...(source.hosts ?? [])],
    hasRequests: source.hasRequests === true,
    read: () => renumber(readSource(), jobId),
  };
}

/** Yields the pages of entries under their places in the new job. Nothing is fetched, so no host is to be spared. */
async function* renumber(
  chunks: ReturnType<typeof readEntries>,
  host: string,
): AsyncGenerator<readonly NewPage[]> {
  const firsts = new Map<number, number>();
  let next = 0;
  for await (const entries of chunks) {
    yield entries.map(({ index: before, url, page: { index: first, copies = 0, requestJson } }) => {
      const page = { index: next++, url, host, ...defined({ requestJson }) };
      if (before !== first) return { ...page, copyOf: firsts.get(first) as number };
      if (copies === 0) return page;
      firsts.set(first, page.index);
      return { ...page, copies };
    });
  }
}
