import { describe, expect, it } from '@jest/globals';
import { checkTicks } from './check-ticks.ts';

const minutes = (...values: number[]) => values.map((value) => value * 60_000);
const [leapFrom = 0, leapTo = 0] = minutes(12, 26);

function check(ran: number[], more: object = {}, leaps = [{ fromMs: leapFrom, toMs: leapTo }]) {
  const ranMs = minutes(...ran);
  const record = {
    id: 'sch_1',
    firstTickMs: 0,
    ranMs,
    runCount: ranMs.length,
    hits: [ranMs.length],
    ...more,
  };
  const { lost, doubled } = checkTicks(record, leaps, 30 * 60_000);
  return [lost.length, doubled.length];
}

describe('the check of ticks', () => {
  it.each([
    ['each tick once', [0, 5, 10, 15, 20, 25, 30], [], [0, 0]],
    ['one tick missing', [0, 5, 10, 15, 25, 30], [], [1, 0]],
    ['the last tick missing', [0, 5, 10, 15, 20, 25], [], [1, 0]],
    ['a tick twice', [0, 5, 5, 10, 15, 20, 25, 30], [], [0, 1]],
    ['a run at no tick', [0, 5, 7, 10, 15, 20, 25, 30], [], [0, 1]],
  ])('without a leap: %s', (_case, ran, leaps, expected) => {
    expect(check(ran, {}, leaps)).toEqual(expected);
  });

  it.each([
    ['the ticks that were leapt over as one', [0, 5, 10, 15, 30], [0, 0]],
    ['as one with the tick before that had not been taken', [0, 5, 10, 30], [0, 0]],
    ['each of them', [0, 5, 10, 15, 20, 25, 30], [0, 0]],
    ['none of them, nor the one before', [0, 5, 30], [4, 0]],
    ['but a tick after the leap missing', [0, 5, 10, 15], [1, 0]],
  ])('with a leap: %s', (_case, ran, expected) => {
    expect(check(ran)).toEqual(expected);
  });

  it('finds counts and fetches that do not match', () => {
    expect(check([0, 5, 10, 15, 30], { runCount: 6 })).toEqual([0, 1]);
    expect(check([0, 5, 10, 15, 30], { hits: [6] })).toEqual([0, 1]);
  });
});
