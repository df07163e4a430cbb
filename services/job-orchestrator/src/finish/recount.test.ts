import { describe, expect, it } from '@jest/globals';
import { isRecountDue } from './recount.ts';

const CREATED_MS = 1_000_000;
const isDueAfter = (ms: number, totalUrls: number) =>
  isRecountDue({ createdAt: new Date(CREATED_MS), totalUrls }, new Date(CREATED_MS + ms), 60_000);

describe('a recount', () => {
  it('of a small job is due after the time that is set', () => {
    expect(isDueAfter(59_999, 10_000)).toBe(false);
    expect(isDueAfter(60_000, 10_000)).toBe(true);
  });

  it('of a large job is rarer, so that the pages that it reads per second stay bounded', () => {
    expect(isDueAfter(1_999_999, 1_000_000)).toBe(false);
    expect(isDueAfter(2_000_000, 1_000_000)).toBe(true);
  });
});
