import { expect, it } from '@jest/globals';
import { RecentMaxima } from './recent-maxima.ts';

it('remembers the largest value of each name for a minute', () => {
  let nowMs = 0;
  const maxima = new RecentMaxima(() => nowMs);
  expect(maxima.note('pages.http', 3)).toBe(true);
  maxima.note('pages.http', 40);
  expect(maxima.note('pages.http', 1)).toBe(false);
  maxima.note('scrape.http', 0);
  expect([...maxima.read()]).toEqual([
    ['pages.http', 40],
    ['scrape.http', 0],
  ]);
  nowMs = 61_000;
  expect(maxima.read().get('pages.http')).toBe(0);
  maxima.note('pages.http', 2);
  expect(maxima.read().get('pages.http')).toBe(2);
});
