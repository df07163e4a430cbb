import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ScheduleHealth } from '@gleaner/contracts';
import {
  createContent,
  createDesign,
  createRandom,
  eventually,
  renderShop,
  type ShopContent,
  type Site,
  startSite,
  startWebhookReceiver,
  suspectPage,
} from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runGleaner } from '../stack/test/run-gleaner.ts';
import type { TestStack } from '../stack/test/test-stack.ts';
import { joinStack } from './join-stack.ts';

const random = createRandom(30);
const BEFORE = createDesign(random);
const AFTER = { ...BEFORE, names: createDesign(random).names, wrappers: BEFORE.wrappers + 1 };
const CONTENTS = Object.fromEntries(['/1', '/2', '/3'].map((path) => [path, createContent(random)]));

let contents: Readonly<Record<string, ShopContent>> = CONTENTS;
let state: 'open' | 'signedOut' | 'captcha' = 'open';
let design = BEFORE;
let shop: Site;
let bed: TestStack;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-shop-'));
  shop = await startSite(({ url, response }) => {
    const html = { 'content-type': 'text/html; charset=utf-8' };
    const content = contents[url.pathname];
    if (url.pathname === '/login') return void response.writeHead(200, html).end(suspectPage('bare-login'));
    if (!content) return void response.writeHead(404, html).end('Not found');
    if (state === 'signedOut')
      return void response.writeHead(302, { location: `/login?return=${url.pathname}` }).end();
    response
      .writeHead(200, html)
      .end(state === 'captcha' ? suspectPage('recaptcha-page') : renderShop(content, design));
  });
  bed = await joinStack();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await shop.close();
  await rm(folder, { recursive: true, force: true });
});

const SELECTORS = {
  title: 'h1',
  price: { selector: `.${BEFORE.names.facts} .${BEFORE.names.price}`, type: 'price' },
  products: {
    selector: `.${BEFORE.names.card}`,
    all: true,
    fields: { name: `.${BEFORE.names.cardName}`, price: `.${BEFORE.names.cardPrice}`, link: 'a::attr(href)' },
  },
};

interface Run {
  readonly id: string;
  readonly status: string;
}

interface Delivery {
  readonly type: string;
  readonly data: { readonly fields?: readonly { readonly path: string }[]; readonly health?: string };
}

describe('a shop that a schedule watches for thirty runs', () => {
  it.each(['keep', 'fail'] as const)(
    'raises one event, with the right suggestion, and no false change; suspects %s',
    async (onSuspect) => {
      await using receiver = await startWebhookReceiver();
      [contents, state, design] = [CONTENTS, 'open', BEFORE];
      const events = ['schedule.changed', 'schedule.drift', 'schedule.recovered'];
      const { json: created } = await bed.ask('/v1/schedules', {
        urls: Object.keys(contents).map((path) => shop.origin + path),
        cron: '0 0 1 1 *',
        selectors: SELECTORS,
        onSuspect,
        webhook: { url: receiver.url, events },
      });
      const path = `/v1/schedules/${created.schedule.id}`;
      const finishedRuns: Run[] = [];
      const run = async (count: number) => {
        for (let index = 0; index < count; index += 1) {
          const { json } = await bed.ask(`${path}/run`, {});
          finishedRuns.push(await finished(json.job.id));
        }
      };
      const health = async (): Promise<ScheduleHealth> => (await bed.ask(`${path}/health`)).json.health;

      await run(6);
      state = 'signedOut';
      await run(3);
      state = 'open';
      await run(2);
      state = 'captcha';
      await run(1);
      state = 'open';
      await run(4);
      expect(await health()).toMatchObject({ health: 'ok', runs: 12 });
      design = AFTER;
      await run(1);
      expect(await health()).toMatchObject({ health: 'ok' });
      await run(3);

      const found = await health();
      expect(found).toMatchObject({
        health: 'broken',
        fields: [
          { path: 'price', now: { fill: 0 }, before: { fill: 1 }, suggestion: { isVerified: true } },
          { path: 'products', now: { count: 0 }, suggestion: { isVerified: true } },
          ...[{ health: 'ok' }, { health: 'ok' }, { health: 'ok' }, { health: 'ok' }],
        ],
      });
      const [page] = found.pages;
      for (const id of [page?.good, page?.bad]) {
        const view = await bed.ask(`/v1/snapshots/${id}/extract`, { selectors: { title: 'h1' } });
        expect(view.json.data).toEqual({ title: CONTENTS[new URL(page?.url ?? '').pathname]?.title });
      }
      expect((await bed.ask('/v1/schedules')).json.schedules[0]).toMatchObject({ health: 'broken' });

      const shown = await runGleaner(bed.stack, folder, [
        'schedule',
        'health',
        created.schedule.id,
        '--format',
        'table',
      ]);
      expect(shown.stdout).toMatch(/price +broken +(conversion|fill) +100 % +0 %/);
      expect(shown.stderr).toContain(`gleaner schedule accept ${created.schedule.id}`);
      const accepted = await runGleaner(bed.stack, folder, ['schedule', 'accept', created.schedule.id]);
      expect([accepted.code, accepted.stderr]).toEqual([
        0,
        expect.stringContaining('Accepted: price, products'),
      ]);

      await run(9);
      contents = { ...CONTENTS, '/2': { ...(CONTENTS['/2'] as ShopContent), title: 'Another kettle' } };
      await run(1);
      expect(finishedRuns).toHaveLength(30);
      expect(await health()).toMatchObject({ health: 'ok' });

      const last = finishedRuns.at(-1);
      const { json: results } = await bed.ask(`/v1/jobs/${last?.id}/results`);
      for (const { url, data } of results) {
        const { title, price, products } = contents[new URL(url).pathname] as ShopContent;
        expect(data).toEqual({
          title,
          price: { amount: Number(price.slice(1)), currency: 'GBP' },
          products: products.map(({ name, price: cost, link }) => ({ name, price: cost, link })),
        });
      }
      await eventually(() => expect(receiver.deliveries).toHaveLength(3));
      const sent = receiver.deliveries.map(({ json }) => json as Delivery);
      expect(sent.map(({ type }) => type)).toEqual([
        'schedule.drift',
        'schedule.recovered',
        'schedule.changed',
      ]);
      expect(sent[0]?.data.fields?.map(({ path: field }) => field)).toEqual(['price', 'products']);
      expect(sent[1]?.data).toMatchObject({ health: 'ok' });

      const suspects = [...finishedRuns.slice(6, 9), ...finishedRuns.slice(11, 12)];
      if (onSuspect === 'fail') expect(suspects.map(({ status }) => status)).toEqual(Array(4).fill('failed'));
      const stored = await Promise.all(
        suspects.map(async ({ id }) => (await bed.ask(`/v1/jobs/${id}/results`)).json),
      );
      const isStored = (result: { error?: object }) => onSuspect === 'fail' && result.error === undefined;
      expect(stored.flat().filter(isStored)).toEqual([]);
    },
    300_000,
  );
});

