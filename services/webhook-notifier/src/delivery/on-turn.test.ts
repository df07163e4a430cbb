import { describe, expect, it } from '@jest/globals';
import { deferralMs, planTurn } from './on-turn.ts';

const NOW_MS = Date.parse('2026-01-31T12:00:00.000Z');
const at = (offsetMs: number) => new Date(NOW_MS + offsetMs);
const clock = { nowMs: NOW_MS, giveUpAfterMs: 1000 };
const due = { attemptCount: 2, nextAttemptAt: at(0), roundStartedAt: at(-500) };

describe('the turn of a delivery', () => {
  it('sends the delivery when that attempt is due', () => {
    expect(planTurn({ attempt: 3 }, due, clock)).toEqual({ do: 'send' });
  });

  it.each([
    ['the delivery is gone', 3, null],
    ['the delivery has ended', 3, { attemptCount: 2, roundStartedAt: at(-500) }],
    ['the try was made already', 2, due],
    ['the try is not the next one', 4, due],
  ])('is dropped when %s', (_case, attempt, delivery) => {
    expect(planTurn({ attempt }, delivery, clock)).toEqual({ do: 'forget' });
  });

  it('waits until it is due, also while another notifier makes the attempt', () => {
    expect(planTurn({ attempt: 3 }, { ...due, nextAttemptAt: at(250) }, clock)).toEqual({
      do: 'wait',
      waitMs: 250,
    });
  });

  it('gives up a delivery whose round has lasted too long', () => {
    expect(planTurn({ attempt: 3 }, { ...due, roundStartedAt: at(-1001) }, clock)).toEqual({ do: 'give-up' });
  });
});

describe('a delivery whose endpoint has no room', () => {
  it('waits longer each time, up to half a minute', () => {
    expect([0, 1, 2, 8, 9, 5000].map((deferrals) => deferralMs(deferrals, 1))).toEqual([
      100, 200, 400, 25_600, 30_000, 30_000,
    ]);
  });

  it('waits at least half of its longest delay', () => {
    expect(deferralMs(3, 0)).toBe(400);
  });
});
