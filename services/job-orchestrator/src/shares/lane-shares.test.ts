import { describe, expect, it } from '@jest/globals';
import { claimHold, divide, type PlannerPart, slotShareOf } from './lane-shares.ts';

describe('a division', () => {
  it.each([
    [10, [100, 100], [5, 5]],
    [10, [2, 100, 100], [2, 4, 4]],
    [10, [1, 2, 3], [1, 2, 3]],
    [3, [9, 9, 9, 9], [1, 1, 1, 0]],
    [0, [5], [0]],
    [-3, [5], [0]],
    [5, [], []],
  ])('of %d among those that want %j gives %j', (total, wants, shares) => {
    expect(divide(total, wants)).toEqual(shares);
  });

  it('gives what cannot be divided to others each time', () => {
    const turns = [0, 1, 2].map((turn) => divide(1, [9, 9, 9], turn));
    expect(turns).toEqual([
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ]);
  });
});

describe('the shares of slots', () => {
  const partOf = (http: Record<string, number>): PlannerPart => ({
    wants: { http, browser: {} },
    needs: {},
    holds: {},
  });
  /** Returns the lanes of an account in all planners together. */
  function lanesOf(parts: readonly PlannerPart[], slots: number, account: string): number {
    return parts.reduce((sum, _, planner) => {
      const share = slotShareOf({ parts, engine: 'http', slots, planner, turn: 0 });
      return sum + share.lanesOf(account);
    }, 0);
  }

  it('are the same for accounts, however few planners have pages of one', () => {
    const parts = [
      partOf({ a: 500, b: 500 }),
      partOf({ b: 500 }),
      partOf({ b: 500 }),
      partOf({ b: 9, c: 500 }),
    ];
    expect(['a', 'b', 'c'].map((account) => lanesOf(parts, 300, account))).toEqual([100, 100, 100]);
  });

  it('are together as many as there are slots', () => {
    const parts = [partOf({ a: 7, b: 50 }), partOf({ b: 3, c: 1 }), partOf({})];
    for (const slots of [0, 1, 10, 40, 100]) {
      const shares = parts.map((_, planner) =>
        slotShareOf({ parts, engine: 'http', slots, planner, turn: 1 }),
      );
      expect(shares.reduce((sum, { lanes }) => sum + lanes, 0)).toBe(slots);
    }
  });

  it('leave slots beyond all wants to new work of any account', () => {
    const parts = [partOf({ a: 10 }), partOf({})];
    const share = slotShareOf({ parts, engine: 'http', slots: 40, planner: 1, turn: 0 });
    expect(share.lanes).toBe(15);
    expect(share.lanesOf('new')).toBe(15);
  });
});

describe('what a planner holds', () => {
  const claim = { limit: 200, lanes: 0, wanted: 200, planner: 0, turn: 0, isOpen: true };

  it('is all of the limit while no other planner wants any', () => {
    expect(claimHold({ ...claim, needs: [300, 0], holds: [0, 0] })).toEqual({ hold: 200, usable: 200 });
  });

  it('grows only as far as the others leave room', () => {
    expect(claimHold({ ...claim, needs: [300, 300], holds: [0, 180] })).toEqual({ hold: 20, usable: 20 });
  });

  it('goes back to its share as lanes end, without another lane until then', () => {
    const before = { ...claim, needs: [300, 300], holds: [200, 0] };
    expect(claimHold({ ...before, lanes: 170 })).toEqual({ hold: 170, usable: 100 });
    expect(claimHold({ ...before, lanes: 60 })).toEqual({ hold: 100, usable: 100 });
  });

  it('is what is in flight, and no more, before every planner has told', () => {
    const first = { ...claim, isOpen: false, needs: [300, 0], holds: [0, 0] };
    expect(claimHold({ ...first, lanes: 30 })).toEqual({ hold: 30, usable: 30 });
  });
});
