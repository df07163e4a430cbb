import { describe, expect, it } from '@jest/globals';
import { pageIdBounds, pageIdOf, pageIndexOf } from './page-id.ts';

const INDEXES = [0, 7, 10, 99_998, 99_999, 100_000, 100_001, 999_999, 1_000_000, 9_999_999, 10_000_000];

describe('the id of a page', () => {
  it('sorts by index, however many digits the index has', () => {
    const ids = INDEXES.map((index) => pageIdOf('job_1', index));
    expect(ids.toSorted()).toEqual(ids);
    expect(ids.map(pageIndexOf)).toEqual(INDEXES);
  });

  it('has five digits up to 99,999, as stored pages have', () => {
    expect([0, 99_999, 100_000].map((index) => pageIdOf('job_1', index))).toEqual([
      'job_1:00000',
      'job_1:99999',
      'job_1:a100000',
    ]);
  });

  it('is within the bounds of its job, and not the beginning of another id', () => {
    const { $gte, $lt } = pageIdBounds('job_1');
    const ids = INDEXES.map((index) => pageIdOf('job_1', index));
    expect(ids.filter((id) => id < $gte || id >= $lt)).toEqual([]);
    expect(ids.filter((id) => ids.some((other) => other !== id && other.startsWith(id)))).toEqual([]);
  });
});
