import type { CRAWLED_PROPERTIES, CrawlChanges, PageChange, PageKind, SkipReason } from '@gleaner/contracts';
import { defined } from '@gleaner/contracts';
import { WRITE_CONCERNS } from '../database/connection-options.ts';
import { insertMissing } from '../database/insert-missing.ts';
import type { DriverCollection } from '../document-schema.ts';
import { hostHashOf } from './host-share.ts';
import { crawlFileIdOf, pageIdBounds, pageIdOf } from './page-id.ts';
import { type CrawledPage, DONE, type PageDocument } from './page-model.ts';
import { type StoredPage, toStoredPage } from './stored-page.ts';

/** New page of a crawl. */
export interface NewCrawlPage {
  readonly index: number;
  readonly url: string;
  readonly host: string;
  readonly crawled: CrawledPage;
  /** 0 if its result is to be sent in a batch while the job runs. */
  readonly resultBatch?: number;
}

/** A robots.txt or sitemap to read for a crawl. */
export type NewCrawlFile = Omit<NewCrawlPage, 'index' | 'resultBatch'>;

/** A URL that a crawl knows. */
export interface KnownUrl {
  readonly key: string;
  readonly depth: number;
  readonly index: number;
}

/** Fields of a page's place in its crawl that its result shows. */
export type PlaceInCrawl = {
  readonly [Field in Exclude<
    keyof typeof CRAWLED_PROPERTIES,
    'canonicalUrl' | 'unlinked'
  >]?: CrawledPage[Field];
} & { readonly unlinked?: true };

/** Returns the fields of the result of a page of a crawl. */
export function placeInCrawl({ depth, foundOn, rule, change, isUnlinked }: CrawledPage): PlaceInCrawl {
  return {
    depth,
    ...defined({ foundOn, rule, change }),
    ...(isUnlinked && change !== 'gone' && { unlinked: true }),
  };
}

/** Store of pages of crawls: their URLs by key, their robots.txt and sitemaps, and the ones that are skipped. */
export class CrawlPages {
  readonly #pages: DriverCollection<PageDocument>;

  constructor(pages: DriverCollection<PageDocument>) {
    this.#pages = pages;
  }

  /** Returns the keys with an existing page in the crawl. */
  async findKnown(jobId: string, keys: readonly string[]): Promise<KnownUrl[]> {
    if (keys.length === 0) return [];
    const documents = await this.#pages
      .find(
        { jobId, 'crawled.key': { $in: [...keys] } },
        { projection: { index: 1, 'crawled.key': 1, 'crawled.depth': 1 } },
      )
      .toArray();
    return documents.flatMap(({ index, crawled }) =>
      crawled ? [{ key: crawled.key, depth: crawled.depth, index }] : [],
    );
  }

  /** Returns the pages of the crawl with these keys, in no particular order. */
  async findByKeys(jobId: string, keys: readonly string[]): Promise<StoredPage[]> {
    if (keys.length === 0) return [];
    const documents = await this.#pages.find({ jobId, 'crawled.key': { $in: [...keys] } }).toArray();
    return documents.map(toStoredPage);
  }

  /** Returns the URLs of pages, by page id. */
  async findUrls(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const documents = await this.#pages
      .find({ _id: { $in: [...ids] } }, { projection: { url: 1 } })
      .toArray();
    return new Map(documents.map(({ _id, url }) => [_id, url]));
  }

  /** Returns the page of the crawl with this key, or null. */
  async findByKey(jobId: string, key: string): Promise<StoredPage | null> {
    const document = await this.#pages.findOne({ jobId, 'crawled.key': key });
    return document && toStoredPage(document);
  }

