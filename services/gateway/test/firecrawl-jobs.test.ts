import { AppError, firecrawlIdOf, toFailure } from '@gleaner/contracts';
import { pageIdOf } from '@gleaner/storage';
import { eventually } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { METADATA, seedJob, TRACE } from './support/scripted-orchestrator.ts';
import { URL_A, useFirecrawl } from './support/use-firecrawl.ts';

const { service, ask } = useFirecrawl();

describe('jobs', () => {
  it('are created as a crawl, once for each x-idempotency-key', async () => {
    const body = {
      url: URL_A,
      limit: 3,
      maxConcurrency: 2,
      scrapeOptions: { formats: ['links'], timeout: null },
    };
    const { status, json } = await ask('/firecrawl/v2/crawl', {
      body,
      headers: { 'x-idempotency-key': 'key-1' },
    });
    const [command] = service.orchestrator.commands;
    expect(command).toMatchObject({
      type: 'create',
      idempotencyKey: 'key-1',
      request: { urls: [URL_A], crawl: { limit: 3, concurrency: 2, scope: 'path' } },
    });
    const id = firecrawlIdOf(command?.jobId ?? '');
    expect([status, json]).toEqual([
      200,
      { success: true, id, url: `${service.gateway.url}/firecrawl/v2/crawl/${id}` },
    ]);
  });

  it('are created of many URLs, with the webhook of the request', async () => {
    const webhook = {
      url: 'https://hooks.example.com/',
      headers: { 'X-Secret': 's' },
      events: ['completed'],
    };
    const { json } = await ask('/v2/batch/scrape', { body: { urls: [URL_A, 'http://10.0.0.1/'], webhook } });
    expect(json).toMatchObject({ success: true, invalidURLs: ['http://10.0.0.1/'] });
    expect(service.orchestrator.commands[0]).toMatchObject({
      request: {
        urls: [URL_A],
        webhook: {
          url: webhook.url,
          events: ['job.completed', 'job.partial'],
          firecrawl: { kind: 'batch_scrape', headers: webhook.headers },
        },
      },
    });
  });

  it('are created of many URLs by version 1, and read there', async () => {
    const body = { urls: [URL_A], formats: ['markdown'] };
    const { status, json } = await ask('/firecrawl/v1/batch/scrape', { body });
    const id = firecrawlIdOf(service.orchestrator.commands[0]?.jobId ?? '');
    const url = `${service.gateway.url}/firecrawl/v1/batch/scrape/${id}`;
    expect([status, json]).toEqual([200, { success: true, id, url }]);
    const bad = { urls: [URL_A, 'http://10.0.0.1/'] };
    expect(await ask('/firecrawl/v1/batch/scrape', { body: bad })).toMatchObject({ status: 400 });
    const seeded = await seedJob(service.bed.stores, service.owner.accountId, [
      { formats: { markdown: 'One' } },
    ]);
    const path = `/firecrawl/v1/batch/scrape/${firecrawlIdOf(seeded.id)}`;
    expect((await ask(path)).json).toMatchObject({ status: 'completed', data: [{ markdown: 'One' }] });
    expect((await ask(`${path}/errors`)).json).toMatchObject({ errors: [] });
  });

  it('name the options that have no effect, and refuse those without an equal', async () => {
    const body = { url: URL_A, deduplicateSimilarURLs: false, delay: 1, maxConcurrency: 2 };
    expect((await ask('/v2/crawl', { body })).json.warning).toMatch(
      /^deduplicateSimilarURLs .*maxConcurrency /,
    );
    const prompt = 'blog posts';
    expect(await ask('/v2/crawl', { body: { url: URL_A, prompt } })).toMatchObject({
      status: 400,
      json: { code: 'NOT_SUPPORTED', details: [{ path: 'prompt' }] },
    });
    expect((await ask('/v2/crawl', { body: { url: URL_A, prompt, limit: 3 } })).json.warning).toMatch(
      /^prompt /,
    );
    expect((await ask('/v2/crawl/params-preview', { body: { url: URL_A, prompt } })).json).toEqual({
      success: true,
      data: { url: URL_A },
      warning: expect.stringMatching(/no language model/i),
    });
    expect(await ask('/v2/crawl', { body: { url: URL_A, webhook: 'http://127.0.0.1/hook' } })).toMatchObject({
      status: 400,
      json: { code: 'INVALID_URL' },
    });
  });

  it('refuse the webhook form of Gleaner’s own storage', async () => {
    const webhook = { url: 'https://hooks.example.com/', firecrawl: { kind: 'crawl' } };
    expect((await ask('/v1/jobs', { body: { urls: [URL_A], webhook } })).status).toBe(400);
    expect((await ask('/v2/crawl', { body: { url: URL_A, webhook } })).status).toBe(400);
  });

  it('show their documents without the pages that failed', async () => {
    const failure = toFailure(new AppError('NOT_FOUND', { message: 'It is gone.' }));
    const pages = [{ formats: { markdown: 'One' } }, { failure }, { formats: { markdown: 'Three' } }];
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, pages);
    const uuid = firecrawlIdOf(id);
    const { status, json } = await ask(`/v2/crawl/${uuid}`);
    expect([status, json]).toEqual([
      200,
      {
        success: true,
        id: uuid,
        status: 'completed',
        completed: 2,
        total: 2,
        creditsUsed: 2,
        duration: expect.any(Number),
        createdAt: expect.any(String),
        completedAt: expect.any(String),
        data: [expect.objectContaining({ markdown: 'One' }), expect.objectContaining({ markdown: 'Three' })],
      },
    ]);
    expect((await ask(`/v2/batch/scrape/${uuid}/errors`)).json).toEqual({
      success: true,
      errors: [
        {
          id: `${uuid}:1`,
          url: 'https://example.com/1',
          code: 'NOT_FOUND',
          error: 'It is gone.',
          timestamp: expect.any(String),
        },
      ],
      robotsBlocked: [],
    });
  });

  it('that run have the documents so far, and those that failed as a whole are failed', async () => {
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, [
      { formats: { markdown: 'One' } },
      'waiting',
    ]);
    expect((await ask(`/v2/crawl/${firecrawlIdOf(id)}`)).json).toMatchObject({
      status: 'scraping',
      completed: 1,
      total: 2,
      data: [{ markdown: 'One' }],
    });
  });

  it('are read in parts of 10 MB, whose addresses lead on', async () => {
    const pages = Array.from({ length: 5 }, (_none, index) => ({
      formats: { markdown: `${index} ${'x'.repeat(4_000_000)}` },
    }));
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, pages);
    let next: string | null = `/v2/batch/scrape/${firecrawlIdOf(id)}`;
    const parts: string[][] = [];
    while (next !== null) {
      const path: string = next;
      const { json } = await eventually(
        async () => {
          const answer = await ask(path);
          expect(answer.status).toBe(200);
          return answer;
        },
        { intervalMs: 1000 },
      );
      parts.push(json.data.map(({ markdown }: { markdown: string }) => markdown.slice(0, 1)));
      next = json.next?.replace(service.gateway.url, '') ?? null;
    }
    expect(parts).toEqual([
      ['0', '1', '2'],
      ['3', '4'],
    ]);
  });

  it('have documents in a place of the account alone, and those of an end that was read before at once', async () => {
    const pages = Array.from({ length: 5 }, () => ({ data: { text: 'x'.repeat(4_000_000) } }));
    const large = await seedJob(service.bed.stores, service.owner.accountId, pages);
    const seeded = [{ formats: { markdown: 'One' } }, { formats: { markdown: 'Two' } }];
    const ended = await seedJob(service.bed.stores, service.owner.accountId, seeded);
    const path = `/v2/crawl/${firecrawlIdOf(ended.id)}`;
    const before = await ask(`${path}?limit=1`);
    const leaving = new AbortController();
    // Responses that nothing refers to would be closed.
    const held: Response[] = [];
    const open = async () => {
      const response = await fetch(`${service.gateway.url}/v1/jobs/${large.id}/results`, {
        headers: { authorization: `Bearer ${service.owner.key}` },
        signal: leaving.signal,
      });
      held.push(response);
      return response;
    };
    // These are not read, so that they keep the places of the account.
    // On a busy machine, the database may take longer for results this large than a call waits for it.
    const untilAnswered = async (call: () => Promise<unknown>, answer: object) =>
      await eventually(async () => expect(await call()).toMatchObject(answer), { intervalMs: 1000 });
    for (const _place of [1, 2, 3]) await untilAnswered(open, { status: 200 });
    await untilAnswered(() => ask(`${path}?limit=1`), {
      status: 200,
      json: { data: before.json.data, next: before.json.next },
    });
    await untilAnswered(() => ask(`${path}?skip=2`), { status: 200, json: { data: [] } });
    await untilAnswered(() => ask(path), { status: 429, json: { code: 'RATE_LIMITED' } });
    leaving.abort();
    await untilAnswered(() => ask(path), { json: { data: [{}, {}] } });
  });

  it('have the documents that arrive after a cancellation, also when the others were read before', async () => {
    const { stores } = service.bed;
    const { accountId } = service.owner;
    const seeded = [{ formats: { markdown: 'One' } }, 'waiting'] as const;
    const { id } = await seedJob(stores, accountId, seeded);
    const late = { id: pageIdOf(id, 1), attempt: 1 };
    const inAnHour = new Date(Date.now() + 3_600_000);
    await stores.pages.claim([late.id], inAnHour);
    await stores.jobs.cancel(accountId, id, stores.clock.now());
    const read = async () => (await ask(`/v2/crawl/${firecrawlIdOf(id)}`)).json;
    expect(await read()).toMatchObject({ status: 'cancelled', data: [{ markdown: 'One' }] });
    const json = JSON.stringify({ url: URL_A, formats: { markdown: 'Two' }, metadata: METADATA });
    await stores.results.insertResults([{ ...late, json, trace: TRACE }], inAnHour);
    await stores.pages.end([{ ...late, state: 'succeeded', price: { base: 1 } }], stores.clock.now());
    expect(await read()).toMatchObject({ data: [{ markdown: 'One' }, { markdown: 'Two' }] });
  });

  it('are read in parts that the caller chooses', async () => {
    const pages = ['a', 'b', 'c'].map((markdown) => ({ formats: { markdown } }));
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, pages);
    const path = `/v2/crawl/${firecrawlIdOf(id)}`;
    const { json } = await ask(`${path}?skip=1&limit=1`);
    expect([json.data.length, json.data[0].markdown]).toEqual([1, 'b']);
    expect(json.next).toBe(`${service.gateway.url}${path}?skip=2&limit=1`);
    expect((await ask(`${path}?skip=9`)).json).toEqual(expect.objectContaining({ data: [] }));
    expect((await ask(`${path}?skip=9`)).json).not.toHaveProperty('next');
  });

  it.each([
    '?skip=-1',
    '?skip=x',
    '?limit=0',
    '?skip=1&skip=2',
    '?skip=99999999999999999999',
    '?page=2',
    '?skip=1.5',
  ])('reject the forged part %s', async (query) => {
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, [
      { formats: { markdown: 'One' } },
    ]);
    expect(await ask(`/v2/crawl/${firecrawlIdOf(id)}${query}`)).toMatchObject({
      status: 400,
      json: { success: false, code: 'INVALID_REQUEST' },
    });
  });

  it('of other accounts, and texts that are not ids, are not found', async () => {
    const { accountId } = await service.bed.createKey();
    const { id } = await seedJob(service.bed.stores, accountId, [{ formats: { markdown: 'One' } }]);
    const none = '00000000-0000-0000-0000-000000000000';
    for (const each of [
      firecrawlIdOf(id),
      id,
      'invalid-job-id',
      none,
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
    ]) {
      for (const [method, path] of [
        ['GET', ''],
        ['GET', '/errors'],
        ['DELETE', ''],
      ] as const) {
        expect([each, await ask(`/v2/crawl/${each}${path}`, { method })]).toMatchObject([
          each,
          { status: 404, json: { success: false, code: 'JOB_NOT_FOUND' } },
        ]);
      }
    }
  });

  it('are cancelled by either form of their id', async () => {
    const job = await seedJob(service.bed.stores, service.owner.accountId, ['waiting']);
    service.orchestrator.follow(() => ({ ...job, status: 'cancelled' }));
    expect(await ask(`/v2/crawl/${firecrawlIdOf(job.id)}`, { method: 'DELETE' })).toMatchObject({
      status: 200,
      json: { success: true, status: 'cancelled' },
    });
    expect(service.orchestrator.commands).toEqual([
      { type: 'cancel', jobId: job.id, accountId: service.owner.accountId },
    ]);
  });
});
