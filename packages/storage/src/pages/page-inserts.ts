import { defined } from '@gleaner/contracts';
import { bounded } from '../database/guarded.ts';
import { insertMissing } from '../database/insert-missing.ts';
import type { DriverCollection } from '../document-schema.ts';
import { hostHashOf } from './host-share.ts';
import { NO_BATCH } from './page-batches.ts';
import { pageIdOf } from './page-id.ts';
import { COPY, type CrawledPage, type PageDocument } from './page-model.ts';

/** URL of a new page. */
export interface NewPage {
  readonly index: number;
  readonly url: string;
  readonly host: string;
  /** Method and body, as JSON, where each URL of the job has its own. */
  readonly requestJson?: string;
  /** Index of the earlier page that is fetched for this URL. */
  readonly copyOf?: number;
  /** Number of later URLs of the same page; they share its result. */
  readonly copies?: number;
  /** Only of pages of crawls. */
  readonly crawled?: CrawledPage;
}

/** New pages of a job. */
export interface PagesOfJob {
  readonly jobId: string;
  readonly pages: readonly NewPage[];
  /** Their results are sent in batches while the job runs. */
  readonly isBatched?: boolean;
}

/** Others wait for the database no longer than one of these takes. */
const INSERT_CHUNK = 100;

/** Store of new pages of jobs. The time limit holds for each chunk of documents, and not for all together. */
export class PageInserts {
  readonly #pages: DriverCollection<PageDocument>;

  constructor(pages: DriverCollection<PageDocument>) {
    this.#pages = pages;
  }

  /** Stores the pages of several jobs; existing ones stay as they are. */
  async insertPagesOfJobs(jobs: readonly PagesOfJob[], expiresAt: Date): Promise<void> {
    let documents: PageDocument[] = [];
    for (const { jobId, pages: newPages, isBatched } of jobs) {
      for (const page of newPages) {
        const isInBatch = isBatched && page.copyOf === undefined;
        const document = toDocument(jobId, page, expiresAt);
        documents.push(isInBatch ? { ...document, resultBatch: NO_BATCH } : document);
        if (documents.length < INSERT_CHUNK) continue;
        await this.#insertChunk(documents);
        documents = [];
      }
    }
    if (documents.length > 0) await this.#insertChunk(documents);
  }

  /** Stores the pages of a job; existing ones stay as they are. */
  async insertPages(jobId: string, pages: readonly NewPage[], expiresAt: Date): Promise<void> {
    await this.insertPagesOfJobs([{ jobId, pages }], expiresAt);
  }

  /** Inserts pages; the ones of an earlier attempt exist already, with the same content. */
  async #insertChunk(documents: readonly PageDocument[]): Promise<void> {
    await bounded(() => insertMissing(this.#pages, documents));
  }
}

function toDocument(
  jobId: string,
  { index, url, host, requestJson, copyOf, copies, crawled }: NewPage,
  expiresAt: Date,
): PageDocument {
  return {
    _id: pageIdOf(jobId, index),
    jobId,
    index,
    url,
    host,
    hostHash: hostHashOf(host),
    ...defined({ requestJson }),
    state: copyOf === undefined ? 'waiting' : COPY,
    ...(copyOf !== undefined && { copyOf: pageIdOf(jobId, copyOf) }),
    ...defined({ copies, crawled }),
    attempt: 0,
    failures: 0,
    losses: 0,
    overdues: 0,
    expiresAt,
  };
}
