import { createId } from '@gleaner/contracts';
import { createRandom } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { createStores, type RateLimitRequest, type Stores } from '../src/index.ts';
import { BACKENDS } from './backends.ts';
import { useBackend } from './use-backend.ts';

// Far in the future, so that stored documents do not expire by the server's clock.
const NOW = new Date('2099-06-01T12:00:00.000Z');
const WINDOW_MS = 60_000;

const after = (ms: number) => new Date(NOW.getTime() + ms);

describe.each(BACKENDS)('rate limits on $name', ({ start }) => {
  let replicas: Stores['rateLimits'][];
  let limits: Stores['rateLimits'];

  useBackend(start, async (connected, backend) => {
    limits = createStores(connected).rateLimits;
    replicas = [limits, createStores(await backend.connect()).rateLimits];
  });

  const requestOf = (fields: Partial<RateLimitRequest> = {}): RateLimitRequest => ({
    keyId: createId('key'),
    class: 'scrape',
    limit: 5,
    windowMs: WINDOW_MS,
    now: NOW,
    ...fields,
  });

  it('allows exactly the limit over concurrent requests to replicas', async () => {
    const request = requestOf({ limit: 10 });
    const decisions = await Promise.all(
      Array.from({ length: 30 }, (_, turn) => replicas[turn % 2]?.takeFromRateLimit(request)),
    );
    const allowed = decisions.filter((decision) => decision?.isAllowed);
    expect(allowed).toHaveLength(10);
    expect(allowed.map((decision) => decision?.remaining).toSorted((a = 0, b = 0) => a - b)).toEqual(
      Array.from({ length: 10 }, (_, left) => left),
    );
  });

  it('counts nothing that a clock counted before it was set back by more than a window', async () => {
    const request = requestOf({ limit: 2 });
    await limits.takeFromRateLimit({ ...request, now: after(3_600_000) });
    await limits.takeFromRateLimit({ ...request, now: after(3_600_000) });
    expect(await limits.takeFromRateLimit(request)).toMatchObject({ isAllowed: true, remaining: 1 });
    expect(await limits.takeFromRateLimit(request)).toMatchObject({ isAllowed: true, remaining: 0 });
    expect(await limits.takeFromRateLimit(request)).toMatchObject({ isAllowed: false, resetSeconds: 60 });
    expect(await limits.takeFromRateLimit({ ...request, now: after(61_000) })).toMatchObject({
      remaining: 1,
    });
  });

  it('counts what a replica counted whose clock is ahead', async () => {
    const request = requestOf({ limit: 1 });
    await limits.takeFromRateLimit({ ...request, now: after(20_000) });
    expect(await limits.takeFromRateLimit(request)).toMatchObject({ isAllowed: false });
  });

  it('reports remaining requests and the time until the next one is allowed', async () => {
    const request = requestOf({ limit: 2 });
    expect(await limits.takeFromRateLimit(request)).toEqual({
      isAllowed: true,
      refusedBy: null,
      limit: 2,
      remaining: 1,
      inFlight: 0,
      resetSeconds: 60,
      retryAfterSeconds: 0,
    });
    expect(await limits.takeFromRateLimit({ ...request, now: after(10_500) })).toMatchObject({
      isAllowed: true,
      remaining: 0,
      resetSeconds: 50,
    });
    expect(await limits.takeFromRateLimit({ ...request, now: after(20_000) })).toEqual({
      isAllowed: false,
      refusedBy: 'rate',
      limit: 2,
      remaining: 0,
      inFlight: 0,
      resetSeconds: 40,
      retryAfterSeconds: 40,
    });
  });

  it('allows a rejected request after the reported delay', async () => {
    const request = requestOf({ limit: 10 });
    for (let turn = 0; turn < 10; turn += 1) {
      await limits.takeFromRateLimit({ ...request, now: after(turn * 317) });
    }
    const { retryAfterSeconds } = await limits.takeFromRateLimit({ ...request, now: after(4000) });
    expect(retryAfterSeconds).toBeGreaterThan(50);
    const again = await limits.takeFromRateLimit({ ...request, now: after(4000 + retryAfterSeconds * 1000) });
    expect(again.isAllowed).toBe(true);
  });

  it('does not count rejected requests', async () => {
    const request = requestOf({ limit: 1 });
    await limits.takeFromRateLimit(request);
    for (let turn = 1; turn < 10; turn += 1) {
      const decision = await limits.takeFromRateLimit({ ...request, now: after(turn * 6000) });
      expect(decision.isAllowed).toBe(false);
    }
    expect((await limits.takeFromRateLimit({ ...request, now: after(WINDOW_MS) })).isAllowed).toBe(true);
  });

  it('never allows more than the limit in any span of a window', async () => {
    const random = createRandom(20250601);
    const request = requestOf({ limit: 7, windowMs: 10_000 });
    const allowedAt: number[] = [];
    let nowMs = NOW.getTime();
    for (let turn = 0; turn < 400; turn += 1) {
      nowMs += random.below(10) === 0 ? random.below(9000) : random.below(300);
      const decision = await limits.takeFromRateLimit({ ...request, now: new Date(nowMs) });
      if (decision.isAllowed) allowedAt.push(nowMs);
    }
    const fullest = Math.max(
      ...allowedAt.map((startMs) => allowedAt.filter((ms) => ms >= startMs && ms < startMs + 10_000).length),
    );
    expect(fullest).toBe(7);
  });

  it('counts keys and classes separately', async () => {
    const request = requestOf({ limit: 1 });
    await limits.takeFromRateLimit(request);
    expect((await limits.takeFromRateLimit(request)).isAllowed).toBe(false);
    expect((await limits.takeFromRateLimit({ ...request, class: 'read' })).isAllowed).toBe(true);
    expect((await limits.takeFromRateLimit({ ...request, keyId: createId('key') })).isAllowed).toBe(true);
  });

  it('limits requests in flight, and allows another one when a slot is freed', async () => {
    const request = requestOf({ limit: 100 });
    const slotOf = (operationId: string) => ({ operationId, max: 3, expiresAt: after(30_000) });
    const decisions = await Promise.all(
      Array.from({ length: 9 }, (_, turn) =>
        replicas[turn % 2]?.takeFromRateLimit({ ...request, slot: slotOf(`req_${turn}`) }),
      ),
    );
    const inFlight = decisions.flatMap((decision, turn) => (decision?.isAllowed ? [`req_${turn}`] : []));
    expect(inFlight).toHaveLength(3);

    const next = { ...request, slot: slotOf('req_next') };
    expect(await limits.takeFromRateLimit(next)).toMatchObject({
      isAllowed: false,
      refusedBy: 'concurrency',
      remaining: 97,
      inFlight: 3,
      retryAfterSeconds: 1,
    });
    const freed = { ...request, operationIds: inFlight.slice(0, 1) };
    await limits.freeSlots(freed);
    await limits.freeSlots(freed);
    expect(await limits.takeFromRateLimit(next)).toMatchObject({ isAllowed: true, remaining: 96 });
    expect((await limits.takeFromRateLimit({ ...request, slot: slotOf('req_other') })).isAllowed).toBe(false);
  });

  it('counts each of the requests that come together', async () => {
    const request = requestOf({ limit: 17 });
    const takeAll = (names: readonly string[], now: Date) =>
      Promise.all(
        names.map((operationId) => {
          const slot = { operationId, max: 14, expiresAt: after(30_000) };
          return limits.takeFromRateLimit({ ...request, now, slot });
        }),
      );
    const names = Array.from({ length: 10 }, (_, turn) => `req_${turn}`);
    const decisions = await takeAll(names, NOW);
    const remaining = decisions.map((decision) => decision.remaining).toSorted((a, b) => b - a);
    expect(remaining).toEqual(names.map((_, index) => 16 - index));
    expect(decisions.filter(({ isAllowed }) => isAllowed)).toHaveLength(10);

    const further = await takeAll(
      ['req_9', 'req_10', 'req_10', ...names.map((name) => `${name}b`)],
      after(1),
    );
    const allowed = further.filter(({ isAllowed }) => isAllowed);
    const refusals = further.flatMap(({ refusedBy }) => refusedBy ?? []);
    expect(Math.max(...further.map(({ inFlight }) => inFlight))).toBe(14);
    expect(allowed.length + refusals.length).toBe(13);
    // Two of them repeat an operation, which has its slot already.
    expect(allowed).toHaveLength(6);
    expect(new Set(refusals)).toEqual(new Set(['concurrency']));
  });

  it('frees slots before it counts requests that come at the same time', async () => {
    const request = requestOf({ limit: 100 });
    const take = (operationId: string) =>
      limits.takeFromRateLimit({ ...request, slot: { operationId, max: 3, expiresAt: after(30_000) } });
    const first = ['req_0', 'req_1', 'req_2'];
    for (const operationId of first) await take(operationId);
    const running = limits.freeSlots({ ...request, operationIds: ['req_other'] });
    const second = ['req_3', 'req_4', 'req_5'].map(take);
    const freed = first.map((operationId) => limits.freeSlots({ ...request, operationIds: [operationId] }));
    expect((await Promise.all(second)).map(({ isAllowed }) => isAllowed)).toEqual([true, true, true]);
    await Promise.all([running, ...freed]);
  });

  it('frees slots when they expire', async () => {
    const request = requestOf({ limit: 100 });
    const take = (operationId: string, now: Date) =>
      limits.takeFromRateLimit({
        ...request,
        now,
        slot: { operationId, max: 1, expiresAt: new Date(now.getTime() + 30_000) },
      });
    expect((await take('req_dead', NOW)).isAllowed).toBe(true);
    expect((await take('req_early', after(29_999))).isAllowed).toBe(false);
    expect((await take('req_late', after(30_000))).isAllowed).toBe(true);
  });

  it('extends a slot unless it was freed', async () => {
    const request = requestOf({ limit: 100 });
    const take = (operationId: string, now: Date) =>
      limits.takeFromRateLimit({ ...request, now, slot: { operationId, max: 2, expiresAt: after(30_000) } });
    await take('req_long', NOW);
    await take('req_freed', NOW);
    await limits.freeSlots({ ...request, operationIds: ['req_freed'] });
    const extended = { ...request, operationIds: ['req_long', 'req_freed'] };
    await limits.extendSlots({ ...extended, expiresAt: after(50_000) });
    await limits.extendSlots({ ...extended, expiresAt: after(40_000) });

    const inFlightAt = async (operationId: string, now: Date) => {
      const slot = { operationId, max: 1, expiresAt: after(30_000) };
      return (await limits.takeFromRateLimit({ ...request, now, slot })).refusedBy;
    };
    expect(await inFlightAt('req_early', after(49_999))).toBe('concurrency');
    expect(await inFlightAt('req_late', after(50_000))).toBeNull();
  });

  it('extends no slots of a key without requests', async () => {
    const request = requestOf();
    await limits.extendSlots({ ...request, operationIds: ['req_none'], expiresAt: after(30_000) });
    const slot = { operationId: 'req_first', max: 1, expiresAt: after(30_000) };
    expect(await limits.takeFromRateLimit({ ...request, slot })).toMatchObject({
      isAllowed: true,
      inFlight: 1,
    });
  });

  it('gives a repeated request of an operation the same slot', async () => {
    const slot = { operationId: 'req_same', max: 1, expiresAt: after(30_000) };
    const request = requestOf({ limit: 100, slot });
    await limits.takeFromRateLimit(request);
    expect((await limits.takeFromRateLimit(request)).isAllowed).toBe(true);
  });

  it.each(['$$NOW', '$buckets', '$', 'a.b', '__proto__'])(
    'treats the operation id %s as text',
    async (operationId) => {
      const request = requestOf({ slot: { operationId, max: 1, expiresAt: after(30_000) } });
      expect((await limits.takeFromRateLimit(request)).isAllowed).toBe(true);
      const other = { ...request, slot: { operationId: 'req_other', max: 1, expiresAt: after(30_000) } };
      expect((await limits.takeFromRateLimit(other)).refusedBy).toBe('concurrency');
      await limits.freeSlots({ ...request, operationIds: [operationId] });
      expect((await limits.takeFromRateLimit(other)).isAllowed).toBe(true);
    },
  );
});
