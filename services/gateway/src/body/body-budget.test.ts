import { describe, expect, it } from '@jest/globals';
import { BodyBudget } from './body-budget.ts';

const NEVER = new AbortController().signal;

describe('BodyBudget', () => {
  it('lets bodies wait in order of arrival until there is room', async () => {
    const budget = new BodyBudget({ maxBytesPerAccount: 100 });
    const releaseFirst = await budget.reserve('acc_1', 60, NEVER);
    const started: string[] = [];
    const large = budget.reserve('acc_1', 80, NEVER).then((release) => {
      started.push('large');
      return release;
    });
    const small = budget.reserve('acc_1', 20, NEVER).then((release) => {
      started.push('small');
      return release;
    });
    await (await budget.reserve('acc_2', 100, NEVER))();
    expect(started).toEqual([]);
    releaseFirst();
    const releases = await Promise.all([large, small]);
    expect(started).toEqual(['large', 'small']);
    for (const release of releases) release();
    (await budget.reserve('acc_1', 100, NEVER))();
  });

  it('gives room back once, however often it is released', async () => {
    const budget = new BodyBudget({ maxBytesPerAccount: 100, maxWaitMs: 10 });
    const release = await budget.reserve('acc_1', 50, NEVER);
    await budget.reserve('acc_1', 50, NEVER);
    release();
    release();
    await budget.reserve('acc_1', 50, NEVER);
    await expect(budget.reserve('acc_1', 50, NEVER)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  it('refuses a body that has waited too long, and starts those behind it', async () => {
    const budget = new BodyBudget({ maxBytesPerAccount: 100, maxWaitMs: 20 });
    await budget.reserve('acc_1', 60, NEVER);
    const large = budget.reserve('acc_1', 80, NEVER);
    const small = budget.reserve('acc_1', 20, NEVER);
    await expect(large).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 5 });
    expect(await small).toEqual(expect.any(Function));
  });

  it('forgets a body whose client disconnects while it waits', async () => {
    const budget = new BodyBudget({ maxBytesPerAccount: 100 });
    const release = await budget.reserve('acc_1', 100, NEVER);
    const leaving = new AbortController();
    const waiting = budget.reserve('acc_1', 100, leaving.signal);
    leaving.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    release();
    (await budget.reserve('acc_1', 100, NEVER))();
  });
});
