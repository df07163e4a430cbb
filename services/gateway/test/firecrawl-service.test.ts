import { request } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { seedJob } from './support/scripted-orchestrator.ts';
import { IN_FLIGHT, URL_A, useFirecrawl } from './support/use-firecrawl.ts';

const { service, ask } = useFirecrawl();

describe('POST /map', () => {
  it('lists links with titles, in version 1 the URLs alone', async () => {
    expect((await ask('/v2/map', { body: { url: URL_A } })).json).toEqual({
      success: true,
      links: [{ url: URL_A }, { url: `${URL_A}b`, title: 'B' }],
    });
    expect((await ask('/firecrawl/v1/map', { body: { url: URL_A, ignoreSitemap: true } })).json).toEqual({
      success: true,
      links: [URL_A, `${URL_A}b`],
    });
    expect(
      (await ask('/v2/map', { body: { url: URL_A, location: { country: 'US' } } })).json.warning,
    ).toMatch(/^location has no effect/);
  });
});

describe('the account', () => {
  it('shows its credits, its queue and its limits', async () => {
    const { key, accountId } = await service.bed.createKey({ balance: 500 });
    await seedJob(service.bed.stores, accountId, ['waiting']);
    expect((await ask('/v2/team/credit-usage', { key })).json).toMatchObject({
      success: true,
      data: { remainingCredits: 500 },
    });
    expect((await ask('/v2/team/credit-usage')).json.data.remainingCredits).toBe(999_999_999);
    expect((await ask('/v2/team/token-usage', { key })).json.data.remainingTokens).toBe(0);
    expect((await ask('/v2/team/queue-status', { key })).json).toEqual({
      success: true,
      jobsInQueue: 1,
      activeJobsInQueue: 1,
      waitingJobsInQueue: 0,
      maxConcurrency: IN_FLIGHT,
      mostRecentSuccess: null,
    });
    expect((await ask('/v2/concurrency-check', { key })).json).toEqual({
      success: true,
      concurrency: 1,
      maxConcurrency: IN_FLIGHT,
    });
    expect((await ask('/v2/crawl/active', { key })).json).toEqual({ success: true, crawls: [], data: [] });
  });

  it('needs a key with the scope of the route', async () => {
    expect(await ask('/v2/scrape', { body: { url: URL_A }, key: null })).toMatchObject({
      status: 401,
      json: { success: false, code: 'UNAUTHORIZED' },
    });
    const { key } = await service.bed.createKey({ scopes: ['jobs'] });
    expect(await ask('/v2/scrape', { body: { url: URL_A }, key })).toMatchObject({
      status: 403,
      json: { success: false, code: 'FORBIDDEN' },
    });
  });
});

describe('what is missing', () => {
  it.each([
    ['POST', '/v2/search/developer', '`/search` searches the web'],
    ['POST', '/v2/agent', 'No language model does this here'],
    ['GET', '/firecrawl/v2/agent/1', 'No language model does this here'],
    ['GET', '/v2/scrape/00000000-0000-0000-0000-000000000000', 'is returned once'],
    ['GET', '/v2/team/activity', 'GET /v1/jobs'],
  ])('%s %s is answered with what to use instead', async (method, path, message) => {
    const body = method === 'POST' ? {} : undefined;
    expect(await ask(path, { method, body })).toMatchObject({
      status: 400,
      json: { success: false, code: 'NOT_SUPPORTED', error: expect.stringContaining(message) },
    });
  });

  it('is a path that is not known, or a method', async () => {
    expect(await ask('/v2/nothing')).toMatchObject({
      status: 404,
      json: { success: false, code: 'ROUTE_NOT_FOUND' },
    });
    expect(await ask('/v2/scrape')).toMatchObject({ status: 405, json: { code: 'METHOD_NOT_ALLOWED' } });
    expect(await ask('/firecrawl/v1/concurrency-check')).toMatchObject({ status: 404 });
  });

  it('is everything where the operator turned it off', async () => {
    const at = await service.bed.startGateway({ FIRECRAWL_API: 'off' });
    for (const path of ['/v2/scrape', '/firecrawl/v1/scrape', '/v2/search']) {
      expect(await ask(path, { body: { url: URL_A }, at })).toMatchObject({
        status: 404,
        json: { success: false, error: { code: 'ROUTE_NOT_FOUND' } },
      });
    }
  });
});

describe('a WebSocket of a watcher', () => {
  const closing = (path: string, at = service.gateway) =>
    new Promise<string>((resolve) => {
      const socket = new WebSocket(`${at.url.replace('http', 'ws')}${path}`, service.owner.key);
      socket.addEventListener('error', () => resolve('refused'));
      socket.addEventListener('close', ({ code, wasClean }) => resolve(`${code} ${wasClean}`));
    });

  it.each(['/v2/crawl/1', '/v2/batch/scrape/1', '/firecrawl/v2/crawl/1'])(
    'is opened at %s and closed at once, so that the watcher polls',
    async (path) => {
      expect(await closing(path)).toBe('1000 true');
    },
  );

  it('is refused elsewhere, and where the operator turned the API off', async () => {
    expect(await closing('/v1/jobs/job_1')).toBe('refused');
    expect(await closing('/v2/crawl/1', await service.bed.startGateway({ FIRECRAWL_API: 'off' }))).toBe(
      'refused',
    );
  });

  it('does not hold a gateway that stops', async () => {
    const at = await service.bed.startGateway();
    expect(await closing('/v2/crawl/1', at)).toBe('1000 true');
    await at.stop(AbortSignal.timeout(60_000));
  });
});

describe('addresses', () => {
  it('begin with the public URL, if the operator names one', async () => {
    const at = await service.bed.startGateway({ PUBLIC_URL: 'https://gleaner.example.com/tools/' });
    const { json } = await ask('/v2/crawl', { body: { url: URL_A }, at });
    expect(json.url).toMatch(/^https:\/\/gleaner\.example\.com\/tools\/v2\/crawl\/[\da-f-]{36}$/);
  });

  it.each([
    ['is not a host', 'a b<c'],
    ['names another service', 'attacker.example'],
    ['names another address', '192.0.2.7:8080'],
    ['holds the own one as a user name', '127.0.0.1@attacker.example'],
  ])('hold nothing of a Host header that %s', async (_what, host) => {
    const { port } = service.gateway;
    const body = JSON.stringify({ url: URL_A });
    const headers = {
      authorization: `Bearer ${service.owner.key}`,
      'content-type': 'application/json',
      host,
    };
    const text = await new Promise<string>((resolve, reject) => {
      const sent = request(
        { host: '127.0.0.1', port, path: '/v2/crawl', method: 'POST', headers },
        (incoming) => {
          incoming.toArray().then((chunks) => resolve(Buffer.concat(chunks).toString()), reject);
        },
      );
      sent.once('error', reject);
      sent.end(body);
    });
    expect(JSON.parse(text).url).toMatch(/^\/v2\/crawl\/[\da-f-]{36}$/);
  });
});
