import type { PackedPage } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { createStores, type Stores } from '../src/index.ts';
import { BACKENDS } from './backends.ts';
import { useBackend } from './use-backend.ts';

const NOW = new Date();
const TERMS = { now: NOW, retentionMs: 3_600_000 };
const PAGE: PackedPage = { kind: 'html', baseUrl: 'http://a.example/', source: 'cGFnZQ==' };
const LEGACY: PackedPage = { ...PAGE, encoding: 'koi8-r' };

describe.each(BACKENDS)('snapshots on $name', ({ start }) => {
  let stores: Stores;
  useBackend(start, (connected) => {
    stores = createStores(connected);
  });

  it.each([PAGE, LEGACY])('are found as they were stored: %j', async (page) => {
    const { insertSnapshot, insertPageSnapshots, findSnapshot, findPagesOf } = stores.snapshots;
    const id = await insertSnapshot({ accountId: 'acc_1', page, quotaBytes: 1024, ...TERMS });
    expect(await findSnapshot(id, 'acc_1', NOW)).toEqual(page);
    const read = { statusCode: 203, engine: 'browser' } as const;
    const ofJob = { accountId: 'acc_1', jobId: `job_${id}`, url: 'http://a.example/x' };
    await insertPageSnapshots([{ id: `${id}_0`, ...ofJob, page: { ...page, ...read } }], TERMS);
    const found = await findPagesOf(ofJob.jobId, [ofJob.url], NOW);
    expect(found.get(ofJob.url)).toEqual({ ...page, ...read, readAt: NOW.toISOString() });
  });
});
