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
/** Prices of another page, each for one request; the last one stays. */
const flicker = [30, 18, 30, 17, 17];
const nextFlicker = () => (flicker.length > 1 ? flicker.shift() : flicker[0]) ?? 0;
const priced = (price: number) => `<b class="price">£${price}.00</b>`;
const pageOf = (cost: string) =>
  `<title>Kettle</title><main><h1>Kettle</h1><p>${'A copper kettle with a wooden handle, made by hand. '.repeat(10)}</p>${cost}</main>`;
let shop: Site;
let receiver: WebhookReceiver;
let bed: TestStack;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-watch-'));
  shop = await startSite(({ request, response }) => {
    const html = { 'content-type': 'text/html; charset=utf-8' };
    if (shown === 'outage') return void response.writeHead(503, html).end('Down');
    if (shown === 'captcha') return void response.writeHead(200, html).end(suspectPage('recaptcha-page'));
    if (request.url === '/flicker')
      return void response.writeHead(200, html).end(pageOf(priced(nextFlicker())));
    const cost = shown === 'redesign' ? '<b class="cost">£1.00</b>' : priced(shown);
    response.writeHead(200, html).end(pageOf(cost));
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

/** Waits until the schedule has so many runs, all finished, and returns them, newest first. */
const finishedRuns = (scheduleId: string, count: number) =>
  eventually(async () => {
    const { runs } = (await bed.ask(`/v1/schedules/${scheduleId}/runs`)).json;
    expect(runs).toHaveLength(count);
    for (const { status } of runs) expect(['completed', 'partial', 'failed']).toContain(status);
    return runs;
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
  const options = [
    '-s',
    'title=h1',
    '-s',
    'price=.price',
    '--formats',
    'markdown',
    '--when',
    'price.amount < 20',
    '--to',
    'Buyers',
  ];
  // On a machine with much else to do, the scheduler may not answer in time.
  const schedule = await eventually(async () =>
    JSON.parse(await gleaner('watch', shop.origin, ...options, '--cron', '0 0 1 1 *', '--json')),
  );

  const series: Shown[] = [
    ...[30, 28, 'captcha', 18, 18, 'outage', 17, 'redesign', 'redesign', 16],
    ...[25, 'captcha', 25, 19, 'redesign', 19, 24, 'outage', 24, 24],
    ...['captcha', 15, 15, 15, 40, 40, 'redesign', 40, 12, 12],
  ] as Shown[];
  for (const next of series) {
    shown = next;
    const { json } = await bed.ask(`/v1/schedules/${schedule.id}/run`, {});
    await eventually(async () => {
      const { job } = (await bed.ask(`/v1/jobs/${json.job.id}`)).json;
      expect(['completed', 'partial', 'failed']).toContain(job.status);
    });
  }

  const told = ['28 → 18', '25 → 19', '24 → 15', '40 → 12'].map(
    (values) => `price.amount < 20: price.amount ${values}`,
  );
  await eventually(() => expect(receiver.deliveries).toHaveLength(1 + told.length));
  const messages = receiver.deliveries.map(({ json }) => json as { type: string; data: { title: string } });
  expect(messages.map(({ type }) => type)).toEqual(['channel.test', ...told.map(() => 'rule.matched')]);
  expect(messages.slice(1).map(({ data }) => data.title)).toEqual(told);
  const [rule] = JSON.parse(await gleaner('schedule', 'rules', schedule.id, '--json'));
  expect(rule).toMatchObject({ name: 'price.amount < 20', told: told.length, lastTitle: told.at(-1) });
  const { atom } = JSON.parse(await gleaner('schedule', 'feed', schedule.id, '--json'));
  const feed = await (await fetch(`${atom}&only=rules`)).text();
  for (const title of told) expect(feed).toContain(`<title>${title.replace('<', '&lt;')}</title>`);
  expect(feed.match(/<entry>/g)).toHaveLength(told.length);
  expect((await fetch(atom.replace('token=glf_', 'token=glf_x'))).status).toBe(401);
  const diff = ['schedule', 'diff', schedule.id, '--to', String(rule.lastJobId), '--format', 'table'];
  expect(await gleaner(...diff)).toMatch(/^-.*£40\.00.*\n\+.*£12\.00/m);
  expect(await gleaner('schedule', 'show', schedule.id, '--format', 'table')).toContain(
    'when price.amount falls below 20',
  );
}, 600_000);

it('a fall for one run alone is not told if it is to be confirmed, and one that stays is told once', async () => {
  const channel = ['channel', 'create', 'webhook', '--name', 'Patient', '--endpoint', receiver.url, '--json'];
  const { id } = JSON.parse(await gleaner(...channel));
  const rule = ['-s', 'price=.price', '--when', 'price.amount < 20', '--confirm', '1', '--to', id];
  const known = receiver.deliveries.length;
  const watch = ['watch', `${shop.origin}/flicker`, ...rule, '--cron', '0 0 1 1 *', '--json'];
  const schedule = JSON.parse(await gleaner(...watch));
  await finishedRuns(schedule.id, 1);
  // The run after each fall is the confirmation, and no other call asks for it.
  for (const runs of [3, 5]) {
    await bed.ask(`/v1/schedules/${schedule.id}/run`, {});
    await finishedRuns(schedule.id, runs);
  }
  await bed.ask(`/v1/schedules/${schedule.id}/run`, {});
  const [, last] = await finishedRuns(schedule.id, 6);
  const told = () => receiver.deliveries.slice(known).map(({ json }) => json as { data: object });
  await eventually(() => expect(told()).toHaveLength(1));
  expect(told()[0]?.data).toMatchObject({
    title: 'price.amount < 20: price.amount 30 → 17',
    jobId: last.id,
  });
  expect(JSON.parse(await gleaner('schedule', 'rules', schedule.id, '--json'))).toMatchObject([
    { told: 1, lastJobId: last.id },
  ]);
  expect(flicker).toEqual([17]);
}, 600_000);
