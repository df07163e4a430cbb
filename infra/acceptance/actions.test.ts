import { eventually, htmlPath } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HAS_BROWSER, type TestStack } from '../stack/test/test-stack.ts';
import { joinStack } from './join-stack.ts';

let bed: TestStack;

beforeAll(async () => {
  bed = await joinStack();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

const COUNT = { count: { selector: '.item', type: 'count' } };
const ALL = [{ repeat: [{ click: '.more' }] }];

async function used(): Promise<number> {
  return (await bed.ask('/v1/usage')).json.usage.used;
}

async function finished(id: string) {
  return await eventually(async () => {
    const { json } = await bed.ask(`/v1/jobs/${id}`);
    expect(json.job.status).toMatch(/completed|partial|failed/);
    return json.job;
  });
}

(HAS_BROWSER ? describe : describe.skip)('actions over REST', () => {
  it('cost what a rendered page costs, and nothing where one cannot be done', async () => {
    const before = await used();
    const url = `${bed.origin.url}/lists/load-more`;
    const { status, json } = await bed.ask('/v1/scrape', { url, selectors: COUNT, actions: ALL });
    expect([status, json.data]).toEqual([200, { count: 60 }]);
    expect(json.metadata).toMatchObject({
      creditsBreakdown: { base: 1, render: 4 },
      actions: [{ index: 0, outcome: 'done', rounds: 2 }],
    });
    const failed = await bed.ask('/v1/scrape', { url, actions: [...ALL, { click: '#x' }] });
    expect([failed.status, failed.json.error]).toMatchObject([
      422,
      {
        code: 'ACTION_FAILED',
        details: [{ path: 'actions.1', message: '"#x": nothing in the page matches it' }],
      },
    ]);
    expect(await used()).toBe(before + 5);
    const trace = await bed.ask(`/v1/scrapes/${failed.json.error.requestId}/trace`);
    expect(trace.json.trace.attempts[0].actions).toMatchObject([
      { step: 'repeat click .more', outcome: 'done' },
      { step: 'click #x', outcome: 'failed' },
    ]);
  });

  it('are done on every page of a job', async () => {
    const urls = ['load-more', 'load-more?b'].map((name) => `${bed.origin.url}/lists/${name}`);
    const { json } = await bed.ask('/v1/jobs', { urls, selectors: COUNT, actions: ALL });
    expect(json.job.creditsUsed).toBe(0);
    const job = await finished(json.job.id);
    expect(job.results).toMatchObject([
      { data: { count: 60 }, metadata: { actions: [{ outcome: 'done' }] } },
      { data: { count: 60 } },
    ]);
    expect(job.creditsUsed).toBe(10);
  });

  it('are done on the pages of a rule, which alone are rendered', async () => {
    const { json } = await bed.ask('/v1/jobs', {
      urls: [bed.origin.url + htmlPath('<a href="/lists/load-more">a</a><a href="/product/1">b</a>')],
      crawl: {
        maxDepth: 1,
        rules: [
          { match: '/lists/*', actions: ALL, selectors: COUNT, follow: false },
          { match: '/product/*', selectors: { price: '.price' }, follow: false },
          { match: '/type*', keep: false },
        ],
      },
    });
    const job = await finished(json.job.id);
    const found = new Map(
      job.results.map((each: { rule: number; data: unknown; metadata: object }) => [each.rule, each]),
    );
    expect(found.get(0)).toMatchObject({ data: { count: 60 }, metadata: { engine: 'browser', credits: 5 } });
    expect(found.get(1)).toMatchObject({
      data: { price: '10.00' },
      metadata: { engine: 'http', credits: 1 },
    });
    expect(job.creditsUsed).toBe(7);
  });

  it('are part of a schedule, and checked there by their paths', async () => {
    const body = { url: `${bed.origin.url}/lists/load-more`, cron: '0 0 1 1 *', actions: ALL };
    const { json } = await bed.ask('/v1/schedules', body);
    expect(json.schedule.actions).toEqual(ALL);
    const rule = { match: '/a', actions: [{ click: '>>' }] };
    const crawled = await bed.ask('/v1/jobs', { urls: [body.url], crawl: { rules: [rule] } });
    expect(crawled.json.error.details).toMatchObject([{ path: 'crawl.rules.0.actions.0.click' }]);
    const patched = await bed.ask(`/v1/schedules/${json.schedule.id}`, { actions: [{ clik: 'a' }] }, 'PATCH');
    expect(patched.json.error.details).toMatchObject([{ path: 'actions.0.clik' }]);
    await bed.ask(`/v1/schedules/${json.schedule.id}`, undefined, 'DELETE');
  });

  it('write a secret of the account into a form, on pages of a job, too', async () => {
    const secret = await bed.ask('/v1/secrets/members', { value: 'kettle' }, 'PUT');
    expect(secret.json.secret).toMatchObject({ name: 'members' });
    const actions = [
      { fill: '#user', value: 'ada' },
      { fill: '#password', value: { secret: 'members' } },
      { press: 'Enter' },
      { waitFor: '.order' },
    ];
    const body = { selectors: { orders: '.order .item::text::all' }, actions };
    // A secret is hidden in any case, and so is the product of its name.
    const data = { orders: ['[redacted]', 'Teapot'] };
    const { json } = await bed.ask('/v1/scrape', { url: `${bed.origin.url}/members/login`, ...body });
    expect([json.error, json.data]).toEqual([undefined, data]);
    const created = await bed.ask('/v1/jobs', { urls: [`${bed.origin.url}/members/login`], ...body });
    const job = await finished(created.json.job.id);
    expect(job.results).toMatchObject([{ data }]);
    expect(job.options.actions).toEqual(actions);
  });
});
