import { AppError } from '@gleaner/contracts';
import { eventually } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { NEXT_RUN_AT, startScriptedScheduler } from './support/scripted-scheduler.ts';
import { SCHEDULE, useSchedules } from './support/use-schedules.ts';

const on = useSchedules();
const { ask, create, patch } = on;

describe('POST /v1/schedules', () => {
  it('commands the scheduler with defaults, and answers with the record and its Location', async () => {
    const { status, headers, json } = await ask('/v1/schedules', { body: SCHEDULE });
    expect(status).toBe(201);
    expect(headers.location).toBe(`/v1/schedules/${json.schedule.id}`);
    expect(json.schedule).toMatchObject({
      ...SCHEDULE,
      name: 'Untitled schedule',
      timezone: 'UTC',
      overlap: 'skip',
      status: 'active',
      nextRunAt: NEXT_RUN_AT,
      lastRunAt: null,
      selectors: null,
      webhook: null,
    });
    expect(on.scheduler.commands).toEqual([
      {
        type: 'create',
        scheduleId: json.schedule.id,
        accountId: on.owner.accountId,
        settings: { ...SCHEDULE, name: 'Untitled schedule', timezone: 'UTC', overlap: 'skip' },
      },
    ]);
    expect((await ask(headers.location ?? '')).json.schedule).toEqual(json.schedule);
  });

  it('keeps every option as it was given', async () => {
    const options = {
      name: 'Prices',
      formats: ['text', 'links'],
      locale: 'de',
      selectors: { 'a.b': 'h1', list: { selector: '.card', all: true, fields: { $x: 'h2' } } },
      render: true,
      antiBot: true,
      waitFor: '#done',
      screenshot: true,
      cookies: [{ name: 'a', value: 'b' }],
      headers: { 'X-Team': 'a' },
      timeout: 5000,
      timezone: 'Europe/Berlin',
      overlap: 'allow',
      webhook: { url: 'https://hooks.example/', events: ['job.completed'], metadata: { 'a.$b': 'c' } },
    };
    const refused = await ask('/v1/schedules', { body: { ...SCHEDULE, ...options } });
    expect(refused.json.error.code).toBe('INVALID_SELECTOR');
    const selectors = { 'a.b': 'h1', list: { selector: '.card', all: true, fields: { x: 'h2' } } };
    const id = await create({ ...options, selectors });
    expect((await ask(`/v1/schedules/${id}`)).json.schedule).toMatchObject({
      ...SCHEDULE,
      ...options,
      selectors,
    });
  });

  it('says how to change the status, which is not a setting', async () => {
    const { json } = await patch(await create(), { status: 'paused' });
    expect(json.error.details.at(-1)).toEqual({
      path: 'status',
      message: 'is changed by POST /v1/schedules/{id}/pause and POST /v1/schedules/{id}/resume',
    });
  });

  it.each([
    ['no url', { url: undefined }, 'INVALID_REQUEST', 'url'],
    ['no cron', { cron: undefined }, 'INVALID_REQUEST', 'cron'],
    ['a cron that is a number', { cron: 5 }, 'INVALID_REQUEST', 'cron'],
    ['a cron without end', { cron: '* '.repeat(200) }, 'INVALID_REQUEST', 'cron'],
    ['a zone that is null', { timezone: null }, 'INVALID_REQUEST', 'timezone'],
    ['an empty name', { name: '' }, 'INVALID_REQUEST', 'name'],
    ['an unknown overlap', { overlap: 'queue' }, 'INVALID_REQUEST', 'overlap'],
    ['fields that are not settable', { status: 'paused' }, 'INVALID_REQUEST', 'status'],
    ['a url and urls', { urls: ['https://example.com/'] }, 'INVALID_REQUEST', 'urls'],
    ['no urls', { url: undefined, urls: [] }, 'INVALID_REQUEST', 'urls'],
    [
      'a bad one of several urls',
      { url: undefined, urls: ['https://example.com/', 'http://10.0.0.1/'] },
      'INVALID_URL',
      'urls.1',
    ],
    ['a private url', { url: 'http://10.0.0.1/' }, 'INVALID_URL', 'url'],
    ['a string that is not a url', { url: 'example' }, 'INVALID_URL', 'url'],
    ['a url of another scheme', { url: 'ftp://example.com/' }, 'INVALID_URL', 'url'],
    ['a private webhook', { webhook: 'http://127.0.0.1/hook' }, 'INVALID_URL', 'webhook'],
    ['a webhook of another scheme', { webhook: { url: 'file:///etc/passwd' } }, 'INVALID_URL', 'webhook.url'],
    ['a webhook that is a number', { webhook: 5 }, 'INVALID_REQUEST', 'webhook'],
    [
      'an unknown webhook event',
      { webhook: { url: 'https://a.example/', events: ['x'] } },
      'INVALID_REQUEST',
      'webhook.events.0',
    ],
    ['an unknown format', { formats: ['pdf'] }, 'INVALID_REQUEST', 'formats.0'],
    [
      'a bad selector',
      { formats: [{ type: 'text', include: '..' }] },
      'INVALID_SELECTOR',
      'formats.0.include',
    ],
    ['an invalid locale', { locale: 'de-de-de-de' }, 'INVALID_REQUEST', 'locale'],
    ['a broken selector', { selectors: { a: '..' } }, 'INVALID_SELECTOR', 'selectors.a'],
    ['a broken waitFor', { waitFor: 'div >' }, 'INVALID_SELECTOR', 'waitFor'],
    ['a header that is not ours to set', { headers: { Host: 'a' } }, 'INVALID_REQUEST', 'headers.Host'],
    ['a country without a proxy', { proxy: 'xx' }, 'INVALID_REQUEST', 'proxy'],
  ])('rejects %s before a command is sent', async (_case, body, code, path) => {
    const { status, json } = await ask('/v1/schedules', { body: { ...SCHEDULE, ...body } });
    expect([status, json.error.code]).toEqual([400, code]);
    expect(json.error.details.map((detail: { path: string }) => detail.path)).toContain(path);
    expect(on.scheduler.commands).toEqual([]);
  });

  it('takes several urls, and lists those that are bad together with other errors', async () => {
    const urls = ['https://example.com/a', 'https://example.com/b'];
    const body = { urls, cron: SCHEDULE.cron };
    const { status, json } = await ask('/v1/schedules', { body });
    expect(status).toBe(201);
    expect(json.schedule).toMatchObject(body);
    expect(json.schedule).not.toHaveProperty('url');
    expect(on.scheduler.commands).toMatchObject([{ type: 'create', settings: body }]);
    expect((await ask('/v1/schedules')).json.schedules[0]).toEqual(json.schedule);
    const bad = await ask('/v1/schedules', { body: { urls: ['x', urls[0], 'ftp://a.example/'], cron: '' } });
    expect(bad.json.error.details.map(({ path }: { path: string }) => path)).toEqual(['urls.0', 'urls.2']);
  });

  it('passes on the error of the scheduler', async () => {
    on.scheduler.followOnce(() => {
      const details = [{ path: 'cron', message: 'is empty' }];
      throw new AppError('INVALID_REQUEST', {
        message: 'cron is empty.',
        suggestion: 'Five fields.',
        details,
      });
    });
    const { status, json } = await ask('/v1/schedules', { body: { ...SCHEDULE, cron: '' } });
    expect(status).toBe(400);
    expect(json.error).toMatchObject({ code: 'INVALID_REQUEST', suggestion: 'Five fields.' });
  });
});

