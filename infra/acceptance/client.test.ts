import { Gleaner, GleanerError, verifyWebhook } from '@gleaner/client';
import { eventually, startWebhookReceiver } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HAS_BROWSER, type TestStack } from '../stack/test/test-stack.ts';
import { joinStack } from './join-stack.ts';

let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
let test: TestStack;
let gleaner: Gleaner;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  test = await joinStack();
  gleaner = new Gleaner({ url: test.stack.url, apiKey: test.stack.apiKey });
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await receiver.close();
});

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const BOOKS = { titles: '.book h2::all', heading: 'h1' } as const;

describe('the client with a running stack', () => {
  it('scrapes a page with the types of its selectors', async () => {
    const { data, metadata } = await gleaner.scrape({ url: test.stack.demoUrl, selectors: BOOKS });
    expect(data.titles[0]?.toUpperCase()).toBe('MIDDLEMARCH');
    expect(data.heading).toBe('All books');
    expect(metadata).toMatchObject({ engine: 'http', credits: 1 });
    const overview = await gleaner.scrape({ url: test.stack.demoUrl });
    expect(overview.data.links.length).toBeGreaterThan(0);
    const { formats } = await gleaner.scrape({ url: test.stack.demoUrl, formats: ['markdown'] });
    expect(formats.markdown).toContain('Middlemarch');
  });

  it('reports errors of the service and of the page as what they are', async () => {
    const invalid = gleaner.scrape({ url: test.stack.demoUrl, selectors: { a: 'h1::nothing' } });
    await expect(invalid).rejects.toMatchObject({
      code: 'INVALID_SELECTOR',
      source: 'api',
      status: 400,
      details: [{ path: 'selectors.a' }],
      requestId: expect.stringMatching(/^req_/),
    });
    await expect(gleaner.scrape({ url: `${test.stack.demoUrl}gone` })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      source: 'target',
      targetStatusCode: 404,
      attempts: [{ outcome: 'NOT_FOUND' }],
    });
    const stranger = new Gleaner({ url: test.stack.url, apiKey: 'gl_unknown' });
    await expect(stranger.usage()).rejects.toBeInstanceOf(GleanerError);
  });

  it('creates a job once, watches it, and reads its results, URLs and file', async () => {
    const urls = [test.stack.demoUrl, `${test.stack.demoUrl}gone`, test.stack.demoUrl];
    const request = { urls, selectors: BOOKS, name: 'Books' };
    const options = { idempotencyKey: 'books-1' };
    const job = await gleaner.jobs.create(request, options);
    expect((await gleaner.jobs.create(request, options)).id).toBe(job.id);

    const states = await collect(gleaner.jobs.watch(job.id));
    expect(states.at(-1)).toMatchObject({ status: 'partial', completedUrls: 3, failedUrls: 1 });
    expect(await gleaner.jobs.wait(job.id)).toMatchObject({ status: 'partial' });

    const results = await collect(gleaner.jobs.results(job.id));
    expect(results.map((result) => (result.error ? result.error.code : result.data.titles[0]))).toEqual([
      'Middlemarch',
      'NOT_FOUND',
      'Middlemarch',
    ]);
    const urlsOfJob = await collect(gleaner.jobs.urls(job.id, { state: 'failed' }));
    expect(urlsOfJob).toMatchObject([{ index: 1, state: 'failed' }]);
    const csv = Buffer.concat(await collect(gleaner.jobs.download(job.id, { format: 'csv' }))).toString();
    expect(csv.split('\r\n')[0]).toMatch(/,url$/);
    expect(await gleaner.jobs.get(job.id, { resultsLimit: 1 })).toMatchObject({
      options: { selectors: BOOKS },
      resultsPagination: { hasMore: true },
    });

    const again = await gleaner.jobs.rerun(job.id, { only: 'failed' });
    expect(again).toMatchObject({ rerunOf: job.id, totalUrls: 1 });
    expect(await gleaner.jobs.wait(again.id)).toMatchObject({ status: 'failed' });
    const listed = await collect(gleaner.jobs.list({ limit: 1 }));
    expect(listed.map(({ id }) => id)).toEqual([again.id, job.id]);
  });

  it('cancels a job', async () => {
    const urls = Array.from({ length: 50 }, (_, index) => `${test.origin.url}/slow/60000?${index}`);
    const { id } = await gleaner.jobs.create({ urls });
    expect(await gleaner.jobs.cancel(id)).toMatchObject({ status: 'cancelled' });
    expect(await collect(gleaner.jobs.watch(id))).toMatchObject([{ status: 'cancelled' }]);
  });

  if (HAS_BROWSER) {
    it('reads the screenshot of a page of a job', async () => {
      const { id } = await gleaner.jobs.create({ urls: [test.stack.demoUrl], screenshot: true });
      await gleaner.jobs.wait(id);
      const picture = await gleaner.jobs.screenshot(id, 0);
      expect(Buffer.from(picture.subarray(1, 4)).toString()).toBe('PNG');
    });
  }

  it('manages schedules', async () => {
    const created = await gleaner.schedules.create({ url: test.stack.demoUrl, cron: '0 9 * * *' });
    expect(await gleaner.schedules.update(created.id, { name: 'Daily' })).toMatchObject({ name: 'Daily' });
    expect(await gleaner.schedules.pause(created.id)).toMatchObject({ status: 'paused' });
    expect(await gleaner.schedules.resume(created.id)).toMatchObject({ status: 'active' });
    const job = await gleaner.schedules.run(created.id);
    expect(await gleaner.jobs.wait(job.id)).toMatchObject({ status: 'completed' });
    expect(await collect(gleaner.schedules.runs(created.id))).toMatchObject([{ id: job.id }]);
    expect(await gleaner.schedules.get(created.id)).toMatchObject({ runCount: 1 });
    expect(await collect(gleaner.schedules.list())).toMatchObject([{ id: created.id }]);
    await gleaner.schedules.delete(created.id);
    await expect(gleaner.schedules.get(created.id)).rejects.toMatchObject({ code: 'SCHEDULE_NOT_FOUND' });
  });

  it('verifies webhooks under both secrets of a rotation', async () => {
    const { secret: old } = await gleaner.webhooks.secret();
    const { secret: current, previousValidUntil } = await gleaner.webhooks.rotateSecret();
    expect(previousValidUntil).not.toBeNull();
    const delivery = await gleaner.webhooks.test(receiver.url);
    expect(delivery).toMatchObject({ status: 'delivered' });
    const [request] = receiver.deliveries;
    if (!request) throw new Error('no webhook arrived');
    for (const secret of [old, current]) {
      const event = await verifyWebhook(request.body, request.headers, secret);
      expect(event.type).toBe('webhook.test');
    }
    expect(await gleaner.webhooks.redeliver(delivery.id)).toMatchObject({ id: delivery.id });
    expect(await collect(gleaner.webhooks.deliveries())).toMatchObject([{ id: delivery.id }]);
  });

  it('counts the pages of a job by their kind, finds them, and tells webhooks', async () => {
    const paths = ['/suspect/short', '/asked/0', '/asked/4', '/asked/0'];
    const urls = paths.map((path) => test.origin.url + path);
    const { id } = await gleaner.jobs.create({ urls, selectors: { title: 'title' }, webhook: receiver.url });
    const verdicts = { content: 1, wall: 1, login: 2 };
    expect(await gleaner.jobs.wait(id)).toMatchObject({ status: 'completed', verdicts });
    const results = await collect(gleaner.jobs.results(id, { verdict: ['login', 'wall'] }));
    expect(results.map(({ url }) => url)).toEqual(urls.slice(1));
    const found = await collect(gleaner.jobs.urls(id, { verdict: ['content'] }));
    expect(found).toMatchObject([{ index: 0, verdict: 'content' }]);
    const query = { format: 'csv', pages: 'all', columns: 'title,verdict' } as const;
    const csv = Buffer.concat(await collect(gleaner.jobs.download(id, query))).toString();
    expect(csv.split('\r\n').slice(0, 3)).toEqual(['title,verdict', 'OK,content', 'Shop,login']);
    await eventually(async () => {
      const told = receiver.deliveries.map(({ json }) => json);
      const job = expect.objectContaining({ id, verdicts });
      expect(told).toContainEqual(expect.objectContaining({ type: 'job.completed', data: { job } }));
    });
  });

  it('manages keys', async () => {
    const { key, id } = await gleaner.keys.create({ name: 'Reporting', scopes: ['usage'] });
    const reporting = new Gleaner({ url: test.stack.url, apiKey: key });
    expect((await reporting.usage()).remaining).toBeNull();
    await expect(reporting.keys.list().page()).rejects.toMatchObject({ code: 'FORBIDDEN', status: 403 });
    expect(await collect(gleaner.keys.list())).toContainEqual(
      expect.objectContaining({ id, revokedAt: null }),
    );
    expect(await gleaner.keys.revoke(id)).toMatchObject({ revokedAt: expect.any(String) });
  });

  it('estimates what a job costs, and creates nothing', async () => {
    const urls = [test.stack.demoUrl, `${test.stack.demoUrl}#books`, `${test.stack.demoUrl}books/emma`];
    const estimate = await gleaner.estimate({ urls, render: 'auto' });
    expect(estimate).toMatchObject({ of: 'job', credits: { worst: 15, expected: 3 }, problems: [] });
    expect(await gleaner.estimate({ urls, crawl: { limit: 9 } })).toMatchObject({
      of: 'crawl',
      pages: { atLeast: 2, atMost: 9 },
      credits: { worst: 9, basis: 'limit' },
    });
    const gone = `${test.stack.demoUrl}gone`;
    const seen = await gleaner.estimate({ urls: [test.stack.demoUrl, gone] }, { look: true });
    expect(seen).toMatchObject({
      credits: { worst: 2, expected: 1 },
      problems: [{ code: 'NOT_FOUND' }],
      look: { sources: expect.arrayContaining([expect.objectContaining({ kind: 'page', url: gone })]) },
    });
    const crawled = await gleaner.estimate({ urls, crawl: { limit: 9 } }, { look: true });
    expect(crawled).toMatchObject({ credits: { expected: 9 }, look: { urls: expect.any(Number) } });
    const before = await collect(gleaner.jobs.list());
    const { credits } = await gleaner.estimate({ urls });
    expect(await collect(gleaner.jobs.list())).toHaveLength(before.length);
    const job = await gleaner.jobs.wait((await gleaner.jobs.create({ urls })).id);
    expect(job).toMatchObject({ status: 'completed', creditsUsed: credits.expected });
    await expect(gleaner.estimate({ urls: ['ftp://a/'] })).rejects.toMatchObject({
      code: 'INVALID_URL',
      status: 400,
      details: [{ path: 'urls.0' }],
    });
  });

  it('takes no way of fetching, and starts no page of a job, that costs more than maxCredits', async () => {
    const request = { url: test.stack.demoUrl, antiBot: true, maxCredits: 1 };
    expect((await gleaner.scrape(request)).metadata.credits).toBe(1);
    await expect(gleaner.scrape({ ...request, render: true })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      details: [{ path: 'maxCredits' }],
    });
    const urls = ['', 'books/emma', 'books/middlemarch'].map((path) => test.stack.demoUrl + path);
    expect((await gleaner.estimate({ urls, maxCredits: 2 })).credits).toMatchObject({ worst: 2 });
    const { id } = await gleaner.jobs.create({ urls, maxCredits: 2 });
    expect(await gleaner.jobs.wait(id)).toMatchObject({ status: 'partial', creditsUsed: 2, failedUrls: 1 });
    const results = await collect(gleaner.jobs.results(id));
    expect(results.flatMap(({ error }) => error?.code ?? [])).toEqual(['INSUFFICIENT_CREDITS']);
  });

  it('asks for the health without a key', async () => {
    const anonymous = new Gleaner({ url: test.stack.url });
    await expect(anonymous.live()).resolves.toBeUndefined();
    await expect(anonymous.ready()).resolves.toBeUndefined();
  });
});
