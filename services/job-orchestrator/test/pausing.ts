import type { Stores } from '@gleaner/storage';
import { eventually } from '@gleaner/test-kit';
import { expect } from '@jest/globals';
import { type TestBed, urlsOf } from './start-test-bed.ts';

/** Operations of the stores that a test can hold up. */
type Pausable =
  | ['pages', 'cancelSome' | 'skipSome' | 'failSome' | 'insertCrawlPages' | 'insertPagesOfJobs']
  | ['jobs', 'noteSweep'];

/** Returns stores one of whose operations waits until the test lets it go on. */
export function pausing(stores: Stores, ...[kind, name]: Pausable) {
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const operations: Record<string, unknown> = stores[kind];
  const operation = operations[name] as (...parameters: unknown[]) => Promise<unknown>;
  const paused = async (...parameters: unknown[]) => {
    reached.resolve();
    await gate.promise;
    return await operation(...parameters);
  };
  return {
    stores: { ...stores, [kind]: { ...operations, [name]: paused } },
    reached: reached.promise,
    resume: () => gate.resolve(),
  };
}

/** Has a job of one page of another account finished. */
export async function finishAnother(bed: TestBed): Promise<void> {
  const accountId = await bed.addAccount();
  const { id } = await bed.create({ urls: urlsOf(1, 'other.test') }, { accountId });
  await untilCompleted(bed, id);
}

/** Returns a job once it has finished, its counters included. */
export async function untilCompleted({ stores }: TestBed, jobId: string) {
  return await eventually(async () => {
    const [job] = await stores.jobs.findJobs([jobId]);
    expect(job?.completedAt).toBeDefined();
    return job;
  });
}
