import type { PageOutcome } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { PATIENCE_MS, patienceMsOf } from './outcome-batches.ts';

const JOB = { isKnown: true, isCrawl: false, isDrained: false };

function outcomeOf(outcome: object) {
  return { jobId: 'job_1', pageId: 'job_1:0', attempt: 1, outcome: outcome as PageOutcome['outcome'] };
}

const FOUND = outcomeOf({ kind: 'found', dataJson: '{}' });

describe('patienceMsOf', () => {
  it('lets plain results of a job wait longer than anything else', () => {
    expect(patienceMsOf(FOUND, JOB)).toBe(PATIENCE_MS.plain);
    expect(PATIENCE_MS.other).toBeLessThan(PATIENCE_MS.plain);
  });

  it.each([
    ['an error', outcomeOf({ kind: 'failed' }), JOB],
    ['a lost page', outcomeOf({ kind: 'lost' }), JOB],
    ['a page of a crawl', FOUND, { ...JOB, isCrawl: true }],
    ['a screenshot', { ...FOUND, screenshotId: 'file' }, JOB],
    ['a large result', outcomeOf({ kind: 'found', dataJson: 'x'.repeat(300_000) }), JOB],
  ])('lets %s wait shortly', (_what, outcome, job) => {
    expect(patienceMsOf(outcome, job)).toBe(PATIENCE_MS.other);
  });

  it('lets nothing wait that may complete its job', () => {
    expect(patienceMsOf(FOUND, { ...JOB, isKnown: false })).toBe(0);
    expect(patienceMsOf(FOUND, { ...JOB, isDrained: true })).toBe(0);
  });
});
