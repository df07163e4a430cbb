import { brotliCompressSync, constants } from 'node:zlib';
import { ROUTES, type RouteName } from '@gleaner/contracts';
import { startWatchedProcess, type WatchedProcess } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CostlyCall, costlyCallsOf, targetOf } from './support/costly-calls.ts';
import { startScriptedNotifier } from './support/scripted-notifier.ts';
import { startScriptedOrchestrator } from './support/scripted-orchestrator.ts';
import { startScriptedScheduler } from './support/scripted-scheduler.ts';
import { found, startScriptedWorker } from './support/scripted-worker.ts';
import { type LargeData, largeContent, seedLarge } from './support/seed-large.ts';
import { startTestBed, type TestBed, type TestKey } from './support/test-bed.ts';

/** No turn of the event loop takes longer on a quiet machine, in CPU time of its thread. */
const MAX_TURN_MS = 100;
/** Factor by which CPU time grows where other processes share the caches and the memory. */
const TOLERANCE = 3;
/** A turn counts as long if it is so each time: compilations and collections of garbage come by chance. */
const TRIES = 3;

let bed: TestBed;
let gateway: WatchedProcess;
let owner: TestKey;
let data: LargeData;

beforeAll(async () => {
  bed = await startTestBed();
  await startScriptedOrchestrator(bed.broker);
  await startScriptedScheduler(bed.broker, bed.stores);
  await startScriptedNotifier(bed.broker, bed.stores);
  const worker = await startScriptedWorker(bed.broker);
  const large = { dataJson: JSON.stringify({ text: largeContent(8_000_000) }) };
  worker.follow(({ body }) => found(body.request.url.endsWith('large') ? large : {}));
  const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } };
  const content = brotliCompressSync(largeContent(30_000_000), fast).toString('base64');
  bed.broker.respond('snapshots.commands', async () => ({ content }), { concurrency: 10 });
  await bed.broker.whenReady(30_000);
  owner = await bed.createKey();
  data = await seedLarge(bed, owner.accountId);
  gateway = await startWatchedProcess(new URL('../src/main.ts', import.meta.url), {
    ...bed.env,
    PORT: '0',
    RATE_LIMIT_CREATE: '100000',
    RATE_LIMIT_SCRAPE: '100000',
    RATE_LIMIT_READ: '100000',
  });
}, 600_000);
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await bed?.[Symbol.asyncDispose]();
});

/** Sends a request and reads its response, which the database may cut on a busy machine; returns the longest turn during that time. */
async function longestTurn(route: RouteName, call: CostlyCall): Promise<number> {
  await gateway.longestTurn();
  const { body } = call;
  const response = await fetch(`http://127.0.0.1:${gateway.ports.http}${targetOf(route, call)}`, {
    method: ROUTES[route].method.toUpperCase(),
    headers: { authorization: `Bearer ${owner.key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer().catch(() => {});
  return await gateway.longestTurn();
}

describe('no turn of the event loop of a gateway is long', () => {
  it.each(Object.keys(ROUTES) as RouteName[])(
    'in the route %s',
    async (route) => {
      const tooLong: string[] = [];
      for (const call of costlyCallsOf(route, data)) {
        let turnMs = Number.POSITIVE_INFINITY;
        for (let tries = 0; turnMs > MAX_TURN_MS * TOLERANCE && tries < TRIES; tries += 1) {
          turnMs = Math.min(turnMs, await longestTurn(route, call));
        }
        if (turnMs > MAX_TURN_MS * TOLERANCE)
          tooLong.push(`${call.name ?? targetOf(route, call)}: ${Math.round(turnMs)} ms`);
      }
      expect(tooLong).toEqual([]);
    },
    600_000,
  );
});
