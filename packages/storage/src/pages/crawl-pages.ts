import type { CRAWLED_PROPERTIES, CrawlChanges, PageChange, PageKind, SkipReason } from '@gleaner/contracts';
import type { mongo } from 'mongoose';
import { WRITE_CONCERNS } from '../database/connection-options.ts';
import { isDuplicateKey } from '../database/translate-error.ts';
import { pageIdBounds, pageIdOf, supportPageIdOf } from './page-id.ts';
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
export type NewSupportPage = Omit<NewCrawlPage, 'index' | 'resultBatch'>;

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
    ...(foundOn !== undefined && { foundOn }),
    ...(rule !== undefined && { rule }),
    ...(change !== undefined && { change }),
    ...(isUnlinked && change !== 'gone' && { unlinked: true }),
  };
}

/** Returns the operations of the page store on pages of crawls. */
export function crawlPageOperations(pages: mongo.Collection<PageDocument>, confirm: () => Promise<void>) {
  return { ...frontierOperations(pages, confirm), ...skipOperations(pages) };
}

function frontierOperations(pages: mongo.Collection<PageDocument>, confirm: () => Promise<void>) {
  /** Inserts documents, durably; returns the number of those that are new. */
  async function insertNew(documents: PageDocument[]): Promise<number> {
    if (documents.length === 0) return 0;
    const options = { ordered: false, writeConcern: WRITE_CONCERNS.durable };
    try {
      return (await pages.insertMany(documents, options)).insertedCount;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      await confirm();
      return (error as mongo.MongoBulkWriteError).insertedCount;
    }
  }

  return {
    /** Returns those of the keys that pages of the crawl have already. */
    async findKnown(jobId: string, keys: readonly string[]): Promise<KnownUrl[]> {
      if (keys.length === 0) return [];
      const documents = await pages
        .find(
          { jobId, 'crawled.key': { $in: [...keys] } },
          { projection: { index: 1, 'crawled.key': 1, 'crawled.depth': 1 } },
        )
        .toArray();
      return documents.flatMap(({ index, crawled }) =>
        crawled ? [{ key: crawled.key, depth: crawled.depth, index }] : [],
      );
    },

    /** Returns the pages of the crawl with these keys, in no particular order. */
    async findByKeys(jobId: string, keys: readonly string[]): Promise<StoredPage[]> {
      if (keys.length === 0) return [];
      const documents = await pages.find({ jobId, 'crawled.key': { $in: [...keys] } }).toArray();
      return documents.map(toStoredPage);
    },

    /** Returns the URLs of pages, by page id. */
    async findUrls(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
      if (ids.length === 0) return new Map();
      const documents = await pages.find({ _id: { $in: [...ids] } }, { projection: { url: 1 } }).toArray();
      return new Map(documents.map(({ _id, url }) => [_id, url]));
    },

    /** Returns the page of the crawl with this key, or null. */
    async findByKey(jobId: string, key: string): Promise<StoredPage | null> {
      const document = await pages.findOne({ jobId, 'crawled.key': key });
      return document && toStoredPage(document);
    },

    /** Stores new pages of a crawl, durably; pages whose key is known stay as they are. Returns the number of new ones. */
    async insertCrawlPages(
      jobId: string,
      newPages: readonly NewCrawlPage[],
      expiresAt: Date,
    ): Promise<number> {
      const documents = newPages.map((page) =>
        toDocument({ _id: pageIdOf(jobId, page.index), jobId, expiresAt, ...page }),
      );
      return await insertNew(documents);
    },

    /** Stores what is to be read for a crawl; what was read already is read again. */
    async requestSupportPages(
      jobId: string,
      newPages: readonly NewSupportPage[],
      expiresAt: Date,
    ): Promise<void> {
      const documents = newPages.map((page) =>
        toDocument({ _id: supportPageIdOf(jobId, page.crawled.key), jobId, expiresAt, index: 0, ...page }),
      );
      if ((await insertNew(documents)) === documents.length) return;
      await pages.updateMany(
        { _id: { $in: documents.map(({ _id }) => _id) }, state: DONE },
        { $set: { state: 'waiting', failures: 0, losses: 0, overdues: 0 }, $unset: { endedAt: 1 } },
      );
    },

    /** Stores sitemaps to read that are not known yet. */
    async insertSupportPages(
      jobId: string,
      newPages: readonly NewSupportPage[],
      expiresAt: Date,
    ): Promise<void> {
      await insertNew(
        newPages.map((page) =>
          toDocument({ _id: supportPageIdOf(jobId, page.crawled.key), jobId, expiresAt, index: 0, ...page }),
        ),
      );
    },

    /** Returns the number of sitemaps of a crawl. */
    async countSupportPages(jobId: string): Promise<number> {
      const { $lt } = pageIdBounds(jobId);
      return await pages.countDocuments({ _id: { $gte: supportPageIdOf(jobId, ''), $lt } });
    },

    /** Lowers the depth of waiting pages to which a shorter way was found. */
    async lowerDepths(jobId: string, keys: readonly string[], depth: number): Promise<void> {
      if (keys.length === 0) return;
      await pages.updateMany(
        { jobId, 'crawled.key': { $in: [...keys] }, state: 'waiting', 'crawled.depth': { $gt: depth } },
        { $set: { 'crawled.depth': depth } },
        { writeConcern: WRITE_CONCERNS.counter },
      );
    },
  };
}