it('is found again by a suggestion though it is required, and the runs without it fail', async () => {
  [contents, state, design] = [CONTENTS, 'open', BEFORE];
  const price = { ...SELECTORS.price, required: true };
  const { json: created } = await bed.ask('/v1/schedules', {
    url: `${shop.origin}/1`,
    cron: '0 0 1 1 *',
    selectors: { ...SELECTORS, price },
  });
  const path = `/v1/schedules/${created.schedule.id}`;
  const run = async () => {
    const { json } = await bed.ask(`${path}/run`, {});
    return (await finished(json.job.id)).status;
  };
  for (let count = 0; count < 3; count += 1) expect(await run()).toBe('completed');
  design = AFTER;
  for (let count = 0; count < 2; count += 1) expect(await run()).toBe('failed');
  const { health } = (await bed.ask(`${path}/health`)).json;
  expect(health).toMatchObject({ health: 'broken', pages: [{ bad: expect.stringMatching(/^snp_/) }] });
  expect(health.fields[0]).toMatchObject({ path: 'price', suggestion: { isVerified: true } });
  const { json } = await bed.ask(`${path}/health/accept`, { suggestedFor: health.suggestedFor });
  expect(json).toMatchObject({ accepted: ['price'], schedule: { selectors: { price: { required: true } } } });
});

it('tells of a price that changed while its selector was broken, and of no second fall soon after an acceptance', async () => {
  // Its markup does not say what its values mean, so that each redesign breaks the selectors.
  const bare = { ...BEFORE, hasProperties: false };
  [contents, state, design] = [CONTENTS, 'open', bare];
  const { json: created } = await bed.ask('/v1/schedules', {
    url: `${shop.origin}/1`,
    cron: '0 0 1 1 *',
    selectors: { title: SELECTORS.title, price: SELECTORS.price },
  });
  const path = `/v1/schedules/${created.schedule.id}`;
  /** Runs the schedule, and returns what it found changed. */
  const run = async () => {
    const { json } = await bed.ask(`${path}/run`, {});
    const job = await finished(json.job.id);
    const { changes } = (await bed.ask(`/v1/jobs/${job.id}/changes`)).json;
    return changes.map((each: { path: string; kind: string; before: unknown; after: unknown }) => [
      each.path,
      each.kind,
      each.before,
      each.after,
    ]);
  };
  const health = async (): Promise<ScheduleHealth> => (await bed.ask(`${path}/health`)).json.health;
  const accept = async () => {
    const { suggestedFor, fields } = await health();
    expect(fields[0]).toMatchObject({ path: 'price', health: 'broken', suggestion: expect.anything() });
    const { json } = await bed.ask(`${path}/health/accept`, { suggestedFor, fields: ['price'] });
    expect(json.accepted).toEqual(['price']);
  };
  for (let count = 0; count < 4; count += 1) expect(await run()).toEqual([]);

  design = { ...bare, names: AFTER.names };
  for (let count = 0; count < 2; count += 1) expect(await run()).toEqual([]);
  await accept();
  const first = CONTENTS['/1'] as ShopContent;
  contents = { '/1': { ...first, price: '£4321.00' } };
  expect(await run()).toEqual([['price.amount', 'changed', Number(first.price.slice(1)), 4321]]);
  expect(await health()).toMatchObject({ health: 'ok' });

  // The next redesign comes before the new selector has been usual for long.
  design = withoutLists(contents['/1']);
  for (let count = 0; count < 2; count += 1) expect(await run()).toEqual([]);
  await accept();
  expect(await run()).toEqual([]);
  expect(await health()).toMatchObject({ health: 'ok' });
}, 300_000);

/** Returns a design without definition lists, in which the first suggestion finds the price. */
function withoutLists(content = createContent(random)): typeof BEFORE {
  for (;;) {
    const other = { ...createDesign(random), hasProperties: false };
    if (!renderShop(content, other).includes('<dd')) return other;
  }
}

async function finished(id: string) {
  return await eventually(
    async () => {
      const { json } = await bed.ask(`/v1/jobs/${id}?resultsLimit=0`);
      if (!json.job.completedAt) throw new Error(`The job is ${json.job.status}.`);
      return json.job;
    },
    { timeoutMs: 240_000 },
  );
}
