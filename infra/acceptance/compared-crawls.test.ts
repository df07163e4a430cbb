import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Change } from '@gleaner/contracts';
import { eventually, type Site, startSite, startWebhookReceiver, suspectPage } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runGleaner } from '../stack/test/run-gleaner.ts';
import type { TestStack } from '../stack/test/test-stack.ts';
import { joinStack } from './join-stack.ts';

/** Links and text of the pages of the site, by path. */
type Pages = Record<string, { readonly links: readonly string[]; readonly text: string }>;

let pages: Pages = {};
let site: Site;
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
let bed: TestStack;

beforeAll(async () => {
  site = await startSite(({ url, request, response }) => {
    const page = pages[url.pathname];
    if (!page) return void response.writeHead(404).end('Not found');
    const links = page.links.map((path) => `<a href="${path}">${path}</a>`).join(' ');
    const body = `<title>${url.pathname}</title><main><p>${page.text}</p></main><nav>${links}</nav>`;
    const etag = `"${createHash('sha1').update(body).digest('hex')}"`;
    const headers = { 'content-type': 'text/html', etag };
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304, headers).end();
    response.writeHead(200, headers).end(body);
  });
  receiver = await startWebhookReceiver();
  bed = await joinStack();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await receiver.close();
  await site.close();
});

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

const pathsOf = async (id: string, change: string): Promise<string[]> => {
  const { json } = await bed.ask(`/v1/jobs/${id}/results?change=${change}`);
  return json.map(({ url }: { url: string }) => new URL(url).pathname).sort();
};

describe('a crawl of a schedule with changes', () => {
  it('reports exactly what changed on the site, by REST and by webhook', async () => {
    const items = Array.from({ length: 30 }, (_, index) => `/items/${index}`);
    const itemPages = Object.fromEntries(items.map((path) => [path, { links: ['/'], text: `Item ${path}` }]));
    pages = { '/': { links: items, text: 'Welcome' }, ...itemPages };
    const { json: created } = await bed.ask('/v1/schedules', {
      url: `${site.origin}/`,
      cron: '0 0 1 1 *',
      selectors: { text: 'p' },
      crawl: { changes: true },
      webhook: { url: receiver.url, events: ['job.changed'] },
    });
    const { id: scheduleId } = created.schedule;
    const run = async () => {
      const { json } = await bed.ask(`/v1/schedules/${scheduleId}/run`, {});
      return await finished(json.job.id);
    };
    const first = await run();
    expect(first.crawl).not.toHaveProperty('changes');
    const same = await run();
    expect(same).toMatchObject({
      creditsUsed: 0,
      crawl: { since: first.id, changes: { new: 0, changed: 0, unchanged: 31, gone: 0, unlinked: 0 } },
    });

    const { '/items/3': _removed, ...left } = pages;
    const linked = items.filter((path) => path !== '/items/3' && path !== '/items/4');
    pages = {
      ...left,
      '/': { links: [...linked, '/items/new'], text: 'Welcome' },
      '/items/7': { links: ['/'], text: 'Another text' },
      '/items/new': { links: [], text: 'New' },
    };
    const last = await run();
    expect(last.crawl.changes).toEqual({ new: 1, changed: 1, unchanged: 29, gone: 1, unlinked: 1 });
    expect(last.creditsUsed).toBe(3);
    expect(await pathsOf(last.id, 'new')).toEqual(['/items/new']);
    expect(await pathsOf(last.id, 'changed')).toEqual(['/items/7']);
    expect(await pathsOf(last.id, 'gone')).toEqual(['/items/3']);
    expect(await pathsOf(last.id, 'unlinked')).toEqual(['/items/4']);
    const unmodified = site.fetches.filter(({ url }) => url.endsWith('/items/9'));
    expect(unmodified).toHaveLength(3);

    await eventually(async () => {
      const { json } = await bed.ask(`/v1/schedules/${scheduleId}`);
      expect(json.schedule.lastChanges).toEqual(last.crawl.changes);
    });
    const { json: listed } = await bed.ask(`/v1/schedules/${scheduleId}/runs`);
    expect(listed.runs.map(({ changed }: { changed: boolean | null }) => changed)).toEqual([
      true,
      false,
      null,
    ]);
    await eventually(async () => expect(receiver.deliveries).toHaveLength(1));
    const [delivery] = receiver.deliveries.map(({ json }) => json as Delivery);
    expect(delivery?.type).toBe('job.changed');
    expect(delivery?.data.job).toMatchObject({ id: last.id, changes: { added: 1, removed: 1, changed: 1 } });
    expect(delivery?.data.job).not.toHaveProperty('results');
    expect(
      delivery?.data.changes.map(({ url, ...change }) => ({ path: new URL(url).pathname, change })),
    ).toEqual([
      { path: '/items/3', change: { path: '', kind: 'removed', before: { text: 'Item /items/3' } } },
      {
        path: '/items/7',
        change: { path: 'text', kind: 'changed', before: 'Item /items/7', after: 'Another text' },
      },
      { path: '/items/new', change: { path: '', kind: 'added', after: { text: 'New' } } },
    ]);
  });
});