function skipOperations(pages: mongo.Collection<PageDocument>) {
  return {
    /** Skips those of the pages that have never been dispatched; returns their number. */
    async skip(ids: readonly string[], skip: SkipReason, at: Date): Promise<number> {
      return ids.length === 0 ? 0 : await skipPages(pages, ids, skip, at);
    },

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
      const documents = await pages
        .find(undispatched, { projection: { _id: 1 } })
        .limit(most)
        .toArray();
      if (documents.length === 0) return { found: 0, skipped: 0 };
      const ids = documents.map(({ _id }) => _id);
      return { found: ids.length, skipped: await skipPages(pages, ids, skip, at) };
    },

    /** Returns waiting pages of a job in order after this index, without robots.txt and sitemaps. */
    async findWaitingAfter(
      jobId: string,
      { afterIndex, limit }: { readonly afterIndex: number; readonly limit: number },
    ): Promise<Pick<StoredPage, 'id' | 'index' | 'url' | 'attempt'>[]> {
      const documents = await pages
        .find(
          { state: 'waiting', jobId, index: { $gt: afterIndex }, 'crawled.purpose': { $exists: false } },
          { projection: { index: 1, url: 1, attempt: 1 } },
        )
        .sort({ index: 1 })
        .limit(limit)
        .toArray();
      return documents.map(({ _id, index, url, attempt }) => ({ id: _id, index, url, attempt }));
    },

    /** Leaves out what a crawl would have read of sites and has not. */
    async dropSupportPages(jobId: string, at: Date): Promise<void> {
      await pages.updateMany(
        { _id: { $gte: supportPageIdOf(jobId, ''), $lt: pageIdBounds(jobId).$lt }, state: 'waiting' },
        { $set: { state: DONE, endedAt: at } },
      );
    },

    /** Returns whether a page of a job is at work, not counting robots.txt and sitemaps. */
    async hasRunning(jobId: string): Promise<boolean> {
      const running = { state: 'running' as const, jobId, 'crawled.purpose': { $exists: false } };
      return (await pages.findOne(running, { projection: { _id: 1 } })) !== null;
    },

    /** Returns the number of pages of a crawl by how they have changed; with verdicts, of pages of these kinds. */
    async countChanges(jobId: string, verdicts?: readonly PageKind[]): Promise<CrawlChanges> {
      const rows = await pages
        .aggregate<{ _id: { change: PageChange; isUnlinked?: boolean }; count: number }>([
          {
            $match: {
              ...{ jobId, 'crawled.change': { $exists: true } },
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
    },
  };
}

async function skipPages(
  pages: mongo.Collection<PageDocument>,
  ids: readonly string[],
  skip: SkipReason,
  at: Date,
): Promise<number> {
  const { modifiedCount } = await pages.updateMany(
    { _id: { $in: [...ids] }, state: 'waiting', attempt: 0 },
    { $set: { state: 'skipped', 'crawled.skip': skip, endedAt: at } },
    { writeConcern: WRITE_CONCERNS.durable },
  );
  return modifiedCount;
}

function toDocument(
  page: Pick<
    PageDocument,
    '_id' | 'jobId' | 'index' | 'url' | 'host' | 'crawled' | 'resultBatch' | 'expiresAt'
  >,
): PageDocument {
  return { ...page, state: 'waiting', attempt: 0, failures: 0, losses: 0, overdues: 0 };
}
