import { createLogger } from '@gleaner/service-kit';
import { eventually } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { startTicking } from './start-ticking.ts';

const logger = createLogger({ service: 'scheduler', level: 'silent', format: 'json', instance: undefined });
const DAY_MS = 24 * 3600 * 1000;

let ticks: number;
let stop: () => Promise<void>;

beforeEach(() => {
  ticks = 0;
  stop = startTicking({ tick: async () => void ticks++, logger });
});
afterEach(async () => {
  await stop();
  jest.useRealTimers();
});

async function expectTwoMore(): Promise<void> {
  const before = ticks;
  await eventually(() => expect(ticks).toBeGreaterThanOrEqual(before + 2));
}

/** Everything of a process that passes time by itself; a clock that is set changes none of it. */
const TIMERS = [
  ...(['nextTick', 'queueMicrotask', 'hrtime', 'performance'] as const),
  ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
  ...(['setTimeout', 'clearTimeout'] as const),
];

/** Sets the clock of this process, and nothing else. */
function setClockBy(ms: number): void {
  jest.useFakeTimers({ now: Date.now() + ms, doNotFake: [...TIMERS] });
}

describe('the ticking', () => {
  it('goes on second by second, and no more once it is stopped', async () => {
    await expectTwoMore();
    await stop();
    const atTheEnd = ticks;
    await new Promise((done) => setImmediate(done));
    expect(ticks).toBe(atTheEnd);
  });

  it.each([
    ['a year ahead', 365 * DAY_MS],
    ['a year back', -365 * DAY_MS],
    ['an hour back', -DAY_MS / 24],
  ])('goes on when the clock is set %s', async (_case, ms) => {
    await expectTwoMore();
    setClockBy(ms);
    await expectTwoMore();
  });

  it('goes on after a tick that failed, and makes no second one beside one that takes long', async () => {
    await stop();
    ticks = 0;
    let running = 0;
    let most = 0;
    const gate = Promise.withResolvers<void>();
    stop = startTicking({
      logger,
      tick: async () => {
        ticks += 1;
        running += 1;
        most = Math.max(most, running);
        if (ticks === 2) await gate.promise;
        running -= 1;
        if (ticks === 1) throw new Error('The first tick fails.');
      },
    });
    await eventually(() => expect(ticks).toBe(2));
    let beside = 0;
    const stopOther = startTicking({ tick: async () => void beside++, logger });
    await eventually(() => expect(beside).toBeGreaterThanOrEqual(3));
    await stopOther();
    expect(ticks).toBe(2);
    gate.resolve();
    await expectTwoMore();
    expect(most).toBe(1);
  });
});
