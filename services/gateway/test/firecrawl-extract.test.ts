import { AppError, firecrawlIdOf, toFailure } from '@gleaner/contracts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { seedJob } from './support/scripted-orchestrator.ts';
import type { TestGateway } from './support/test-bed.ts';
import { URL_A, useFirecrawl } from './support/use-firecrawl.ts';

const { service, ask } = useFirecrawl();
let at: TestGateway;

beforeAll(async () => {
  at = await service.bed.startGateway({ LLM_URL: 'http://127.0.0.1:9/v1', LLM_MODEL: 'test-model' });
});

const SCHEMA = { type: 'object', properties: { title: { type: 'string' } } };

describe('POST /extract', () => {
  it.each(['/v2', '/firecrawl/v1'])('creates a job of %s with the schema and both prompts', async (base) => {
    const body = {
      urls: [URL_A, 'http://10.0.0.1/'],
      schema: SCHEMA,
      prompt: 'All titles.',
      systemPrompt: 'Be brief.',
      showSources: true,
      enableWebSearch: false,
      scrapeOptions: { waitFor: 100, formats: ['links'] },
    };
    const { status, json } = await ask(`${base}/extract`, { body, at });
    const command = service.orchestrator.commands.at(-1);
    expect([status, json]).toMatchObject([
      200,
      {
        success: true,
        id: firecrawlIdOf(command?.jobId ?? ''),
        invalidURLs: ['http://10.0.0.1/'],
        warning: expect.stringContaining('scrapeOptions.formats'),
      },
    ]);
    expect(command).toMatchObject({
      request: {
        urls: [URL_A],
        formats: ['metadata'],
        waitFor: 100,
        extract: { schema: SCHEMA, prompt: 'Be brief.\n\nAll titles.' },
      },
    });
  });

  it.each([
    [{ urls: ['https://example.com/*'], prompt: 'p' }, 'urls.0'],
    [{ urls: [URL_A] }, 'prompt'],
    [{ urls: [URL_A], prompt: 'p', enableWebSearch: true }, 'enableWebSearch'],
    [{ urls: [URL_A], prompt: 'p', agent: { model: 'FIRE-1' } }, 'agent'],
    [{ prompt: 'p' }, 'urls'],
    [{ urls: Array(11).fill(URL_A), prompt: 'p' }, 'urls'],
  ])('refuses %j', async (body, path) => {
    const { status, json } = await ask('/v2/extract', { body, at });
    expect([status, json.details.map((detail: { path: string }) => detail.path)]).toEqual([400, [path]]);
  });

  it('is refused without a model, and with keywords that no page can answer', async () => {
    const body = { urls: [URL_A], schema: { type: 'object', properties: { a: { oneOf: [] } } } };
    expect(await ask('/v2/extract', { body })).toMatchObject({
      status: 503,
      json: { code: 'NOT_CONFIGURED' },
    });
    expect(await ask('/v2/extract', { body, at })).toMatchObject({
      status: 400,
      json: { code: 'INVALID_REQUEST', error: expect.stringContaining('extract.schema.properties.a') },
    });
  });
});

describe('GET /extract/{id}', () => {
  const seed = (pages: Parameters<typeof seedJob>[2], options: object = { extract: { schema: SCHEMA } }) =>
    seedJob(service.bed.stores, service.owner.accountId, pages, options);
  const read = async (pages: Parameters<typeof seedJob>[2], options?: object) => {
    const { id } = await seed(pages, options);
    return await ask(`/v2/extract/${firecrawlIdOf(id)}`, { at });
  };
  const failure = toFailure(new AppError('NOT_FOUND', { message: 'It answered 404.' }));

  it('merges the pages into one object, with the pages of each field and those that failed', async () => {
    const pages = [
      { data: { title: null, items: [{ a: 1 }], maker: { name: 'A', city: null } } },
      { data: { title: 'Two', items: [{ a: 2 }, { a: 3 }], maker: { name: 'B', city: 'C' } } },
      { failure },
    ];
    const { status, json } = await read(pages);
    const [, first, second] = [json, ...json.sources.items];
    expect([status, json]).toMatchObject([
      200,
      {
        success: true,
        status: 'completed',
        data: { title: 'Two', items: [{ a: 1 }, { a: 2 }, { a: 3 }], maker: { name: 'A', city: 'C' } },
        sources: { title: [second], items: [first, second] },
        warning: expect.stringContaining('It answered 404.'),
      },
    ]);
  });

  it('tells whether it runs, and why it failed', async () => {
    expect((await read(['waiting'])).json).toMatchObject({ success: true, status: 'processing' });
    expect((await read([{ failure }])).json).toMatchObject({
      success: false,
      status: 'failed',
      error: expect.stringContaining('It answered 404.'),
    });
  });

  it('knows no other jobs', async () => {
    const page = { data: { title: 'One' } };
    for (const [pages, options] of [
      [[page], {}],
      [[page], { extract: { schema: SCHEMA }, selectors: { title: 'h1' } }],
      [Array(11).fill(page), { extract: { schema: SCHEMA } }],
    ] as const)
      expect(await read(pages, options)).toMatchObject({ status: 404, json: { code: 'JOB_NOT_FOUND' } });
  });
});
