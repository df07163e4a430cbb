import { randomBytes } from 'node:crypto';
import { createId, FILE_PART_BYTES, type StoredFile } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { call } from './support/call.ts';
import { seedJob } from './support/scripted-orchestrator.ts';
import { found } from './support/scripted-worker.ts';
import { useGateway } from './support/use-gateway.ts';

const BYTES = randomBytes(FILE_PART_BYTES + 5);
const TRAITS = { contentType: 'text/html', sha256: 'ab'.repeat(32), size: BYTES.length };
const url = 'https://example.com/a.zip';

const service = useGateway({ RATE_LIMIT_SCRAPE: '1000' });

const ask = (path: string, body?: object, { key } = service.owner) =>
  call(`${service.gateway.url}/v1/${path}`, { key, ...(body && { body }) });

async function store(name = 'a.html', { accountId } = service.owner): Promise<StoredFile> {
  const keeping = { now: new Date(), retentionMs: 3_600_000 };
  const file = { id: createId('fil'), name, ...TRAITS };
  for (let index = 0; index * FILE_PART_BYTES < BYTES.length; index += 1) {
    const content = BYTES.subarray(index * FILE_PART_BYTES, (index + 1) * FILE_PART_BYTES);
    await service.bed.stores.files.insertPart({ id: file.id, accountId }, { index, content }, keeping);
  }
  const { id, ...traits } = file;
  await service.bed.stores.files.finishFile({ id, accountId }, traits, keeping);
  return file;
}

describe('a scrape with download', () => {
  it('returns the file instead of data', async () => {
    const { id, ...traits } = await store();
    const file = { id, ...traits };
    service.worker.follow(() => {
      const reply = found({ file });
      if (reply.ok) delete reply.result.dataJson;
      return reply;
    });
    const { json } = await ask('scrape', { url, download: true });
    expect(json).toMatchObject({ success: true, file, metadata: { credits: 1 } });
    expect(json).not.toHaveProperty('data');
    expect(service.worker.commands[0]?.request).toEqual({ url, download: true });
  });

  it.each<[object, string]>([
    [{ render: true }, 'render needs a browser, which keeps no files'],
    [{ render: 'auto' }, 'render needs a browser'],
    [{ waitFor: 5 }, 'waitFor needs a browser'],
    [{ screenshot: true }, 'screenshot needs a browser'],
    [{ actions: [{ click: 'a' }] }, 'actions needs a browser'],
    [{ frames: true }, 'frames needs a browser'],
    [{ overlays: 'accept' }, 'overlays needs a browser'],
    [{ overlays: 'hide' }, 'overlays is for pages that are read'],
    [{ selectors: { a: 'a' } }, 'selectors is for pages that are read'],
    [{ formats: ['text'] }, 'formats is for pages that are read'],
    [{ snapshot: true }, 'snapshot is for pages that are read'],
    [{ pdf: { maxPages: 1 } }, 'pdf is for pages that are read'],
    [{ onSuspect: 'fail' }, 'onSuspect is for pages that are read'],
    [{ method: 'HEAD' }, 'method must not be HEAD with download'],
  ])('refuses %j, and says why', async (options, message) => {
    for (const [path, body] of [
      ['scrape', { url, download: true, ...options }],
      ['jobs', { urls: [url], download: true, ...options }],
      ['schedules', { url, cron: '0 0 * * *', download: true, ...options }],
      ['estimate', { url, download: true, ...options }],
    ] as const) {
      const { status, json } = await ask(path, body);
      expect([path, status, json.error.message]).toEqual([path, 400, expect.stringContaining(message)]);
    }
  });

  it('refuses steps of a rule and HEAD in a list, and lets a crawl read its pages', async () => {
    const crawl = { rules: [{ match: '/a', actions: [{ click: 'a' }] }] };
    const acting = await ask('jobs', { urls: [url], download: true, crawl });
    expect(acting.json.error.details[0].path).toBe('crawl.rules.0.actions');
    const requests = [{ url }, { url, method: 'HEAD' }];
    const heads = await ask('jobs', { requests, download: true });
    expect(heads.json.error.details[0].path).toBe('requests.1.method');
    const reading = { urls: [url], download: true, crawl: {}, selectors: { a: 'a' }, snapshot: true };
    expect((await ask('estimate', reading)).status).toBe(200);
  });

  it('costs what a plain page costs, also with antiBot', async () => {
    const { json } = await ask('estimate', { url, download: true, antiBot: true });
    expect(json.estimate.credits).toEqual({ worst: 11, expected: 1, basis: 'options' });
  });
});

describe('GET /v1/files/:id', () => {
  it('sends the bytes as an attachment that acts nowhere, and 304 when the client has them', async () => {
    const { id } = await store('größe "1".html');
    const headers = { authorization: `Bearer ${service.owner.key}` };
    const response = await fetch(`${service.gateway.url}/v1/files/${id}`, { headers });
    expect(Buffer.from(await response.arrayBuffer()).equals(BYTES)).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html',
      'content-length': String(BYTES.length),
      'content-disposition': `attachment; filename="gr__e _1_.html"; filename*=UTF-8''gr%C3%B6%C3%9Fe%20%221%22.html`,
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
      etag: `"${TRAITS.sha256}"`,
    });
    const known = { ...headers, 'if-none-match': `"${TRAITS.sha256}"` };
    expect((await fetch(`${service.gateway.url}/v1/files/${id}`, { headers: known })).status).toBe(304);
  });

  it('does not find what another account has, nor what does not exist', async () => {
    const { id } = await store();
    const answers = [await ask(`files/${id}`, undefined, service.stranger), await ask('files/fil_none')];
    expect(answers.map(({ status, json }) => [status, json.error.code])).toEqual(
      Array(2).fill([404, 'FILE_NOT_FOUND']),
    );
  });

  it('breaks off where a part is gone, so that the rest is not taken for the file', async () => {
    const { id } = await store();
    await service.bed.database.models.fileParts.deleteOne({ _id: `${id}/${service.owner.accountId}/1` });
    const headers = { authorization: `Bearer ${service.owner.key}` };
    const response = await fetch(`${service.gateway.url}/v1/files/${id}`, { headers });
    await expect(response.arrayBuffer()).rejects.toThrow();
  });
});

it('the CSV of a job has a row for each file', async () => {
  const file = await store();
  const { id } = await seedJob(service.bed.stores, service.owner.accountId, [{ file }, 'waiting'], {
    download: true,
  });
  const headers = { authorization: `Bearer ${service.owner.key}` };
  const response = await fetch(`${service.gateway.url}/v1/jobs/${id}/results?format=csv`, { headers });
  const text = await response.text();
  expect(text.split('\r\n')).toEqual([
    'url,file.id,file.name,file.contentType,file.size,file.sha256',
    `https://example.com/0,${file.id},a.html,text/html,${BYTES.length},${TRAITS.sha256}`,
    '',
  ]);
});
