import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SnapshotCommand } from '@gleaner/contracts';
import { eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SNAPSHOTS_PER_ACCOUNT } from '../src/routes/content/snapshot-handlers.ts';
import { call } from './support/call.ts';
import { packedPage, startScriptedSnapshots } from './support/scripted-snapshots.ts';
import { found, type ScriptedWorker, startScriptedWorker } from './support/scripted-worker.ts';
import { startTestBed, type TestBed, type TestGateway, type TestKey } from './support/test-bed.ts';

const HTML = '<title>A page</title><h1>Kettles</h1>';

describe('snapshots', () => {
  let bed: TestBed;
  let gateway: TestGateway;
  let worker: ScriptedWorker;
  let owner: TestKey;
  const commands: SnapshotCommand[] = [];
  const held = { accountId: '', released: Promise.withResolvers<void>() };

  beforeAll(async () => {
    bed = await startTestBed();
    gateway = await bed.startGateway({ SNAPSHOT_QUOTA_BYTES: String(1024 * 1024) });
    worker = await startScriptedWorker(bed.broker);
    await startScriptedSnapshots(bed.broker, commands, async ({ accountId }) => {
      if (accountId === held.accountId) await held.released.promise;
    });
    owner = await bed.createKey();
  });
  afterAll(async () => {
    await bed[Symbol.asyncDispose]();
  });

  const ask = (path: string, body?: object, { key }: Pick<TestKey, 'key'> = owner) =>
    call(`${gateway.url}/v1/${path}`, { key, ...(body && { body }) });

  async function keep(source = HTML, key = owner): Promise<string> {
    worker.follow(() => found({ snapshot: packedPage(source) }));
    const { json } = await ask('scrape', { url: 'https://example.com/', snapshot: true }, key);
    return json.snapshotId;
  }

  it('are kept by a scrape that asks for one, and only then', async () => {
    expect(await keep()).toMatch(/^snp_/);
    worker.reset();
    const { json } = await ask('scrape', { url: 'https://example.com/' });
    expect(json).not.toHaveProperty('snapshotId');
  });

  it('cannot be asked for elements that are to be selected and not to be', async () => {
    const { json } = await ask(`snapshots/${await keep()}/suggest`, { kind: 'one', picks: [2, 3], not: [3] });
    expect(json.error).toMatchObject({
      code: 'INVALID_REQUEST',
      details: [
        { path: 'picks.1', message: expect.stringContaining('is the element 3, which is also in not') },
      ],
    });
  });

  it('go to a scraper with each command, and cost nothing', async () => {
    const id = await keep();
    const before = (await ask('usage')).json.usage.used;
    const selectors = { title: 'h1' };
    const extracted = await ask(`snapshots/${id}/extract`, { selectors });
    expect(extracted.json).toMatchObject({ data: { title: 'A page' }, matches: { title: [3] } });
    const other = await keep();
    await ask(`snapshots/${id}/suggest`, { kind: 'one', picks: [3], alsoOn: [other] });
    expect(commands.slice(-2)).toMatchObject([
      {
        accountId: owner.accountId,
        page: packedPage(HTML),
        task: { type: 'extract', request: { selectors } },
      },
      { task: { type: 'suggest', others: [packedPage(HTML)] } },
    ]);
    expect((await ask('usage')).json.usage.used).toBe(before + 1);
  });

  describe('for a schema', () => {
    const schema = { type: 'object', properties: { title: { type: 'string' } } };
    const settings = { LLM_URL: 'http://127.0.0.1:9/v1', LLM_MODEL: 'm', LLM_CREDITS_PER_1K_TOKENS: '2' };
    let at: TestGateway;
    beforeAll(async () => {
      at = await bed.startGateway(settings);
    });
    const suggest = async (body: object, key = owner) =>
      await call(`${at.url}/v1/snapshots/${await keep()}/suggest`, { key: key.key, body });

    it('have selectors proposed, at the price of the model', async () => {
      const before = (await ask('usage')).json.usage.used;
      const body = { schema, prompt: 'The heading.', locale: 'en', alsoOn: [await keep()], maxCredits: 50 };
      const { status, json } = await suggest(body);
      expect([status, json]).toMatchObject([
        200,
        { candidates: [], proposal: { selectors: { title: 'h1' }, credits: 3 } },
      ]);
      expect(commands.at(-1)).toMatchObject({
        page: packedPage(HTML),
        task: {
          type: 'solve',
          extract: { schema, prompt: 'The heading.', maxCredits: 50 },
          locale: 'en',
          others: [packedPage(HTML)],
        },
      });
      // Both pages were scraped as well.
      expect((await ask('usage')).json.usage.used).toBe(before + 5);
    });

    it('are free where the model fails', async () => {
      const before = (await ask('usage')).json.usage.used;
      expect(await suggest({ schema, prompt: 'fail' })).toMatchObject({
        status: 502,
        json: { error: { code: 'MODEL_FAILED', message: 'The model refused to answer.' } },
      });
      expect((await ask('usage')).json.usage.used).toBe(before + 1);
    });

    it.each([
      [{}, ['kind', 'picks']],
      [{ kind: 'one', picks: [1], prompt: 'p' }, ['prompt']],
      [{ schema, kind: 'one', picks: [1] }, ['kind', 'picks']],
      [
        { schema: { type: 'object', properties: { a: { type: 'string', pattern: 'a' } } } },
        ['schema.properties.a.pattern'],
      ],
    ])('refuse %j', async (body, paths) => {
      const { status, json } = await suggest(body);
      const found = json.error.details.map(({ path }: { readonly path: string }) => path);
      expect([status, found]).toEqual([400, paths]);
    });

    it('need a model, and credits for it', async () => {
      expect(await ask(`snapshots/${await keep()}/suggest`, { schema })).toMatchObject({
        status: 503,
        json: { error: { code: 'NOT_CONFIGURED' } },
      });
      const poor = await bed.createKey({ balance: 1 });
      const id = await keep(HTML, poor);
      expect(
        await call(`${at.url}/v1/snapshots/${id}/suggest`, { key: poor.key, body: { schema } }),
      ).toMatchObject({
        status: 402,
      });
    });
  });

  it('of other accounts are read while one account asks for many at once', async () => {
    const busy = await bed.createKey();
    const id = await keep(HTML, busy);
    held.accountId = busy.accountId;
    const countHeld = () => commands.filter(({ accountId }) => accountId === busy.accountId).length;
    const extract = (snapshot: string, key: TestKey) =>
      ask(`snapshots/${snapshot}/extract`, { selectors: { title: 'h1' } }, key);
    const asked = Array.from({ length: 9 }, () => extract(id, busy));
    await eventually(() => expect(countHeld()).toBe(SNAPSHOTS_PER_ACCOUNT));
    expect((await extract(await keep(), owner)).status).toBe(200);
    expect(countHeld()).toBe(SNAPSHOTS_PER_ACCOUNT);
    held.released.resolve();
    // On a slow machine, the patience of those that wait may be over.
    for (const { status } of await Promise.all(asked)) expect([200, 429]).toContain(status);
  });

  it('are shown with headers that isolate them', async () => {
    const { text, headers } = await ask(`snapshots/${await keep()}/view`);
    expect(text).toBe(HTML);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-store',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-dns-prefetch-control': 'off',
    });
    const policy = headers['content-security-policy'] ?? '';
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining(['sandbox', "default-src 'none'", "frame-ancestors 'self'"]),
    );
    expect(policy).not.toMatch(/allow-|script-src/);
  });

  it('run the one script of the console, where there is one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gleaner-console-'));
    await writeFile(join(folder, 'index.html'), '<div id="root"></div>');
    await writeFile(join(folder, 'picker.js'), 'pick()');
    const { url } = await bed.startGateway({ CONSOLE_DIR: folder });
    const view = await call(`${url}/v1/snapshots/${await keep()}/view`, { key: owner.key });
    const hash = createHash('sha256').update('pick()').digest('base64');
    expect(view.headers['content-security-policy']).toContain(
      `sandbox allow-scripts; script-src 'sha256-${hash}'; default-src 'none'`,
    );
    expect(commands.at(-1)?.task).toEqual({ type: 'view', script: 'pick()' });
    const opened = await call(`${url}/v1/snapshots/${await keep()}/view`, {
      key: owner.key,
      headers: { 'Sec-Fetch-Dest': 'document' },
    });
    expect(opened.headers['content-security-policy']).toMatch(/^sandbox; default-src/);
    expect(commands.at(-1)?.task).toEqual({ type: 'view' });
    await rm(folder, { recursive: true });
  });

  it('are not found by other accounts, nor under ids that do not exist', async () => {
    const id = await keep();
    const other = await bed.createKey();
    for (const [path, key] of [
      [id, other],
      ['snp_none', owner],
    ] as const) {
      const answers = await Promise.all([
        ask(`snapshots/${path}/view`, undefined, key),
        ask(`snapshots/${path}/extract`, {}, key),
        ask(`snapshots/${path}/suggest`, { kind: 'one', picks: [0] }, key),
      ]);
      expect(answers.map(({ json }) => json.error.code)).toEqual(Array(3).fill('SNAPSHOT_NOT_FOUND'));
    }
    const alsoOn = await ask(`snapshots/${await keep()}/suggest`, {
      kind: 'one',
      picks: [0],
      alsoOn: ['snp_none'],
    });
    expect(alsoOn.json.error.code).toBe('SNAPSHOT_NOT_FOUND');
  });

  it('give way to newer ones when the account is over its quota', async () => {
    const account = await bed.createKey();
    const page = { ...packedPage(''), source: Buffer.alloc(600_000).toString('base64') };
    worker.follow(() => found({ snapshot: page }));
    const ids: string[] = [];
    for (const _ of [1, 2, 3]) {
      const { json } = await ask('scrape', { url: 'https://example.com/', snapshot: true }, account);
      ids.push(json.snapshotId);
    }
    const kept = await Promise.all(
      ids.map((id) => bed.stores.snapshots.findSnapshot(id, account.accountId, new Date())),
    );
    expect(kept.map((each) => each !== null)).toEqual([false, false, true]);
  });

  it('are not found when they are too old', async () => {
    const id = await keep();
    const inTwoDays = new Date(Date.now() + 2 * 86_400_000);
    expect(await bed.stores.snapshots.findSnapshot(id, owner.accountId, inTwoDays)).toBeNull();
  });

  it('check selectors before a scraper is asked', async () => {
    const id = await keep();
    const sent = commands.length;
    const { json } = await ask(`snapshots/${id}/extract`, { selectors: { a: '..' } });
    expect(json.error).toMatchObject({ code: 'INVALID_SELECTOR', details: [{ path: 'selectors.a' }] });
    const bad = await ask(`snapshots/${id}/extract`, { formats: ['text', { type: 'html', include: '..' }] });
    expect(bad.json.error).toMatchObject({
      code: 'INVALID_SELECTOR',
      details: [{ path: 'formats.1.include' }],
    });
    const twice = await ask(`snapshots/${id}/extract`, { formats: ['text', 'text'] });
    expect(twice.json.error).toMatchObject({ code: 'INVALID_REQUEST', details: [{ path: 'formats.1' }] });
    expect(commands).toHaveLength(sent);
  });
});
