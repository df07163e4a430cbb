import { createId } from '@gleaner/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RobotsGate } from '../src/crawl/robots-gate.ts';
import { ActiveJobs } from '../src/dispatch/active-jobs.ts';
import { HostPaces } from '../src/dispatch/host-pace.ts';
import { startTestBed, type TestBed, urlsOf } from './start-test-bed.ts';

const PACE = { maxPagesPerHost: 8, hostDelayMs: 0, maxPauseMs: 1000 };
const EMPTY = {
  paces: new HostPaces(PACE),
  freeSlots: { http: 40, browser: 0 },
  maxPagesPerJob: 200,
  onEnded: () => {},
};

let bed: TestBed;

beforeEach(async () => {
  bed = await startTestBed();
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});

/** Stores pending jobs of one page for an account, a few at a time because an operation on the database is bounded. */
async function storeJobs(count: number, accountId: string): Promise<string[]> {
  const ids: string[] = [];
  for (let left = count; left > 0; left -= 200)
    ids.push(...(await storeTogether(Math.min(left, 200), accountId)));
  return ids;
}

async function storeTogether(count: number, accountId: string): Promise<string[]> {
  const ids = Array.from({ length: count }, () => createId('job'));
  const createdAt = new Date();
  const draft = { accountId, keyId: null, name: 'Stored', totalUrls: 1, optionsJson: '{}', createdAt };
  await bed.stores.jobs.insertDrafts(ids.map((id) => ({ ...draft, id })));
  const pages = [{ index: 0, url: urlsOf(1)[0] as string, host: 'a.test' }];
  await bed.stores.pages.insertPagesOfJobs(
    ids.map((jobId) => ({ jobId, pages })),
    new Date(Date.now() + 3_600_000),
  );
  await bed.stores.jobs.publishDrafts(ids);
  return ids;
}

function gate() {
  return new RobotsGate({ stores: bed.stores, retentionMs: 3_600_000 });
}

describe('active jobs', () => {
  it('include the jobs of every account beside any number of older jobs of another one', async () => {
    await storeJobs(1200, bed.accountId);
    const [newest] = await storeJobs(1, await bed.addAccount());
    const active = new ActiveJobs(bed.stores, gate());
    await active.refresh();
    expect(active.find(newest as string)).toBeDefined();
    expect(active.size).toBe(501);
  });

  it('include the newest jobs of an account that has many older ones', async () => {
    const ids = await storeJobs(700, bed.accountId);
    const active = new ActiveJobs(bed.stores, gate());
    await active.refresh();
    expect(active.size).toBe(500);
    expect(active.find(ids[0] as string)).toBeDefined();
    expect(active.find(ids.at(-1) as string)).toBeDefined();
    expect(active.find(ids[550] as string)).toBeUndefined();
  });

  it('read the pages of many small jobs with few queries', async () => {
    const ids = await storeJobs(300, bed.accountId);
    let queries = 0;
    const pages: TestBed['stores']['pages'] = {
      ...bed.stores.pages,
      findWaiting: (...parameters) => {
        queries += 1;
        return bed.stores.pages.findWaiting(...parameters);
      },
    };
    const active = new ActiveJobs({ ...bed.stores, pages }, gate());
    await active.refresh();
    await active.fill(EMPTY);
    expect(active.all().map(({ waiting }) => waiting.length)).toEqual(ids.map(() => 1));
    expect(queries).toBe(1);
  });
});
