import { createId, DROP_REASONS, SKIP_REASONS } from '@gleaner/contracts';
import type { Stores } from '../src/index.ts';

export const LATER = new Date(Date.now() + 3_600_000);
export const NOW = new Date();

/** Returns the draft of a job of three URLs. */
export function newJob(more: object = {}) {
  const fields = { accountId: 'acc_1', keyId: null, name: 'A job', totalUrls: 3, optionsJson: '{}' };
  return { id: createId('job'), ...fields, createdAt: NOW, ...more };
}

/** Returns the state of a crawl of one host that knows one page. */
export function newCrawl(more: object = {}) {
  const zeros = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 0]));
  return {
    places: ['a'],
    hosts: ['a'],
    nextIndex: 1,
    started: 0,
    fetched: 0,
    missing: 0,
    depth: 0,
    skipped: zeros(SKIP_REASONS),
    dropped: zeros(DROP_REASONS),
    warnings: [],
    ...more,
  };
}

/** Stores a job with so many pages, and returns its id. */
export async function storeJob(
  stores: Pick<Stores, 'jobs' | 'pages'>,
  pages = 3,
  fields: { accountId?: string } = {},
): Promise<string> {
  const { job } = await stores.jobs.insertDraft({ ...newJob(), ...fields });
  const urls = Array.from({ length: pages }, (_, index) => ({
    index,
    url: `http://a/${index}`,
    host: 'a',
  }));
  await stores.pages.insertPages(job.id, urls, LATER);
  await stores.jobs.publishDrafts([job.id]);
  return job.id;
}
