import {
  type CrawlOptions,
  createId,
  DROP_REASONS,
  defined,
  type Job,
  SKIP_REASONS,
} from '@gleaner/contracts';
import { urlKey } from '@gleaner/frontier';
import {
  type CrawledPage,
  type CrawlState,
  describeJob,
  type PageEnd,
  pageIdOf,
  type Stores,
} from '@gleaner/storage';
import { METADATA } from './scripted-orchestrator.ts';

/** A page of a seeded crawl: a URL and its place, and how it ended; it waits without an end. */
export interface SeededCrawlPage extends Partial<Omit<CrawledPage, 'key'>> {
  readonly url: string;
  readonly data?: object;
  readonly end?: DistributiveOmit<PageEnd, 'id' | 'attempt'>;
}

type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;

/** Stores a crawl as the orchestrator would. */
export async function seedCrawl(
  { jobs, pages, results }: Stores,
  accountId: string,
  {
    crawl,
    pages: seeded,
    state = {},
    options = {},
  }: {
    readonly crawl: CrawlOptions;
    readonly pages: readonly SeededCrawlPage[];
    readonly state?: Partial<CrawlState>;
    readonly options?: object;
  },
): Promise<Job> {
  const id = createId('job');
  const ended = seeded.filter(({ end }) => end !== undefined);
  await jobs.insertDraft({
    id,
    accountId,
    keyId: null,
    name: 'Seeded crawl',
    createdAt: new Date(),
    totalUrls: seeded.length,
    optionsJson: JSON.stringify(options),
    crawlJson: JSON.stringify(crawl),
    crawl: {
      places: ['shop.example'],
      hosts: ['shop.example'],
      nextIndex: seeded.length,
      started: ended.length,
      fetched: ended.length,
      missing: 0,
      depth: 2,
      warnings: [],
      skipped: zeros(SKIP_REASONS),
      dropped: zeros(DROP_REASONS),
      ...state,
    },
  });
  const expiresAt = new Date(Date.now() + 3_600_000);
  await pages.insertPages(
    id,
    seeded.map(({ url, depth = 0, foundOn, rule, skip, isUnlinked }, index) => ({
      index,
      url,
      host: 'shop.example',
      crawled: {
        key: urlKey(new URL(url), crawl.ignoreQuery),
        depth,
        ...defined({ foundOn, rule, skip }),
        ...(isUnlinked && { isUnlinked }),
      },
    })),
    expiresAt,
  );
  await jobs.publishDrafts([id]);
  const idOf = (page: SeededCrawlPage) => pageIdOf(id, seeded.indexOf(page));
  await pages.claim(ended.map(idOf), expiresAt);
  for (const page of ended.filter(({ data }) => data !== undefined)) {
    const { url, depth = 0, foundOn, rule, data } = page;
    const json = JSON.stringify({
      url,
      depth,
      foundOn,
      rule,
      data,
      metadata: { ...METADATA, url, finalUrl: url },
    });
    await results.insertResults([{ id: idOf(page), attempt: 1, json, screenshotId: undefined }], expiresAt);
  }
  await pages.end(
    ended.map((page) => ({ id: idOf(page), attempt: 1, ...page.end }) as PageEnd),
    new Date(),
  );
  const isOver = ended.length === seeded.length;
  const failedUrls = ended.filter(({ end }) => end?.state === 'failed').length;
  const job = await jobs.transition(id, {
    from: ['pending'],
    to: isOver ? (failedUrls > 0 ? 'partial' : 'completed') : 'running',
    set: {
      completedUrls: ended.length,
      failedUrls,
      creditsUsed: ended.length,
      ...(isOver && { completedAt: new Date() }),
    },
    event: { id: createId('evt'), type: 'job.started', at: new Date() },
  });
  if (!job) throw new Error('The crawl was not stored.');
  return describeJob(job);
}

function zeros<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}
