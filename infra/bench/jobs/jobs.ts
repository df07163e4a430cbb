import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareContenders } from './compare-contenders.ts';
import { FIELD_SETS, type FieldSet, startPagesOrigin, type Workload } from './workload.ts';

const WORK = { urls: 'listed', pages: 2000, warmUpPages: 300 } as const;

/**
 * Measures the CPU per page of a job over all processes of Gleaner, its broker and its database, on each available broker,
 * next to Scrapy and Crawlee doing the same work (Linux).
 */
export async function benchJobs(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gleaner-bench-'));
  const origin = await startPagesOrigin(folder);
  const meanKib = (origin.meanBytes / 1024).toFixed(0);
  try {
    for (const [fields, selectors] of Object.entries(FIELD_SETS)) {
      const count = Object.keys(selectors).length;
      console.log(`jobs      ${WORK.pages} pages of ${meanKib} KiB on average, ${count} ${fields} fields`);
      const work: Workload = { ...WORK, fields: fields as FieldSet, url: origin.url };
      await compareContenders('jobs', work, join(folder, fields));
    }
  } finally {
    await origin.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