interface Delivery {
  readonly type: string;
  readonly data: { readonly job: object; readonly changes: readonly Change[] };
}

interface Product {
  readonly name: string;
  readonly price: string;
  readonly stock: string;
}

describe('a price monitor over 42 products on four pages', () => {
  const product = (index: number): Product => ({
    name: `Book ${index}`,
    price: `£${10 + index}.99`,
    stock: 'In stock',
  });
  const shelf = (...indexes: number[]) => indexes.map(product);
  const range = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const BEFORE = [range(0, 10), range(11, 21), range(22, 32), range(33, 41)].map((each) => shelf(...each));
  /** Two prices and a stock are others, 5 is gone, 99 is new, and 25 has moved from the third page to the fourth. */
  const AFTER = [
    shelf(...range(0, 4), ...range(6, 10)),
    [...shelf(...range(11, 21)), product(99)],
    shelf(...range(22, 24), ...range(26, 32)),
    shelf(...range(33, 40), 25, 41),
  ].map((page) =>
    page.map((each) => {
      if (each.name === 'Book 3' || each.name === 'Book 41') return { ...each, price: '£1.00' };
      return each.name === 'Book 30' ? { ...each, stock: 'Sold out' } : each;
    }),
  );
  const CHANGES: readonly (Omit<Change, 'url'> & { readonly page: string })[] = [
    { page: '/1', path: 'products[Book 3].price', kind: 'changed', before: '£13.99', after: '£1.00' },
    { page: '/1', path: 'products[Book 5]', kind: 'removed', before: product(5) },
    { page: '/3', path: 'products[Book 30].stock', kind: 'changed', before: 'In stock', after: 'Sold out' },
    { page: '/4', path: 'products[Book 41].price', kind: 'changed', before: '£51.99', after: '£1.00' },
    { page: '/2', path: 'products[Book 99]', kind: 'added', after: product(99) },
  ];
  const SELECTORS = {
    heading: 'h1',
    products: { selector: 'li', all: true, fields: { name: 'b', price: '.price', stock: '.stock' } },
  };

  let shelves: readonly (readonly Product[])[] = BEFORE;
  /** The second page asks for a login instead of showing its products. */
  let isClosed = false;
  let shop: Site;
  let folder: string;

  beforeAll(async () => {
    shop = await startSite(({ url, response }) => {
      const page = Number(url.pathname.slice(1));
      const products = shelves[page - 1];
      if (!products) return void response.writeHead(404).end();
      if (isClosed && page === 2) {
        return void response.writeHead(200, { 'content-type': 'text/html' }).end(suspectPage('bare-login'));
      }
      const items = products.map(
        ({ name, price, stock }) =>
          `<li><b>${name}</b> <i class="price">${price}</i> <i class="stock">${stock}</i></li>`,
      );
      const next = page < shelves.length ? `<a class="next" href="/${page + 1}">Next</a>` : '';
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`<title>Shop</title><h1>Books</h1><ul>${items.join('')}</ul>${next}`);
    });
    folder = await mkdtemp(join(tmpdir(), 'gleaner-monitor-'));
    await writeFile(join(folder, 'selectors.json'), JSON.stringify(SELECTORS));
    await writeFile(join(folder, 'crawl.json'), JSON.stringify({ rules: [{ match: '**', next: '.next' }] }));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await shop.close();
  });

  async function gleaner(...args: string[]) {
    const { code, stdout, stderr } = await runGleaner(bed.stack, folder, args);
    if (code !== 0) throw new Error(`gleaner ${args.join(' ')}: ${stderr}`);
    return stdout;
  }
  const page = (changes: readonly Change[]) =>
    changes.map(({ url, ...change }) => ({ page: new URL(url).pathname, ...change }));
  const changesBy = async (...args: string[]) =>
    page(JSON.parse(await gleaner(...args, '--json')) as Change[]);

  async function runOf(schedule: string) {
    const { id } = JSON.parse(await gleaner('schedule', 'run', schedule, '--json')) as { id: string };
    return await finished(id);
  }

  it.each([
    ['a crawl that follows its pages', ['/1'], ['--changes', '--crawl', 'crawl.json']],
    ['a list of the pages', ['/1', '/2', '/3', '/4'], []],
  ])('finds exactly five changes as a schedule of %s, in all places', async (_case, paths, options) => {
    await using own = await startWebhookReceiver();
    const events = options.length > 0 ? ['job.changed', 'schedule.changed'] : ['schedule.changed'];
    const webhook = ['--webhook', own.url, ...events.flatMap((event) => ['--webhook-event', event])];
    const urls = paths.map((path) => shop.origin + path);
    const args = [...urls, '--cron', '0 0 1 1 *', '--selectors', 'selectors.json', ...options, ...webhook];
    const schedule = JSON.parse(await gleaner('schedule', 'create', ...args, '--json')) as {
      id: string;
      webhook: object;
    };
    expect(schedule.webhook).toEqual({ url: own.url, events });
    shelves = BEFORE;
    const first = await runOf(schedule.id);
    shelves = AFTER;
    const second = await runOf(schedule.id);
    expect(second.changes).toEqual({ added: 1, removed: 1, changed: 3 });
    expect(await changesBy('schedule', 'changes', schedule.id)).toEqual(CHANGES);
    expect(await changesBy('job', 'changes', second.id)).toEqual(CHANGES);
    expect(await changesBy('job', 'changes', second.id, '--change', 'added')).toEqual(CHANGES.slice(4));
    const { json: ofJob } = await bed.ask(`/v1/jobs/${second.id}/changes`);
    expect(ofJob).toMatchObject({ comparedWith: first.id, matchedBy: { products: 'name' }, omitted: 0 });
    expect(page(ofJob.changes)).toEqual(CHANGES);
    const { json: ofSchedule } = await bed.ask(`/v1/schedules/${schedule.id}/changes`);
    expect(page(ofSchedule.changes[0].changes)).toEqual(CHANGES);
    expect(ofSchedule.changes[1]).toMatchObject({ jobId: first.id, comparedWith: null, changes: [] });
    await eventually(async () => expect(own.deliveries).toHaveLength(events.length));
    const deliveries = own.deliveries.map(({ json }) => json as Delivery);
    expect(deliveries.map(({ type }) => type).toSorted()).toEqual(events);
    for (const { data } of deliveries) expect(page(data.changes)).toEqual(CHANGES);
    const third = await runOf(schedule.id);
    expect(third.changes).toEqual({ added: 0, removed: 0, changed: 0 });
    const { json: listed } = await bed.ask(`/v1/schedules/${schedule.id}/runs`);
    expect(listed.runs.map(({ changed }: { changed: boolean | null }) => changed)).toEqual([
      false,
      true,
      null,
    ]);
  });

  it.each([
    ['a crawl that follows its pages', ['/1'], ['--changes', '--crawl', 'crawl.json']],
    ['a list of the pages', ['/1', '/2', '/3', '/4'], []],
  ])(
    'finds none as a schedule of %s while a page is a login, and one after it',
    async (_case, paths, options) => {
      const urls = paths.map((path) => shop.origin + path);
      const args = [...urls, '--cron', '0 0 1 1 *', '--selectors', 'selectors.json', ...options];
      const created = JSON.parse(await gleaner('schedule', 'create', ...args, '--json')) as { id: string };
      shelves = BEFORE;
      await runOf(created.id);
      isClosed = true;
      const second = await runOf(created.id);
      isClosed = false;
      expect(second).toMatchObject({
        status: 'completed',
        verdicts: { content: 3, login: 1 },
        changes: { added: 0, removed: 0, changed: 0 },
      });
      const { json } = await bed.ask(`/v1/jobs/${second.id}/changes`);
      expect(json).toMatchObject({ changes: [], notCompared: 1 });
      const { stderr } = await runGleaner(bed.stack, folder, ['job', 'changes', second.id]);
      const note = '1 page is not compared: it is of another kind than before.';
      expect(stderr).toContain(note);
      const ofSchedule = await runGleaner(bed.stack, folder, ['schedule', 'changes', created.id]);
      expect(ofSchedule.stderr).toContain(note);
      expect(
        JSON.parse(await gleaner('job', 'urls', second.id, '--verdict', 'login', '--json')),
      ).toMatchObject([{ url: `${shop.origin}/2` }]);
      shelves = BEFORE.with(
        1,
        BEFORE[1]?.map((each) => (each.name === 'Book 15' ? { ...each, price: '£1.00' } : each)) ?? [],
      );
      const third = await runOf(created.id);
      expect(await changesBy('job', 'changes', third.id)).toEqual([
        { page: '/2', path: 'products[Book 15].price', kind: 'changed', before: '£25.99', after: '£1.00' },
      ]);
    },
  );

  it('finds them as a crawl since another one', async () => {
    const crawl = async (...options: string[]) => {
      const args = [`${shop.origin}/1`, '--selectors', 'selectors.json', '--crawl', 'crawl.json', ...options];
      const created = JSON.parse(await gleaner('crawl', ...args, '--no-watch', '--json')) as { id: string };
      return await finished(created.id);
    };
    shelves = BEFORE;
    const first = await crawl();
    expect((await runGleaner(bed.stack, folder, ['job', 'changes', first.id])).stderr).toContain('--since');
    shelves = AFTER;
    const second = await crawl('--since', first.id);
    expect(await changesBy('job', 'changes', second.id)).toEqual(CHANGES);
  });
});
