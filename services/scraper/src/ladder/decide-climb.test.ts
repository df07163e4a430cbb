import { ERROR_CODES, type ErrorCode } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { decideClimb, shareMs, startingRung } from './decide-climb.ts';
import { rungsFor } from './ladder.ts';

const rungs = rungsFor({ url: 'https://shop.example/', antiBot: true });
const [plain, chrome, browser, disguised] = rungs;
if (!plain || !chrome || !browser || !disguised) throw new Error('The ladder has lost a rung.');

function next(situation: Partial<Parameters<typeof decideClimb>[0]>) {
  const usual = {
    rungs,
    rung: plain,
    request: { antiBot: true },
    outcome: 'BLOCKED',
    isShareSpent: false,
    remainingMs: 50_000,
  } as const;
  return decideClimb({ ...usual, ...situation } as Parameters<typeof decideClimb>[0])?.name;
}

describe('decideClimb', () => {
  it('climbs while the site refuses, and stops at the last rung', () => {
    expect(rungs.map((rung) => next({ rung }))).toEqual(['chrome', 'browser', 'disguised', undefined]);
  });

  it.each(ERROR_CODES.filter((code: ErrorCode) => code !== 'BLOCKED'))('does not climb for %s', (outcome) => {
    expect(next({ outcome })).toBeUndefined();
  });

  it('does not climb after success', () => {
    expect(next({ outcome: 'success' })).toBeUndefined();
  });

  it("climbs after a TIMEOUT of a rung's share, and not of the whole time", () => {
    expect(next({ outcome: 'TIMEOUT', isShareSpent: true })).toBe('chrome');
    expect(next({ outcome: 'TIMEOUT', isShareSpent: false })).toBeUndefined();
  });

  it.each(['shell', 'RENDER_NEEDED'] as const)(
    'goes to the browser for %s if the request says so',
    (outcome) => {
      const own = rungsFor({ url: 'https://shop.example/', render: 'auto' });
      expect(next({ rungs: own, request: { render: 'auto' }, outcome })).toBe('browser');
      expect(next({ request: { render: 'auto', antiBot: true }, outcome })).toBe('browser');
      expect(next({ request: { antiBot: true }, outcome })).toBeUndefined();
      expect(next({ rungs: [plain], request: { render: 'auto' }, outcome })).toBeUndefined();
    },
  );

  it('does not climb for a wall without antiBot', () => {
    expect(next({ request: { render: 'auto' } })).toBeUndefined();
  });

  it('skips rungs that cannot be reached', () => {
    expect(next({ rung: chrome, rungs: [plain, chrome] })).toBeUndefined();
    expect(next({ rung: plain, rungs: [plain, disguised] })).toBe('disguised');
    expect(next({ rung: disguised, rungs: [plain, chrome] })).toBeUndefined();
  });

  it('does not climb when there is too little time', () => {
    expect(next({ remainingMs: 999 })).toBeUndefined();
    expect(next({ remainingMs: 1_000 })).toBe('chrome');
  });
});

describe('shareMs', () => {
  it('is half of the remaining time, and undefined for the last rung', () => {
    expect(shareMs(plain, { rungs, remainingMs: 60_000 })).toBe(30_000);
    expect(shareMs(disguised, { rungs, remainingMs: 7_000 })).toBeUndefined();
    expect(shareMs(plain, { rungs: [plain], remainingMs: 30_000 })).toBeUndefined();
  });
});

describe('startingRung', () => {
  it('is the lowest rung, or the highest of those named', () => {
    expect(startingRung(rungs, [undefined, undefined])).toBe(plain);
    expect(startingRung(rungs, ['browser', undefined])).toBe(browser);
    expect(startingRung(rungs, ['browser', 'disguised'])).toBe(disguised);
    expect(startingRung([plain, chrome], ['next-proxy', 'browser'])).toBe(plain);
  });
});
