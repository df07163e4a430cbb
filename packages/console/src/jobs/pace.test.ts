import type { Job } from '@gleaner/client';
import { describe, expect, it } from '@jest/globals';
import { addSample, describePace, type Sample } from './pace.ts';

const START = Date.parse('2026-01-01T00:00:00.000Z');
const JOB: Job = {
  id: 'job_1',
  name: 'Books',
  status: 'running',
  totalUrls: 100,
  completedUrls: 40,
  failedUrls: 0,
  creditsUsed: 40,
  createdAt: new Date(START).toISOString(),
  startedAt: new Date(START).toISOString(),
};

describe('describePace', () => {
  it('takes the time since the start where there are no samples', () => {
    expect(describePace(JOB, START + 10_000)).toBe('4.0 pages/s, about 15.0 s left');
  });

  it('takes the last samples: a job that slowed down is not promised its first rate', () => {
    const samples = [0, 10_000, 40_000, 70_000].reduce<readonly Sample[]>(
      (all, at, index) => addSample(all, { atMs: START + at, completedUrls: [0, 30, 35, 40][index] ?? 0 }),
      [],
    );
    expect(samples.map(({ completedUrls }) => completedUrls)).toEqual([35, 40]);
    expect(describePace(JOB, START + 70_000, samples)).toBe('10 pages/min, about 6 min 0 s left');
  });

  it('says that nothing finishes', () => {
    const samples = [0, 5_000].map((at) => ({ atMs: START + at, completedUrls: 40 }));
    expect(describePace(JOB, START + 5_000, samples)).toBe('no page finished lately');
  });

  it('promises no end of a crawl', () => {
    const crawl = {} as NonNullable<Job['crawl']>;
    expect(describePace({ ...JOB, crawl }, START + 10_000)).toContain('for the pages known so far');
  });

  it.each<[string, Partial<Job>]>([
    ['has finished', { status: 'completed' }],
    ['has just started', { completedUrls: 0 }],
  ])('says nothing of a job that %s', (_what, part) => {
    expect(describePace({ ...JOB, ...part }, START + 10_000)).toBeUndefined();
  });
});
