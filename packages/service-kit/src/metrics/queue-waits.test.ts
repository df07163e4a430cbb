import { expect, it } from '@jest/globals';
import { QueueWaits } from '../lifecycle/open-backends.ts';

it('remembers the longest wait of each queue for a minute', () => {
  let nowMs = 0;
  const waits = new QueueWaits(() => nowMs);
  waits.note('pages.http', 3);
  waits.note('pages.http', 40);
  waits.note('pages.http', 1);
  waits.note('scrape.http', 0);
  expect([...waits.longest()]).toEqual([
    ['pages.http', 40],
    ['scrape.http', 0],
  ]);
  nowMs = 61_000;
  expect(waits.longest().get('pages.http')).toBe(0);
  waits.note('pages.http', 2);
  expect(waits.longest().get('pages.http')).toBe(2);
});
