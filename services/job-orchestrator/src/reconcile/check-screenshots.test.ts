import type { StoredPage } from '@gleaner/storage';
import { describe, expect, it } from '@jest/globals';
import { decideScreenshot, type ScreenshotEvidence } from './check-screenshots.ts';

const NOW = 1_000_000;
const LATER = new Date(NOW + 300_000);

function decide(differences: Partial<ScreenshotEvidence> = {}) {
  const record = { id: 'a', jobId: 'job_1', pageId: 'job_1:00000', attempt: 2, checkAt: new Date(NOW) };
  const page = { state: 'succeeded', attempt: 2 } as const;
  return decideScreenshot({ record, job: {}, page, namedId: 'a', ...differences }, NOW);
}

describe('a screenshot', () => {
  it('is kept until its job is deleted', () => {
    const retainedUntil = new Date(NOW + 1);
    expect(decide({ job: { retainedUntil } })).toEqual(retainedUntil);
    expect(decide({ job: { retainedUntil: new Date(NOW) } })).toBe('remove');
    expect(decide({ job: undefined })).toBe('remove');
    expect(decide()).toEqual(LATER);
  });

  it('is kept while its attempt may still succeed with it', () => {
    expect(decide({ page: { state: 'running', attempt: 2 }, namedId: null })).toEqual(LATER);
  });

  it.each<[string, Partial<ScreenshotEvidence>]>([
    ['the result names another one', { namedId: 'b' }],
    ['there is no result', { namedId: null }],
    ['its attempt is over', { page: { state: 'running', attempt: 3 } }],
    ['its page is deleted', { page: undefined }],
    ...(['waiting', 'failed', 'cancelled'] satisfies StoredPage['state'][]).map(
      (state): [string, Partial<ScreenshotEvidence>] => [
        `its page is ${state}`,
        { page: { state, attempt: 2 } },
      ],
    ),
  ])('is removed when %s', (_reason, differences) => {
    expect(decide(differences)).toBe('remove');
  });
});
