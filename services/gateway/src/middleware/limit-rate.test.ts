import { mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectBroker } from '@gleaner/broker';
import { startAmqpServer } from '@gleaner/embedded';
import { createLogger } from '@gleaner/service-kit';
import { untilReady } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Request } from 'express';
import type { Response } from '../call.ts';
import { type LimitRateDeps, limitRate } from './limit-rate.ts';

/** Events in their order. */
const order: string[] = [];
const { write } = Socket.prototype;

beforeEach(() => {
  order.length = 0;
  Socket.prototype.write = function (this: Socket, ...args: Parameters<typeof write>) {
    if (Buffer.from(args[0]).includes('the-command')) order.push('command written');
    return write.apply(this, args);
  } as typeof write;
});
afterEach(() => {
  Socket.prototype.write = write;
});

describe('limitRate', () => {
  it('counts a scrape of a key with headroom after its command was written', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'limit-rate-'));
    const server = await startAmqpServer({ dataDir });
    const logger = createLogger({ service: 'gateway', level: 'fatal', format: 'json' });
    const broker = await connectBroker({ url: server.url, name: 'limit-rate-test', logger });
    await untilReady(broker);
    try {
      const counted = Promise.withResolvers<void>();
      const takeFromRateLimit = async () => {
        order.push('counted');
        counted.resolve();
        return { isAllowed: true, limit: 1, remaining: 0, resetSeconds: 1, inFlight: 0 };
      };
      const deps = {
        clock: { now: () => new Date() },
        rateLimits: { takeFromRateLimit },
        headroom: { isAmple: () => true, watch: (_keyId: string, counting: unknown) => counting },
        heldSlots: { add: () => {} },
        allowances: { perWindow: { scrape: 1 }, windowMs: 60_000, scrapesInFlight: 1 },
      } as unknown as LimitRateDeps;
      const call = {
        id: 'req_1',
        arrivedAtMs: 0,
        caller: { keyId: 'key_1' },
        signal: AbortSignal.timeout(60_000),
      };
      const response = { locals: { call }, setHeader: () => {}, once: () => {} } as unknown as Response;
      await limitRate({ rateLimit: 'scrape' }, deps)({} as Request, response, () => {
        broker.broadcast('cancellations', { requestId: 'the-command' }).catch(() => {});
      });
      await counted.promise;
      expect(order).toEqual(['command written', 'counted']);
    } finally {
      await broker.close();
      await server.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  it('refuses a scrape only after it has freed the slots of answered ones', async () => {
    let isFreed = false;
    const decision = { limit: 1, remaining: 0, resetSeconds: 1, inFlight: 1, retryAfterSeconds: 1 };
    const takeFromRateLimit = async () =>
      isFreed
        ? { ...decision, isAllowed: true, refusedBy: null }
        : { ...decision, isAllowed: false, refusedBy: 'concurrency' };
    const settle = async () => {
      const hadAny = !isFreed;
      isFreed = true;
      return hadAny;
    };
    const deps = {
      clock: { now: () => new Date() },
      rateLimits: { takeFromRateLimit },
      headroom: { isAmple: () => false, watch: (_keyId: string, counting: unknown) => counting },
      heldSlots: { add: () => {} },
      slotReleases: { settle },
      allowances: { perWindow: { scrape: 1 }, windowMs: 60_000, scrapesInFlight: 1 },
    } as unknown as LimitRateDeps;
    const call = { id: 'req_1', caller: { keyId: 'key_1' }, signal: AbortSignal.timeout(60_000) };
    const response = { locals: { call }, setHeader: () => {}, once: () => {} } as unknown as Response;
    await limitRate({ rateLimit: 'scrape' }, deps)({} as Request, response, () => order.push('next'));
    expect(order).toEqual(['next']);
  });
});
