import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Gleaner } from '@gleaner/client';
import { askDuckDb, eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { TestAnswer, TestStack } from '../stack/test/test-stack.ts';
import { joinStack } from './join-stack.ts';

interface Operation {
  readonly requestBody?: {
    content: { 'application/json': { example?: object; examples?: Record<string, { value: object }> } };
  };
  readonly responses: Record<string, { content?: Record<string, unknown> }>;
}

let bed: TestStack;
/** The OpenAPI document as the gateway serves it. */
let openApi: { paths: Record<string, Record<string, Operation>> };
let ajv: Ajv2020;

beforeAll(async () => {
  bed = await joinStack();
  openApi = (await bed.ask('/openapi.json')).json;
  ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(openApi, 'openapi');
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

/** Succeed only for a field that has fallen, or a page of a job: watched-shop.test.ts and recipes.test.ts follow them. */
const NEEDING_MORE = ['/v1/schedules/{id}/health/accept', '/v1/recipes/{id}/tests/record'];

const PAGE_OF_TEST = '<h1>A page of a test</h1>';
const RECIPE = { match: ['https://shop.example/*'], options: { selectors: { title: 'h1' } } };

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Returns the bodies that the document shows for an operation, by name. */
function bodiesOf({ requestBody }: Operation): Readonly<Record<string, object | undefined>> {
  const { example, examples = {} } = requestBody?.content['application/json'] ?? {};
  const named = Object.entries(examples).map(([name, { value }]) => [name, value]);
  return { default: example, ...Object.fromEntries(named) };
}

/** Calls a route with a body that the document shows, and holds the response to the document. */
async function follow(
  method: string,
  path: string,
  {
    id = 'missing',
    example = 'default',
    query = '',
  }: { readonly id?: string | undefined; readonly example?: string; readonly query?: string } = {},
): Promise<TestAnswer> {
  const operation = openApi.paths[path]?.[method] ?? { responses: {} };
  const { responses } = operation;
  const body = bodiesOf(operation)[example];
  const answer = await bed.ask(
    path
      .replace(/\{(?:id|requestId)\}/, id)
      .replace('{index}', '0')
      .replace('{sha256}', sha256Of(PAGE_OF_TEST))
      .replace('{name}', path.includes('/datasets/') ? 'pages' : 'shop-password')
      .replace('{key}', encodeURIComponent(bed.stack.demoUrl)) + query,
    body,
    method.toUpperCase(),
  );
  const { status, json } = answer;
  expect([method, path, status, json?.error]).toEqual([method, path, expect.any(Number), undefined]);
  expect(Object.keys(responses).filter((declared) => declared.startsWith('2'))).toContain(String(status));
  const pointer = ['paths', path, method, 'responses', status, 'content', 'application/json', 'schema'];
  const $ref = `openapi#/${pointer.map((key) => encodeURIComponent(String(key).replaceAll('/', '~1'))).join('/')}`;
  expect([$ref, ajv.validate({ $ref }, json), ajv.errors]).toEqual([$ref, true, null]);
  return answer;
}

async function untilFinished(id: string): Promise<TestAnswer> {
  await eventually(async () => {
    const { job } = (await bed.ask(`/v1/jobs/${id}`)).json;
    expect(['completed', 'partial', 'failed']).toContain(job.status);
  });
  return follow('get', '/v1/jobs/{id}', { id });
}

/** Creates a schedule with two runs that have Markdown, and returns its id. */
async function runTwice(): Promise<string> {
  const body = { url: bed.stack.demoUrl, formats: ['markdown'], cron: '0 0 1 1 *' };
  const { id } = (await bed.ask('/v1/schedules', body)).json.schedule;
  for (let count = 0; count < 2; count += 1) {
    const run = await bed.ask(`/v1/schedules/${id}/run`, {});
    await untilFinished(run.json.job.id);
  }
  return id;
}

describe('the OpenAPI document', () => {
  it('shows bodies that succeed as they stand, with responses that fit it', async () => {
    const missing = await bed.ask('/v1/jobs', { urls: [`${bed.origin.url}/status/404`] });
    await untilFinished(missing.json.job.id);
    const schedule = await follow('post', '/v1/schedules');
    const kept = await bed.ask('/v1/scrape', { url: bed.stack.demoUrl, snapshot: true });
    const keeping = await bed.ask('/v1/jobs', { urls: [bed.stack.demoUrl], snapshot: true });
    await untilFinished(keeping.json.job.id);
    const profile = await bed.ask('/v1/profiles', { name: 'Example' });
    const channel = await follow('post', '/v1/channels');
    const recipe = await bed.ask('/v1/recipes', { ...RECIPE, name: 'Changed' });
    const ids: Readonly<Record<string, string>> = {
      '/v1/snapshots/{id}/extract': kept.json.snapshotId,
      '/v1/snapshots/{id}/suggest': kept.json.snapshotId,
      '/v1/jobs/{id}/rerun': missing.json.job.id,
      '/v1/jobs/{id}/extract': keeping.json.job.id,
      '/v1/schedules/{id}': schedule.json.schedule.id,
      '/v1/profiles/{id}': profile.json.profile.id,
      '/v1/channels/{id}': channel.json.channel.id,
      '/v1/channels/{id}/test': channel.json.channel.id,
      '/v1/recipes/{id}': recipe.json.recipe.id,
    };
    const routes = Object.entries(openApi.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { requestBody }]) => requestBody && !NEEDING_MORE.includes(path))
        .map(([method]) => [method, path] as const),
    );
    expect(routes.length).toBeGreaterThan(5);
    for (const [method, path] of routes) {
      const examples = Object.keys(bodiesOf(openApi.paths[path]?.[method] ?? { responses: {} }));
      for (const example of examples) await follow(method, path, { id: ids[path], example });
    }
  });

  it('describes what its examples extract, and every list and record that is read afterwards', async () => {
    const { json } = await follow('post', '/v1/scrape');
    expect(json).toMatchObject({
      data: { title: 'All books', links: expect.arrayContaining([`${bed.stack.demoUrl}books/middlemarch`]) },
    });
    const { job } = (await follow('post', '/v1/jobs')).json;
    const finished = await untilFinished(job.id);
    expect(finished.json.job).toMatchObject({ status: 'completed', failedUrls: 0 });
    const { schedule } = (await follow('post', '/v1/schedules')).json;
    const run = await follow('post', '/v1/schedules/{id}/run', { id: schedule.id });
    expect((await untilFinished(run.json.job.id)).json.job).toMatchObject({ status: 'completed' });

    const compared = await runTwice();
    const keeping = await bed.ask('/v1/jobs', { urls: [bed.stack.demoUrl], dataset: { name: 'pages' } });
    await untilFinished(keeping.json.job.id);
    const { profile } = (await bed.ask('/v1/profiles', { name: 'Read' })).json;
    const { channel } = (await follow('post', '/v1/channels')).json;
    const { recipe } = (await bed.ask('/v1/recipes', { ...RECIPE, name: 'Read' })).json;
    await bed.ask('/v1/recipes/pages', { html: PAGE_OF_TEST });
    const reads = Object.entries(openApi.paths).filter(
      ([path, { get }]) => path.startsWith('/v1/') && get?.responses[200]?.content?.['application/json'],
    );
    expect(reads.length).toBeGreaterThan(8);
    const idFor = (path: string) => {
      if (path.includes('{requestId}')) return json.requestId;
      if (path.includes('/profiles/')) return profile.id;
      if (path.includes('/channels/')) return channel.id;
      if (path.includes('/recipes/')) return recipe.id;
      if (path.endsWith('/diff')) return compared;
      return path.includes('/schedules/') ? schedule.id : job.id;
    };
    for (const [path] of reads)
      await follow('get', path, {
        id: idFor(path),
        ...(path.endsWith('/preview') && { query: '?cron=0+9+*+*+1-5' }),
      });
  });

  it('shows a crawl of the demo site, whose pages have the data of their rules', async () => {
    const { job } = (await follow('post', '/v1/jobs', { example: 'crawl' })).json;
    const { json } = await untilFinished(job.id);
    expect(json.job).toMatchObject({ failedUrls: 0, crawl: { notFound: 0 } });
    const books = json.job.results.filter(({ rule }: { rule?: number }) => rule === 1);
    expect(books.length).toBeGreaterThan(5);
    for (const { data } of books) expect(data).toEqual({ title: expect.stringMatching(/./) });
    await follow('get', '/v1/jobs/{id}/urls', { id: job.id });
  });
});

