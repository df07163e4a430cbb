import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, startHttpProxy, startSocksProxy, type TestProxy } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Stack, startStack } from '../start-stack.ts';

const CREDENTIALS = { username: 'cust-omer', password: 'pa55w0rd' };

let dataDir: string;
let stack: Stack;
let american: TestProxy;
let german: TestProxy;

beforeAll(async () => {
  [american, german] = await Promise.all([
    startHttpProxy({ credentials: CREDENTIALS }),
    startSocksProxy({ credentials: CREDENTIALS }),
  ]);
  dataDir = await mkdtemp(join(tmpdir(), 'gleaner-stack-'));
  const file = join(dataDir, 'proxies.json');
  await writeFile(file, JSON.stringify({ us: [american.url], fr: 'http://nowhere.invalid:3128' }));
  stack = await startStack({
    dataDir: join(dataDir, 'data'),
    egressAllow: [`127.0.0.1:${american.port}`, `127.0.0.1:${german.port}`],
    logLevel: 'debug',
    settings: { PROXIES_FILE: file, PROXIES: `de=${german.url}` },
    announce: () => {},
  });
});
afterAll(async () => {
  await stack.stop();
  await Promise.all([american.close(), german.close()]);
  await rm(dataDir, { recursive: true, force: true });
});

async function call(path: string, body?: object): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(stack.url + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${stack.apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function creditsUsed(): Promise<number> {
  const { body } = await call('/v1/usage');
  return (body.usage as { used: number }).used;
}

/** Returns the job once it has finished. */
async function endOf(id: unknown): Promise<Record<string, unknown>> {
  return await eventually(
    async () => {
      const { job } = (await call(`/v1/jobs/${id}`)).body as { job: Record<string, unknown> };
      expect(job.status).toMatch(/completed|partial|failed/);
      return job;
    },
    { timeoutMs: 240_000 },
  );
}

describe('proxies of the stack', () => {
  it.each([
    ['us', () => american],
    ['de', () => german],
  ])('carry a scrape with proxy "%s" for five more credits', async (proxy, server) => {
    const usedBefore = await creditsUsed();
    const { status, body } = await call('/v1/scrape', { url: stack.demoUrl, proxy, selectors: { h: 'h1' } });
    expect([status, body.data]).toEqual([200, { h: 'All books' }]);
    expect(body.metadata).toMatchObject({
      credits: 6,
      creditsBreakdown: { base: 1, proxy: 5 },
      attempts: [{ engine: 'http', proxy: `${proxy}-1`, outcome: 'success' }],
    });
    expect(await creditsUsed()).toBe(usedBefore + 6);
    expect(server().tunnels).toHaveLength(1);
  });

  it('carry the pages of jobs and the runs of schedules', async () => {
    const usedBefore = await creditsUsed();
    const terms = { proxy: 'us', selectors: { h: 'h1' } };
    const job = await call('/v1/jobs', {
      ...terms,
      urls: [stack.demoUrl, new URL('/books/emma', stack.demoUrl).href],
    });
    expect(await endOf((job.body.job as { id: string }).id)).toMatchObject({ status: 'completed' });
    const created = await call('/v1/schedules', { ...terms, url: stack.demoUrl, cron: '0 0 1 1 *' });
    const { id } = created.body.schedule as { id: string };
    const run = await call(`/v1/schedules/${id}/run`, {});
    expect(await endOf((run.body.job as { id: string }).id)).toMatchObject({ status: 'completed' });
    await eventually(async () => expect(await creditsUsed()).toBe(usedBefore + 18));
  });

  it.each([
    ['/v1/scrape', (url: string) => ({ url })],
    ['/v1/jobs', (url: string) => ({ urls: [url] })],
    ['/v1/schedules', (url: string) => ({ url, cron: '0 0 * * *' })],
  ])('are listed in the error when %s asks for a country without proxies', async (path, requestFor) => {
    const { status, body } = await call(path, { ...requestFor(stack.demoUrl), proxy: 'xx' });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('available: de, fr, us'),
    });
  });

  it('answer PROXY_ERROR without a charge when they cannot be reached', async () => {
    const usedBefore = await creditsUsed();
    const { status, body } = await call('/v1/scrape', { url: stack.demoUrl, proxy: 'fr' });
    expect([status, body.error]).toEqual([502, expect.objectContaining({ code: 'PROXY_ERROR' })]);
    expect(JSON.stringify(body)).not.toContain('nowhere.invalid');
    expect(await creditsUsed()).toBe(usedBefore);
  });

  it('keep their credentials out of every log', async () => {
    for (const name of await readdir(stack.logs)) {
      expect(await readFile(join(stack.logs, name), 'utf8')).not.toMatch(/cust-omer|pa55w0rd|Y3VzdC1v/);
    }
  });
});