describe('GET /v1/schedules', () => {
  it("lists the account's own schedules, newest first, a page at a time, by status", async () => {
    const ids = [await create(), await create(), await create()].reverse();
    await ask(`/v1/schedules/${ids[1]}/pause`, { method: 'POST' });
    const idsOf = async (query: string) => {
      const { json } = await ask(`/v1/schedules${query}`);
      return [
        json.schedules.map(({ id }: { id: string }) => id),
        json.pagination.hasMore,
        json.pagination.total,
      ];
    };
    expect(await idsOf('')).toEqual([ids, false, 3]);
    expect(await idsOf('?limit=2')).toEqual([ids.slice(0, 2), true, 3]);
    expect(await idsOf('?limit=2&offset=2')).toEqual([ids.slice(2), false, 3]);
    expect(await idsOf('?status=paused')).toEqual([[ids[1]], false, 1]);
    on.owner = await on.bed.createKey();
    expect(await idsOf('')).toEqual([[], false, 0]);
  });

  it.each(['?limit=0', '?limit=101', '?offset=-1', '?status=running', '?page=2'])(
    'refuses %s',
    async (query) => {
      expect((await ask(`/v1/schedules${query}`)).status).toBe(400);
    },
  );
});

describe('PATCH /v1/schedules/:id', () => {
  it('replaces given settings, resets those that are null, and keeps the rest', async () => {
    const id = await create({ name: 'Prices', headers: { A: '1' }, webhook: 'https://hooks.example/' });
    const { json } = await patch(id, { headers: { B: '2' }, name: null, webhook: null, cron: '5 * * * *' });
    expect(json.schedule).toMatchObject({
      ...SCHEDULE,
      cron: '5 * * * *',
      name: 'Untitled schedule',
      headers: { B: '2' },
    });
    expect(json.schedule.webhook).toBeNull();
  });

  it('replaces one url by several and several by one', async () => {
    const id = await create({ name: 'Prices' });
    const urls = ['https://example.com/a', 'https://example.com/b'];
    const several = (await patch(id, { urls })).json.schedule;
    expect(several).toMatchObject({ name: 'Prices', urls });
    expect(several).not.toHaveProperty('url');
    expect((await patch(id, { urls: [urls[0], 'http://10.0.0.1/'] })).json.error).toMatchObject({
      code: 'INVALID_URL',
      details: [{ path: 'urls.1' }],
    });
    const one = (await patch(id, { url: urls[0] })).json.schedule;
    expect(one).toMatchObject({ name: 'Prices', url: urls[0] });
    expect(one).not.toHaveProperty('urls');
  });

  it('sets and resets formats and the locale', async () => {
    const id = await create({ formats: ['text'], locale: 'de' });
    const formats = ['links', { type: 'html', main: true, exclude: '.ads' }];
    const { json } = await patch(id, { formats, locale: null });
    expect(json.schedule.formats).toEqual(formats);
    expect(json.schedule).not.toHaveProperty('locale');
    expect((await patch(id, { formats: null })).json.schedule).not.toHaveProperty('formats');
    expect((await patch(id, { formats: 'text' })).json.error.details).toEqual([
      { path: 'formats', message: 'must be an array, or null to reset it' },
    ]);
  });

  it('checks the record as a whole: settings that are valid alone may be invalid together', async () => {
    const id = await create({ headers: { Cookie: 'a=b' } });
    const before = (await ask(`/v1/schedules/${id}`)).json.schedule;
    const { status, json } = await patch(id, { cookies: [{ name: 'c', value: 'd' }] });
    expect([status, json.error.details[0].path]).toEqual([400, 'headers.Cookie']);
    expect((await ask(`/v1/schedules/${id}`)).json.schedule).toEqual(before);
  });

  it('sets, checks and resets a crawl', async () => {
    const id = await create({ crawl: { limit: 10 } });
    const crawl = { limit: 20, rules: [{ match: '/a', selectors: { title: 'h1' } }] };
    expect((await patch(id, { crawl })).json.schedule.crawl).toEqual(crawl);
    const { status, json } = await patch(id, { crawl: { include: ['a'], delay: 5, concurrency: 2 } });
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.details.map(({ path }: { path: string }) => path)).toEqual([
      'crawl.include.0',
      'crawl.concurrency',
    ]);
    expect((await patch(id, { crawl: null })).json.schedule).not.toHaveProperty('crawl');
    const rejected = await ask('/v1/schedules', { body: { ...SCHEDULE, crawl: { limit: 200_000 } } });
    expect(rejected.json.error.details[0].path).toBe('crawl.limit');
  });

  it('repeats the patch on the current record when that was modified concurrently', async () => {
    const id = await create();
    on.scheduler.followOnce(() => ({ outcome: 'stale' }));
    expect((await patch(id, { name: 'New' })).json.schedule.name).toBe('New');
    expect(on.scheduler.commands.filter(({ type }) => type === 'update')).toHaveLength(2);
  });

  it('applies both of two concurrent patches', async () => {
    const id = await create();
    await Promise.all([
      patch(id, { name: 'New' }),
      patch(id, { timeout: 5000 }),
      patch(id, { render: true }),
    ]);
    expect((await ask(`/v1/schedules/${id}`)).json.schedule).toMatchObject({
      name: 'New',
      timeout: 5000,
      render: true,
    });
  });
});