  /** Stores new pages of a crawl, durably; pages whose key is known stay as they are. Returns the number of new ones. */
  async insertCrawlPages(jobId: string, newPages: readonly NewCrawlPage[], expiresAt: Date): Promise<number> {
    const documents = newPages.map((page) =>
      toDocument({ _id: pageIdOf(jobId, page.index), jobId, expiresAt, ...page }),
    );
    return await insertMissing(this.#pages, documents);
  }

  /** Stores crawl files to read; files already read are read again. */
  async requestCrawlFiles(jobId: string, newPages: readonly NewCrawlFile[], expiresAt: Date): Promise<void> {
    const documents = newPages.map((page) =>
      toDocument({ _id: crawlFileIdOf(jobId, page.crawled.key), jobId, expiresAt, index: 0, ...page }),
    );
    if ((await insertMissing(this.#pages, documents)) === documents.length) return;
    await this.#pages.updateMany(
      { _id: { $in: documents.map(({ _id }) => _id) }, state: DONE },
      { $set: { state: 'waiting', failures: 0, losses: 0, overdues: 0 }, $unset: { endedAt: 1 } },
    );
  }

  /** Stores new sitemaps to read; known ones stay as they are. */
  async insertCrawlFiles(jobId: string, newPages: readonly NewCrawlFile[], expiresAt: Date): Promise<void> {
    await insertMissing(
      this.#pages,
      newPages.map((page) =>
        toDocument({ _id: crawlFileIdOf(jobId, page.crawled.key), jobId, expiresAt, index: 0, ...page }),
      ),
    );
  }

  /** Returns the number of crawl files of a crawl. */
  async countCrawlFiles(jobId: string): Promise<number> {
    const { $lt } = pageIdBounds(jobId);
    return await this.#pages.countDocuments({ _id: { $gte: crawlFileIdOf(jobId, ''), $lt } });
  }

  /** Lowers the depth of waiting pages to which a shorter way was found. */
  async lowerDepths(jobId: string, keys: readonly string[], depth: number): Promise<void> {
    if (keys.length === 0) return;
    await this.#pages.updateMany(
      { jobId, 'crawled.key': { $in: [...keys] }, state: 'waiting', 'crawled.depth': { $gt: depth } },
      { $set: { 'crawled.depth': depth } },
      { writeConcern: WRITE_CONCERNS.counter },
    );
  }

  /** Skips pages that have never been dispatched; returns their number. */
  async skip(ids: readonly string[], skip: SkipReason, at: Date): Promise<number> {
    return ids.length === 0 ? 0 : await this.#skip(ids, skip, at);
  }

  /** Skips up to this many pages that have never been dispatched; returns the number of those that it came upon, and skipped. */
  async skipSome(
    jobId: string,
    most: number,
    { skip, at }: { readonly skip: SkipReason; readonly at: Date },
  ): Promise<{ readonly found: number; readonly skipped: number }> {
    const undispatched = {
      state: 'waiting' as const,
      jobId,
      attempt: 0,
      'crawled.purpose': { $exists: false },
    };
    const documents = await this.#pages
      .find(undispatched, { projection: { _id: 1 } })
      .limit(most)
      .toArray();
    if (documents.length === 0) return { found: 0, skipped: 0 };
    const ids = documents.map(({ _id }) => _id);
    return { found: ids.length, skipped: await this.#skip(ids, skip, at) };
  }

  /** Returns waiting pages of a job in order after this index, without robots.txt and sitemaps. */
  async findWaitingAfter(
    jobId: string,
    { afterIndex, limit }: { readonly afterIndex: number; readonly limit: number },
  ): Promise<Pick<StoredPage, 'id' | 'index' | 'url' | 'attempt'>[]> {
    const documents = await this.#pages
      .find(
        { state: 'waiting', jobId, index: { $gt: afterIndex }, 'crawled.purpose': { $exists: false } },
        { projection: { index: 1, url: 1, attempt: 1 } },
      )
      .sort({ index: 1 })
      .limit(limit)
      .toArray();
    return documents.map(({ _id, index, url, attempt }) => ({ id: _id, index, url, attempt }));
  }

  /** Completes the waiting crawl files of a crawl without reading them. */
  async dropCrawlFiles(jobId: string, at: Date): Promise<void> {
    await this.#pages.updateMany(
      { _id: { $gte: crawlFileIdOf(jobId, ''), $lt: pageIdBounds(jobId).$lt }, state: 'waiting' },
      { $set: { state: DONE, endedAt: at } },
    );
  }

  /** Returns whether a page of a job is at work, not counting robots.txt and sitemaps. */
  async hasRunning(jobId: string): Promise<boolean> {
    const running = { state: 'running' as const, jobId, 'crawled.purpose': { $exists: false } };
    return (await this.#pages.findOne(running, { projection: { _id: 1 } })) !== null;
  }

  /** Returns the number of pages of a crawl by how they have changed; with verdicts, of pages of these kinds. */
  async countChanges(jobId: string, verdicts?: readonly PageKind[]): Promise<CrawlChanges> {
    const rows = await this.#pages
      .aggregate<{ _id: { change: PageChange; isUnlinked?: boolean }; count: number }>([
        {
          $match: {
            jobId,
            'crawled.change': { $exists: true },
            ...(verdicts && { verdict: { $in: [...verdicts] } }),
          },
        },
        {
          $group: {
            _id: { change: '$crawled.change', isUnlinked: '$crawled.isUnlinked' },
            count: { $sum: 1 },
          },
        },
      ])
      .toArray();
    const counts = { new: 0, changed: 0, unchanged: 0, gone: 0, unlinked: 0 };
    for (const { _id, count } of rows) {
      counts[_id.change] += count;
      if (_id.isUnlinked && _id.change !== 'gone') counts.unlinked += count;
    }
    return counts;
  }

  async #skip(ids: readonly string[], skip: SkipReason, at: Date): Promise<number> {
    const { modifiedCount } = await this.#pages.updateMany(
      { _id: { $in: [...ids] }, state: 'waiting', attempt: 0 },
      { $set: { state: 'skipped', 'crawled.skip': skip, endedAt: at } },
      { writeConcern: WRITE_CONCERNS.durable },
    );
    return modifiedCount;
  }
}

function toDocument(
  page: Pick<
    PageDocument,
    '_id' | 'jobId' | 'index' | 'url' | 'host' | 'crawled' | 'resultBatch' | 'expiresAt'
  >,
): PageDocument {
  const hostHash = hostHashOf(page.host);
  return { ...page, hostHash, state: 'waiting', attempt: 0, failures: 0, losses: 0, overdues: 0 };
}
