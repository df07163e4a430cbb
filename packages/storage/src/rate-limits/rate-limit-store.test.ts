import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { RateLimitStore } from './rate-limit-store.ts';

const OWNER = { keyId: 'key_1', class: 'scrape' };

it('refuses a request that fails while slots are still freed, without an unhandled rejection', async () => {
  const freeing = Promise.withResolvers<void>();
  const collection = {
    findOneAndUpdate: async () => {
      // Long enough for the requests below to wait together.
      await sleep(10);
      throw new Error('The pool has no connection.');
    },
    updateOne: () => freeing.promise,
  };
  const store = new RateLimitStore(collection as never);
  const take = () =>
    store
      .takeFromRateLimit({ ...OWNER, limit: 10, windowMs: 60_000, now: new Date() })
      .catch(() => 'refused');
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  const first = take();
  await nextTurn();
  const freed = store.freeSlots({ ...OWNER, operationIds: ['req_1'] });
  const second = take();
  await first;
  await sleep(100);
  freeing.resolve();
  await freed;
  expect(await second).toBe('refused');
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});
