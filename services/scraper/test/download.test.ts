import { createHash, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Broker } from '@gleaner/broker';
import {
  AppError,
  FILE_PART_BYTES,
  type FileCommand,
  fileIdPrefixOf,
  type ScrapeRequest,
} from '@gleaner/contracts';
import {
  eventually,
  makePdf,
  type Origin,
  type OriginRoute,
  routesOf,
  startOrigin,
  untilReady,
} from '@gleaner/test-kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { crawlPage, outcomeOf } from './crawled-page.ts';
import { scrapeBriefly } from './scrape-briefly.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

const LARGE = randomBytes(2 * FILE_PART_BYTES + 1000);
const ZIP = Buffer.from('PK\u0003\u0004xxxx', 'latin1');
const CSV = 'name,price\r\nKettle,19.90\r\n';
const PDF = makePdf([[{ text: 'Kettles', url: 'https://a.example/' }]]);
const attached = (name: string) => ({ 'content-disposition': `attachment; filename="${name}"` });

const SITE = {
  '/large.bin': { body: LARGE, headers: { 'content-type': 'application/octet-stream' } },
  '/archive': { body: ZIP, headers: { 'content-type': 'application/zip', ...attached('../../a b.zip') } },
  '/prices.csv': { body: CSV, headers: { 'content-type': 'text/csv; charset=utf-8' } },
  '/forced': { body: gzipSync(CSV), headers: { 'content-type': 'text/csv', 'content-encoding': 'gzip' } },
  '/empty': { body: '', headers: { 'content-type': 'text/plain' } },
  '/report.pdf': { body: PDF, headers: { 'content-type': 'application/pdf' } },
  '/login.pdf': { body: '<title>Log in</title>', headers: { 'content-type': 'application/pdf' } },
  '/export.html': {
    body: '<title>Export</title>',
    headers: { 'content-type': 'text/html', ...attached('e.html') },
  },
  '/notes.txt': { body: 'Notes', headers: { 'content-type': 'text/plain' } },
  '/page': '<title>Page</title><a href="/archive">a</a>',
};

/** Commands about files that came in the test. */
const commands: FileCommand[] = [];
let breaks = 0;
/** Breaks off once a part was stored, as often as is set. */
const BREAKING: OriginRoute = {
  path: '/breaking',
  behavior: async ({ response, wire }) => {
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': String(LARGE.length) });
    breaks -= 1;
    if (breaks < 0) return void response.end(LARGE);
    response.write(LARGE.subarray(0, FILE_PART_BYTES + 500));
    await eventually(() => expect(commands.map(({ step }) => step.type)).toContain('write'));
    wire.destroy();
  },
};

/** Announces more than is kept, and sends a little of it. */
const ANNOUNCED: OriginRoute = {
  path: '/announced',
  behavior: ({ response }) => {
    response.writeHead(200, { 'content-length': String(4 * FILE_PART_BYTES) });
    response.write(Buffer.alloc(100_000));
  },
};

/** Sends a part and a half, and nothing after it. */
const STALLED: OriginRoute = {
  path: '/stalled',
  behavior: ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    response.write(LARGE.subarray(0, 1.5 * FILE_PART_BYTES));
  },
};

