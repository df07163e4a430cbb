import { brotliCompressSync, constants } from 'node:zlib';
import type { Incoming } from '@gleaner/broker';
import { ROUTES, type RouteName, type SnapshotCommand } from '@gleaner/contracts';
import { type CostlyCase, findLongTurns, startWatchedProcess, type WatchedProcess } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CostlyCall, costlyCallsOf, targetOf } from './support/costly-calls.ts';
import { startScriptedNotifier } from './support/scripted-notifier.ts';
import { startScriptedOrchestrator } from './support/scripted-orchestrator.ts';
import { startScriptedScheduler } from './support/scripted-scheduler.ts';
import { found, startScriptedWorker } from './support/scripted-worker.ts';
import { type LargeData, largeContent, seedLarge } from './support/seed-large.ts';
import { startTestBed, type TestBed, type TestKey } from './support/test-bed.ts';

let bed: TestBed;
let gateway: WatchedProcess;
let owner: TestKey;
let data: LargeData;

beforeAll(async () => {
  bed = await startTestBed();
  const orchestrator = await startScriptedOrchestrator(bed.broker);
  await startScriptedScheduler(bed.broker, bed.stores);
  await startScriptedNotifier(bed.broker, bed.stores);
  const worker = await startScriptedWorker(bed.broker);
  await startScriptedWorker(bed.broker, 'scrape.browser');
  bed.broker.consumeWork('pages.browser', async () => {}, { concurrency: 1 });
  const large = { dataJson: JSON.stringify({ text: largeContent(8_000_000) }) };
  worker.follow(({ body }) => found(body.request.url.endsWith('large') ? large : {}));
  const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } };
  const content = (characters: number) =>
    brotliCompressSync(largeContent(characters), fast).toString('base64');
  const [largeAnswer, smallAnswer] = [content(30_000_000), content(100)];
  const answer = async ({ body }: Incoming<SnapshotCommand>) => ({
    content: body.page.source.length > 1000 ? largeAnswer : smallAnswer,
  });
  bed.broker.respond('snapshots.commands', answer, { concurrency: 10 });
  const mapped = JSON.stringify({
    urls: Array.from({ length: 50_000 }, (_, index) => ({
      url: `https://example.com/${index}`,
      text: 'A "page"',
    })),
    ...{ sources: [], complete: true },
  });
  bed.broker.respond('maps.commands', async () => ({ mapJson: mapped, pages: 1 }), { concurrency: 1 });
  await bed.broker.whenReady(30_000);
  owner = await bed.createKey();
  data = await seedLarge(bed, owner.accountId);
  orchestrator.follow(() => data.wide);
  gateway = await startWatchedProcess(new URL('../src/main.ts', import.meta.url), {
    ...bed.env,
    PORT: '0',
    SECRETS_KEY: 'k'.repeat(40),
    RATE_LIMIT_CREATE: '100000',
    RATE_LIMIT_SCRAPE: '100000',
    RATE_LIMIT_READ: '100000',
    RATE_LIMIT_EXTRACT: '100000',
  });
}, 600_000);
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await bed?.[Symbol.asyncDispose]();
});

/** Sends a request and reads its response. Throws if it is answered otherwise than it should be. */
async function send(route: RouteName, call: CostlyCall): Promise<void> {
  const { body } = call;
  const response = await fetch(`http://127.0.0.1:${gateway.ports.http}${targetOf(route, call)}`, {
    method: ROUTES[route].method.toUpperCase(),
    headers: { authorization: `Bearer ${owner.key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { status } = response;
  if (status === (call.status ?? ROUTES[route].status)) await response.arrayBuffer();
  else throw new Error(`Its status is ${status}: ${await response.text()}`);
}

describe('no turn of the event loop of a gateway is long', () => {
  it.each(Object.keys(ROUTES) as RouteName[])(
    'in the route %s',
    async (route) => {
      const cases = costlyCallsOf(route, data).map((call): CostlyCase => {
        return [call.name ?? targetOf(route, call), () => send(route, call)];
      });
      expect(await findLongTurns(gateway, cases)).toEqual([]);
    },
    600_000,
  );
});
