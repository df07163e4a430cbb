import { brotliDecompressSync } from 'node:zlib';
import type { SnapshotCommand } from '@gleaner/contracts';
import { eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EXTRACTIONS_PER_ACCOUNT } from '../src/routes/content/extract-handler.ts';
import { call } from './support/call.ts';
import { startScriptedSnapshots } from './support/scripted-snapshots.ts';
import { startTestBed, type TestBed, type TestGateway, type TestKey } from './support/test-bed.ts';

const MEBIBYTE = 1024 * 1024;

describe('POST /v1/extract', () => {
  let bed: TestBed;
  let gateway: TestGateway;
  let owner: TestKey;
  const commands: SnapshotCommand[] = [];
  const held = { accountId: '', released: Promise.withResolvers<void>() };

  beforeAll(async () => {
    bed = await startTestBed();
    gateway = await bed.startGateway({ RATE_LIMIT_EXTRACT: '40' });
    await startScriptedSnapshots(bed.broker, commands, async ({ accountId }) => {
      if (accountId === held.accountId) await held.released.promise;
    });
    owner = await bed.createKey({ balance: 0 });
  });
  afterAll(async () => {
    await bed[Symbol.asyncDispose]();
  });

  const extract = (body: unknown, { key }: Pick<TestKey, 'key'> = owner) =>
    call(`${gateway.url}/v1/extract`, { key, body });

  it('sends the page to a scraper, and needs no credits', async () => {
    const options = { selectors: { title: 'h1' }, formats: ['text'], locale: 'de', overlays: 'hide' };
    const { status, json, headers } = await extract({
      html: '<h1>Käse</h1>',
      url: 'https://a.test/',
      ...options,
    });
    expect([status, json]).toMatchObject([
      200,
      { success: true, data: { title: 'A page' }, metadata: { url: 'https://a.test/', credits: 0 } },
    ]);
    expect(json.requestId).toBe(headers['x-request-id']);
    const { accountId, page, task } = commands.at(-1) as SnapshotCommand;
    expect([accountId, page.baseUrl]).toEqual([owner.accountId, 'https://a.test/']);
    expect(brotliDecompressSync(Buffer.from(page.source, 'base64')).toString()).toBe('<h1>Käse</h1>');
    expect(task).toMatchObject({ type: 'read', request: options });
  });

  it('takes HTML of 10 MiB, however many escapes its JSON has', async () => {
    const html = '<p>"ä"</p>\n'.padEnd(16, '"').repeat(MEBIBYTE / 2);
    const bytes = Buffer.byteLength(html);
    const whole = html + 'x'.repeat(10 * MEBIBYTE - bytes);
    expect((await extract({ html: whole })).status).toBe(200);
    const { status, json } = await extract({ html: `${whole}x` });
    expect([status, json.error]).toMatchObject([
      413,
      {
        code: 'PAYLOAD_TOO_LARGE',
        message: 'html has 10485761 bytes in UTF-8; at most 10485760 are read.',
        details: [{ path: 'html' }],
      },
    ]);
  });

  it('refuses a larger body before it has arrived', async () => {
    const { status, json } = await extract({ html: 'x'.repeat(21 * MEBIBYTE) });
    expect([status, json.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it.each([
    [{}, 'INVALID_REQUEST', 'html'],
    [{ html: '' }, 'INVALID_REQUEST', 'html'],
    [{ html: 5 }, 'INVALID_REQUEST', 'html'],
    [{ html: '<p>', render: true }, 'INVALID_REQUEST', 'render'],
    [{ html: '<p>', selector: { a: 'b' } }, 'INVALID_REQUEST', 'selector'],
    [{ html: '<p>', overlays: 'accept' }, 'INVALID_REQUEST', 'overlays'],
    [{ html: '<p>', formats: ['text', 'text'] }, 'INVALID_REQUEST', 'formats.1'],
    [{ html: '<p>', selectors: { a: '..' } }, 'INVALID_SELECTOR', 'selectors.a'],
    [{ html: '<p>', url: '/page' }, 'INVALID_URL', 'url'],
    [{ html: '<p>', url: 'file:///etc/passwd' }, 'INVALID_URL', 'url'],
  ])('refuses %j', async (body, code, path) => {
    const { json } = await extract(body);
    expect(json.error).toMatchObject({ code, details: [{ path }] });
  });

  it('takes the URL of a page in a private network, which it does not fetch', async () => {
    expect((await extract({ html: '<p>', url: 'http://10.0.0.1/wiki' })).status).toBe(200);
  });

  it('keeps a few places for each account, and leaves some to others', async () => {
    const busy = await bed.createKey();
    held.accountId = busy.accountId;
    const before = commands.length;
    const waiting = Array.from({ length: EXTRACTIONS_PER_ACCOUNT + 2 }, () => extract({ html: '<p>' }, busy));
    await eventually(() => expect(commands).toHaveLength(before + EXTRACTIONS_PER_ACCOUNT));
    const { key } = await bed.createKey();
    expect((await extract({ html: '<p>' }, { key })).status).toBe(200);
    held.released.resolve();
    const statuses = (await Promise.all(waiting)).map(({ status }) => status);
    // On a slow machine, the patience of those that wait may be over.
    for (const status of statuses) expect([200, 429]).toContain(status);
    const read = statuses.filter((status) => status === 200);
    expect(read.length).toBeGreaterThanOrEqual(EXTRACTIONS_PER_ACCOUNT);
    expect((await extract({ html: '<p>' }, busy)).status).toBe(200);
  });

  it('has a rate limit of its own', async () => {
    const { key } = await bed.createKey();
    for (let count = 0; count < 40; count += 1) await extract({}, { key });
    const { status, json } = await extract({}, { key });
    expect([status, json.error.message]).toEqual([
      429,
      'The API key has reached its limit of 40 extractions per 60 seconds.',
    ]);
    expect((await call(`${gateway.url}/v1/usage`, { key })).status).toBe(200);
  });
});
