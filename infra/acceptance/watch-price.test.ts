import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  eventually,
  type Site,
  startSite,
  startWebhookReceiver,
  suspectPage,
  type WebhookReceiver,
} from '@gleaner/test-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runGleaner } from '../stack/test/run-gleaner.ts';
import type { TestStack } from '../stack/test/test-stack.ts';
import { joinStack } from './join-stack.ts';

/** State of the shop: a price, a captcha, another look, or an outage. */
type Shown = number | 'captcha' | 'redesign' | 'outage';

let shown: Shown = 30;
let shop: Site;
let receiver: WebhookReceiver;
let bed: TestStack;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-watch-'));
  shop = await startSite(({ response }) => {
    const html = { 'content-type': 'text/html; charset=utf-8' };
    if (shown === 'outage') return void response.writeHead(503, html).end('Down');
    if (shown === 'captcha') return void response.writeHead(200, html).end(suspectPage('recaptcha-page'));
    const cost = shown === 'redesign' ? '<b class="cost">£1.00</b>' : `<b class="price">£${shown}.00</b>`;
    const text = 'A copper kettle with a wooden handle, made by hand. '.repeat(10);
    response
      .writeHead(200, html)
      .end(`<title>Kettle</title><main><h1>Kettle</h1><p>${text}</p>${cost}</main>`);
  });
  receiver = await startWebhookReceiver();
  bed = await joinStack();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await receiver.close();
  await shop.close();
  await rm(folder, { recursive: true, force: true });
});

async function gleaner(...args: string[]) {
  const { code, stdout, stderr } = await runGleaner(bed.stack, folder, args);
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

it('a price is watched for thirty runs: each fall below the bound is told once, and nothing else', async () => {
  const channel = JSON.parse(
    await gleaner('channel', 'create', 'webhook', '--name', 'Buyers', '--endpoint', receiver.url, '--json'),
  );
  expect(JSON.parse(await gleaner('channel', 'test', channel.id, '--json'))).toMatchObject({
    status: 'delivered',
  });
  const options = ['-s', 'title=h1', '-s', 'price=.price', '--when', 'price.amount < 20', '--to', 'Buyers'];
  // On a machine with much else to do, the scheduler may not answer in time.
  const schedule = await eventually(
    async () => JSON.parse(await gleaner('watch', shop.origin, ...options, '--cron', '0 0 1 1 *', '--json')),
    { timeoutMs: 60_000 },
  );

  const series: Shown[] = [
    ...[30, 28, 'captcha', 18, 18, 'outage', 17, 'redesign', 'redesign', 16],
    ...[25, 'captcha', 25, 19, 'redesign', 19, 24, 'outage', 24, 24],
    ...['captcha', 15, 15, 15, 40, 40, 'redesign', 40, 12, 12],
  ] as Shown[];
  for (const next of series) {
    shown = next;
    const { json } = await bed.ask(`/v1/schedules/${schedule.id}/run`, {});
    await eventually(
      async () => {
        const { job } = (await bed.ask(`/v1/jobs/${json.job.id}`)).json;
        expect(['completed', 'partial', 'failed']).toContain(job.status);
      },
      { timeoutMs: 120_000 },
    );
  }

  const told = ['28 → 18', '25 → 19', '24 → 15', '40 → 12'].map(
    (values) => `price.amount < 20: price.amount ${values}`,
  );
  await eventually(() => expect(receiver.deliveries).toHaveLength(1 + told.length), { timeoutMs: 60_000 });
  const messages = receiver.deliveries.map(({ json }) => json as { type: string; data: { title: string } });
  expect(messages.map(({ type }) => type)).toEqual(['channel.test', ...told.map(() => 'rule.matched')]);
  expect(messages.slice(1).map(({ data }) => data.title)).toEqual(told);
  const [rule] = JSON.parse(await gleaner('schedule', 'rules', schedule.id, '--json'));
  expect(rule).toMatchObject({ name: 'price.amount < 20', told: told.length, lastTitle: told.at(-1) });
  expect(await gleaner('schedule', 'show', schedule.id, '--format', 'table')).toContain(
    'when price.amount falls below 20',
  );
}, 600_000);
