import type { StoredPage } from '@gleaner/storage';
import { describe, expect, it } from '@jest/globals';
import { decideScreenshot, type ScreenshotStanding } from './decide-screenshot.ts';

const NOW = 1_000_000;
const LATER = new Date(NOW + 300_000);

function fate(differences: Partial<ScreenshotStanding> = {}) {
  const record = { id: 'a', jobId: 'job_1', pageId: 'job_1:00000', attempt: 2, checkAt: new Date(NOW) };
  const page = { state: 'succeeded', attempt: 2 } as const;
  return decideScreenshot({ record, job: {}, page, namedId: 'a', ...differences }, NOW);
}

describe('a screenshot', () => {
  it('is kept until its job is gone', () => {
    const expiresAt = new Date(NOW + 1);
    expect(fate({ job: { expiresAt } })).toEqual(expiresAt);
    expect(fate({ job: { expiresAt: new Date(NOW) } })).toBe('remove');
    expect(fate({ job: undefined })).toBe('remove');
    expect(fate()).toEqual(LATER);
  });

  it('is kept while its try may still end with it', () => {
    expect(fate({ page: { state: 'running', attempt: 2 }, namedId: null })).toEqual(LATER);
  });

  it.each<[string, Partial<ScreenshotStanding>]>([
    ['another one is named by the result', { namedId: 'b' }],
    ['there is no result', { namedId: null }],
    ['its try is over', { page: { state: 'running', attempt: 3 } }],
    ['its page is gone', { page: undefined }],
    ...(['waiting', 'failed', 'cancelled'] satisfies StoredPage['state'][]).map(
      (state): [string, Partial<ScreenshotStanding>] => [
        `its page is ${state}`,
        { page: { state, attempt: 2 } },
      ],
    ),
  ])('is removed when %s', (_why, differences) => {
    expect(fate(differences)).toBe('remove');
  });
});