const DOCS = resolve(import.meta.dirname, '../../docs');

/** Queries of the documentation: the page, what is before the query, and the file or folder that it reads. */
const QUERIES = [
  { page: 'jobs.md', query: /duckdb -c "(.*)"$/m, reads: 'books.parquet' },
  { page: 'datasets.md', query: /```sql\n(.*?);\n```/s, reads: 'books.parquet' },
  { page: 'sinks.md', query: /```sql\n.*?(SELECT.*?);\n```/s, reads: 's3://my-bucket/gleaner' },
];

describe('the documentation', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gleaner-examples-'));
    const gleaner = new Gleaner({ url: bed.stack.url, apiKey: bed.stack.apiKey });
    const { id } = await gleaner.jobs.create({
      urls: [bed.stack.demoUrl],
      crawl: { include: ['/books/*'], limit: 30 },
      selectors: { title: 'h1', price: { selector: '.price', type: 'price' } },
    });
    await gleaner.jobs.wait(id);
    const file = join(folder, 'books.parquet');
    await writeFile(file, gleaner.jobs.download(id, { format: 'parquet' }));
    const part = join(folder, `books/date=2026-11-28/${id}/part-00000.parquet`);
    await mkdir(dirname(part), { recursive: true });
    await cp(file, part);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(QUERIES)('has a query for DuckDB in $page that finds the books', async ({ page, query, reads }) => {
    const [, sql = ''] = query.exec(await readFile(join(DOCS, page), 'utf8')) ?? [];
    const place = reads.endsWith('.parquet') ? join(folder, reads) : folder;
    const { rows } = await askDuckDb(sql.replaceAll('\\"', '"').replace(reads, place));
    expect(rows).toContainEqual(
      expect.objectContaining({ title: 'Emma', 'price.amount': expect.any(Number) }),
    );
  });
});
