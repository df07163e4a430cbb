import { describe, expect, it } from '@jest/globals';
import { tallyUsage } from './usage-rows.ts';

describe('tallyUsage', () => {
  it('adds rows up by day, by operation and in total', () => {
    const rows = [
      { day: '2025-03-02', operation: 'scrape', credits: 7, requests: 2 },
      { day: '2025-03-01', operation: 'page', credits: 1, requests: 1 },
      { day: '2025-03-02', operation: 'page', credits: 3, requests: 3 },
    ];
    expect(tallyUsage(rows)).toEqual({
      used: 11,
      byDay: [
        { day: '2025-03-01', credits: 1, requests: 1 },
        { day: '2025-03-02', credits: 10, requests: 5 },
      ],
      byOperation: { scrape: { credits: 7, requests: 2 }, page: { credits: 4, requests: 4 } },
    });
  });

  it('returns empty sums without rows', () => {
    expect(tallyUsage([])).toEqual({ used: 0, byDay: [], byOperation: {} });
  });
});