describe('a download', () => {
  let scraper: TestScraper;
  let site: Origin;
  let broker: Broker;
  let refusals = 0;

  beforeAll(async () => {
    site = await startOrigin({ routes: [...routesOf(SITE), BREAKING, ANNOUNCED, STALLED] });
    scraper = await startTestScraper({
      EGRESS_ALLOW: '127.0.0.1',
      MAX_FILE_BYTES: String(3 * FILE_PART_BYTES),
    });
    broker = await scraper.connect();
    broker.respond(
      'files.commands',
      async ({ body }) => {
        refusals -= 1;
        if (refusals >= 0)
          throw new AppError('SERVICE_UNAVAILABLE', { message: 'The disk of the database is full.' });
        commands.push(body);
        return {};
      },
      { concurrency: 4 },
    );
    await untilReady(broker);
  });
  beforeEach(() => {
    commands.length = 0;
    refusals = 0;
    breaks = 0;
  });
  afterAll(async () => {
    await broker.close();
    await scraper[Symbol.asyncDispose]();
    await site.close();
  });

  const download = (path: string, options: Omit<ScrapeRequest, 'url'> = {}) =>
    scraper.scrape({ url: site.url + path, download: true, ...options }, { timeoutMs: 240_000 });

  async function fileOf(path: string, options?: Omit<ScrapeRequest, 'url'>) {
    const reply = await download(path, options);
    if (!reply.ok || !reply.result.file) throw new Error(JSON.stringify(reply));
    const { file, ...result } = reply.result;
    return { file, result };
  }

  const stepsOf = (type: FileCommand['step']['type']) => commands.filter(({ step }) => step.type === type);
  /** Returns the bytes of the parts that were stored of a file. */
  const storedAs = (id: string) =>
    Buffer.concat(
      commands.flatMap(({ fileId, step }) =>
        fileId === id && step.type === 'write' ? [Buffer.from(step.content, 'base64')] : [],
      ),
    );

  it('goes to the orchestrator part by part, with its hash', async () => {
    const { file, result } = await fileOf('/large.bin');
    expect(file).toEqual({
      id: expect.stringMatching(/^fil_/),
      name: 'large.bin',
      contentType: 'application/octet-stream',
      size: LARGE.length,
      sha256: createHash('sha256').update(LARGE).digest('hex'),
    });
    expect(storedAs(file.id).equals(LARGE)).toBe(true);
    expect(commands.map(({ step }) => step.type)).toEqual(['write', 'write', 'write', 'finish']);
    expect(commands.every(({ accountId, jobId }) => accountId === 'acc_test' && !jobId)).toBe(true);
    expect(result).toMatchObject({ statusCode: 200, engine: 'http', price: { base: 1 }, warnings: [] });
    expect(result).not.toHaveProperty('dataJson');
  });

  it.each([
    ['/archive', 'a b.zip', 'application/zip', ZIP],
    ['/redirect/302?to=/archive', 'a b.zip', 'application/zip', ZIP],
    ['/prices.csv', 'prices.csv', 'text/csv; charset=utf-8', Buffer.from(CSV)],
    ['/forced', 'forced', 'text/csv', Buffer.from(CSV)],
    ['/report.pdf', 'report.pdf', 'application/pdf', PDF],
    ['/page', 'page', 'text/html; charset=utf-8', Buffer.from(SITE['/page'])],
    ['/empty', 'empty', 'text/plain', Buffer.alloc(0)],
  ])('of %s is the body as it was sent', async (path, name, contentType, bytes) => {
    const { file } = await fileOf(path);
    expect(file).toMatchObject({ name, contentType, size: bytes.length });
    expect(storedAs(file.id).equals(bytes)).toBe(true);
  });

  it('asks for a body that is not compressed, unless the caller asks for another', async () => {
    await fileOf('/prices.csv');
    expect(site.requests.at(-1)?.headers).toMatchObject({ 'accept-encoding': 'identity' });
    await fileOf('/prices.csv', { headers: { 'accept-encoding': 'gzip' } });
    expect(site.requests.at(-1)?.headers).toMatchObject({ 'accept-encoding': 'gzip' });
  });

  it.each([
    ['/status/404', 'NOT_FOUND'],
    ['/blocked/cloudflare-challenge?status=200', 'BLOCKED'],
  ])('of %s fails as a page does, and stores nothing', async (path, code) => {
    const reply = await download(path);
    expect(!reply.ok && reply.failure.code).toBe(code);
    expect(commands).toEqual([]);
  });

  it('of an endless body ends at the limit, and what was stored is discarded', async () => {
    const reply = await scraper.scrape({ url: '/endless', download: true });
    expect(!reply.ok && reply.failure).toMatchObject({
      code: 'UNSUPPORTED_CONTENT',
      message: expect.stringContaining('larger than 3 MiB'),
      suggestion: expect.stringContaining('MAX_FILE_BYTES'),
    });
    await eventually(() => expect(stepsOf('discard')).toHaveLength(1));
    expect(stepsOf('finish')).toEqual([]);
  });

  it('of a body that announces too much is not read', async () => {
    const reply = await download('/announced');
    expect(!reply.ok && reply.failure.code).toBe('UNSUPPORTED_CONTENT');
    expect(commands).toEqual([]);
  });

  it('that does not arrive in time says how much did, and is discarded', async () => {
    const request = { url: `${site.url}/stalled`, download: true };
    const arrived = '1 MiB of the file had arrived';
    const reply = await scrapeBriefly(
      (timeoutMs) => scraper.scrape(request, { timeoutMs }),
      10_000,
      ({ failure }) => failure.message.includes(arrived),
    );
    expect(!reply.ok && reply.failure).toMatchObject({
      code: 'TIMEOUT',
      message: expect.stringContaining(arrived),
      suggestion: expect.stringContaining('up to 120000 ms'),
    });
    await eventually(() => expect(commands.map(({ step }) => step.type)).toEqual(['write', 'discard']));
  });

  it('that breaks off is discarded, and begins again', async () => {
    breaks = 1;
    const { file } = await fileOf('/breaking');
    expect(storedAs(file.id).equals(LARGE)).toBe(true);
    await eventually(() => expect(stepsOf('discard')).toHaveLength(1));
    expect(stepsOf('discard')[0]?.fileId).not.toBe(file.id);
    expect(stepsOf('finish')).toHaveLength(1);
  });

  it('tries a part again that was not stored, and says why it gives up', async () => {
    refusals = 2;
    const { file } = await fileOf('/archive');
    expect(storedAs(file.id).equals(ZIP)).toBe(true);
    refusals = 100;
    const reply = await download('/archive');
    expect(!reply.ok && reply.failure).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('disk of the database is full'),
    });
  });

  it('in a crawl keeps files, which lead nowhere, and reads pages', async () => {
    const options = { download: true };
    const { file, crawl, dataJson } = outcomeOf(
      'found',
      await crawlPage(scraper, site, '/archive', { options }),
    );
    expect(file).toMatchObject({ name: 'a b.zip', size: ZIP.length });
    expect(dataJson).toBeUndefined();
    const hash = Buffer.from(file?.sha256 ?? '', 'hex')
      .subarray(0, 16)
      .toString('base64url');
    expect(crawl).toEqual({ links: [], dropped: {}, textHash: hash, dataHash: hash });
    expect(commands.every(({ jobId }) => jobId === 'job_crawl')).toBe(true);
    const pdf = outcomeOf('found', await crawlPage(scraper, site, '/report.pdf', { options }));
    expect(pdf.file).toMatchObject({ name: 'report.pdf' });
    const page = outcomeOf('found', await crawlPage(scraper, site, '/page', { options }));
    expect(page.file).toBeUndefined();
    expect(page.crawl?.links.map(({ url }) => url)).toEqual([`${site.url}/archive`]);
    outcomeOf('notDocument', await crawlPage(scraper, site, '/login.pdf', { options }));
  });

  it.each([
    ['/prices.csv', 'prices.csv'],
    ['/export.html', 'e.html'],
    ['/notes.txt', undefined],
  ])('in a crawl makes of %s the file %s, as attachments and data are not pages', async (path, name) => {
    const { file } = outcomeOf(
      'found',
      await crawlPage(scraper, site, path, { options: { download: true } }),
    );
    expect(file?.name).toBe(name);
  });

  it('of a page of a job has an id by which the files of its attempt are found', async () => {
    const options = { download: true, command: { attempt: 3 } };
    const { file } = outcomeOf('found', await crawlPage(scraper, site, '/archive', { options }));
    const pageId = scraper.outcomes.at(-1)?.pageId ?? '';
    expect(file?.id.startsWith(fileIdPrefixOf(pageId, 3))).toBe(true);
    expect(file?.id).toMatch(/^fil_[0-9a-z]{26}$/);
  });
});
