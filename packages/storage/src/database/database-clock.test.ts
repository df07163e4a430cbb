import { describe, expect, it } from '@jest/globals';
import { DatabaseClock } from './database-clock.ts';

const HOUR_MS = 3_600_000;

describe('DatabaseClock', () => {
  it.each([HOUR_MS, -HOUR_MS])('follows a server whose clock is %d ms off', (offMs) => {
    const clock = new DatabaseClock();
    const [asked, serverTime] = [performance.now(), new Date(Date.now() + offMs)];
    clock.follow(serverTime, asked, performance.now());
    expect(clock.nowMs()).toBeGreaterThanOrEqual(serverTime.getTime());
    expect(clock.now().getTime()).toBeLessThanOrEqual(Date.now() + offMs + 1);
  });

  it('is not moved by an answer that took long', () => {
    const clock = new DatabaseClock();
    const serverTime = new Date();
    const at = performance.now();
    clock.follow(serverTime, at, at);
    // What was read half an hour ago, or a moment ago, agrees with what is known.
    clock.follow(new Date(serverTime.getTime() + HOUR_MS / 2), at, at + HOUR_MS);
    expect(clock.nowMs() - serverTime.getTime()).toBeLessThanOrEqual(Math.ceil(performance.now() - at) + 1);
  });
});
