import { eventually, untilReady } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call } from './support/call.ts';
import { found, startScriptedWorker } from './support/scripted-worker.ts';
import { startTestBed, type TestBed } from './support/test-bed.ts';

let bed: TestBed;

beforeAll(async () => {
  bed = await startTestBed();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

describe('a scrape that continues in a browser', () => {
  it('is answered and charged once when a worker dies before it acknowledged passing it on', async () => {
    const { url } = await bed.startGateway();
    const { key } = await bed.createKey({ balance: 100 });
    const browser = await startScriptedWorker(bed.broker, 'scrape.browser');
    browser.follow(async () => {
      // Both copies are answered at once.
      await eventually(() => expect(browser.commands.length).toBeGreaterThan(1));
      return found({ engine: 'browser', price: { base: 1, render: 4, antiBot: 10 } });
    });
    const [doomed, heir] = [await bed.connectBroker(), await bed.connectBroker()];
    const died = Promise.withResolvers<void>();
    doomed.respond(
      'scrape.http',
      async ({ body, forward }) => {
        try {
          return await forward('scrape.browser', body);
        } finally {
          await doomed.close(0);
          died.resolve();
        }
      },
      { concurrency: 1 },
    );
    await untilReady(doomed);
    const scrape = () =>
      call(`${url}/v1/scrape`, { key, body: { url: 'https://example.com/', antiBot: true } });
    const first = scrape();
    await died.promise;
    heir.respond('scrape.http', ({ body, forward }) => forward('scrape.browser', body), { concurrency: 1 });
    expect(await first).toMatchObject({
      status: 200,
      json: { metadata: { engine: 'browser', credits: 15 } },
    });
    expect(browser.commands).toHaveLength(2);
    expect(new Set(browser.commands.map(({ requestId }) => requestId)).size).toBe(1);
    // Replies come in their order: this one comes after the second to the first scrape.
    expect(await scrape()).toMatchObject({ status: 200 });
    const { json } = await call(`${url}/v1/usage`, { key });
    expect(json.usage).toMatchObject({ used: 30, remaining: 70, reserved: 0 });
  });
});