describe('the other routes of a schedule', () => {
  it('pause and resume it, any number of times', async () => {
    const id = await create();
    for (const [verb, status, nextRunAt] of [
      ['pause', 'paused', null],
      ['pause', 'paused', null],
      ['resume', 'active', NEXT_RUN_AT],
      ['resume', 'active', NEXT_RUN_AT],
    ]) {
      const answer = await ask(`/v1/schedules/${id}/${verb}`, { method: 'POST' });
      expect([answer.status, answer.json.schedule.status, answer.json.schedule.nextRunAt]).toEqual([
        200,
        status,
        nextRunAt,
      ]);
    }
  });

  it('run it under the Idempotency-Key of the caller', async () => {
    const id = await create();
    await ask(`/v1/schedules/${id}/run`, { method: 'POST', headers: { 'Idempotency-Key': 'once' } });
    expect(on.scheduler.commands.at(-1)).toMatchObject({
      type: 'run',
      scheduleId: id,
      idempotencyKey: 'once',
    });
  });

  it('delete it, with a response without a body', async () => {
    const id = await create();
    const answer = await ask(`/v1/schedules/${id}`, { method: 'DELETE' });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await ask(`/v1/schedules/${id}`)).status).toBe(404);
    expect((await ask(`/v1/schedules/${id}`, { method: 'DELETE' })).status).toBe(404);
  });

  const ROUTES = [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/pause'],
    ['POST', '/resume'],
    ['POST', '/run'],
    ['GET', '/runs'],
  ] as const;

  it.each(ROUTES)("answer alike for unknown, malformed and others' ids: %s %s", async (method, rest) => {
    const id = await create();
    const { key } = await on.bed.createKey();
    on.scheduler.commands.length = 0;
    const body = method === 'PATCH' ? { body: {} } : {};
    for (const wrong of [id, 'sch_none', 'x', '%00', '%24ne', 'x'.repeat(2000)]) {
      const { status, json } = await ask(`/v1/schedules/${wrong}${rest}`, { method, key, ...body });
      expect([status, json.error.code]).toEqual([404, 'SCHEDULE_NOT_FOUND']);
    }
    expect(on.scheduler.commands).toEqual([]);
  });

  it.each(ROUTES)('need the scope for schedules: %s %s', async (method, rest) => {
    const id = await create();
    const { key } = await on.bed.createKey({ accountId: on.owner.accountId, scopes: ['jobs', 'scrape'] });
    const body = method === 'PATCH' ? { body: {} } : {};
    expect((await ask(`/v1/schedules/${id}${rest}`, { method, key, ...body })).status).toBe(403);
  });

  it('answer 503 at once when no scheduler is running', async () => {
    const id = await create();
    await on.scheduler.stop();
    await eventually(async () => expect(await on.bed.broker.consumerCount('schedules.commands')).toBe(0));
    const answers = await Promise.all([
      ask('/v1/schedules', { body: SCHEDULE }),
      ask(`/v1/schedules/${id}/pause`, { method: 'POST' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    expect((await ask(`/v1/schedules/${id}`)).status).toBe(200);
    on.scheduler = await startScriptedScheduler(on.bed.broker, on.bed.stores);
  });
});
