import { createLogger } from '@gleaner/service-kit';
import { eventually } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
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
  globalThis.Date = RealDate;
  await stop();
});

async function expectTwoMore(): Promise<void> {
  const before = ticks;
  await eventually(() => expect(ticks).toBeGreaterThanOrEqual(before + 2));
}

/** Waits until another timer has ticked twice, so that the one under test would have ticked as well. */
async function passTwoSeconds(): Promise<void> {
  let otherTicks = 0;
  const stopOther = startTicking({ tick: async () => void otherTicks++, logger });
  await eventually(() => expect(otherTicks).toBeGreaterThanOrEqual(2));
  await stopOther();
}

const RealDate = Date;

/** Moves the clock of this process, which goes on from there; its timers are monotonic and do not change. */
function moveClockBy(ms: number): void {
  globalThis.Date = class extends RealDate {
    constructor(value: number | string | Date = RealDate.now() + ms) {
      super(value);
    }
    static override now(): number {
      return RealDate.now() + ms;
    }
  } as DateConstructor;
}

describe('startTicking', () => {
  it('ticks every second until it is stopped', async () => {
    await expectTwoMore();
    await stop();
    const ticksAtStop = ticks;
    await passTwoSeconds();
    expect(ticks).toBe(ticksAtStop);
  });

  it.each([
    ['a year ahead', 365 * DAY_MS],
    ['a night ahead, as after a machine has slept', DAY_MS / 3],
    ['two seconds ahead', 2000],
    ['a year back', -365 * DAY_MS],
    ['an hour back', -DAY_MS / 24],
  ])('goes on when the clock is set %s', async (_case, ms) => {
    await expectTwoMore();
    moveClockBy(ms);
    await expectTwoMore();
  });

  it('does not start a second tick when the clock is set during one', async () => {
    await stop();
    const gate = Promise.withResolvers<void>();
    ticks = 0;
    stop = startTicking({
      logger,
      tick: async () => {
        ticks += 1;
        await gate.promise;
      },
    });
    await eventually(() => expect(ticks).toBe(1));
    moveClockBy(DAY_MS);
    await passTwoSeconds();
    expect(ticks).toBe(1);
    gate.resolve();
    await expectTwoMore();
  });

  it('goes on after a failed tick, and does not start a tick while one is running', async () => {
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
    await passTwoSeconds();
    expect(ticks).toBe(2);
    gate.resolve();
    await expectTwoMore();
    expect(most).toBe(1);
  });
});
