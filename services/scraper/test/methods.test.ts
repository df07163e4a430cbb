import type { ScrapeReply, ScrapeRequest } from '@gleaner/contracts';
import { eventually, startBrokenProxy, startHttpProxy, untilReady } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { scrapeBriefly } from './scrape-briefly.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

const HTTP_ONLY = { ENGINES: 'http' };
const READ = { selectors: { seen: { json: '$' } } };
const POST = { json: { q: 'kettle' }, ...READ };

let scraper: TestScraper;
beforeAll(async () => {
  scraper = await startTestScraper(HTTP_ONLY);
});
afterAll(async () => {
  await scraper[Symbol.asyncDispose]();
});

interface Seen {
  readonly method: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function seenOf(request: Partial<ScrapeRequest>): Promise<Seen> {
  const reply = await scraper.scrape({ url: '/echo', ...READ, ...request } as ScrapeRequest);
  if (!reply.ok) throw new Error(reply.failure.message);
  return JSON.parse(reply.result.dataJson ?? '').seen;
}

function codeOf(reply: ScrapeReply): string {
  return reply.ok ? 'success' : reply.failure.code;
}

function visitsOf(url: string): number {
  return scraper.origin.requests.filter((request) => request.url === url).length;
}

describe('a scrape with a method and a body', () => {
  it.each<[string, Partial<ScrapeRequest>, Partial<Seen>, string]>([
    ['json', { json: { q: ['é', null] } }, { method: 'POST', body: '{"q":["é",null]}' }, 'application/json'],
    [
      'form',
      { form: { q: 'a b&c', n: [1, true] } },
      { method: 'POST', body: 'q=a+b%26c&n=1&n=true' },
      'application/x-www-form-urlencoded',
    ],
    ['body', { method: 'PUT', body: 'é' }, { method: 'PUT', body: 'é' }, 'text/plain;charset=UTF-8'],
    ['json null', { method: 'PATCH', json: null }, { method: 'PATCH', body: 'null' }, 'application/json'],
    [
      'own type',
      { body: '<a/>', headers: { 'content-TYPE': 'text/xml' } },
      { method: 'POST', body: '<a/>' },
      'text/xml',
    ],
  ])('sends %s as fetch does', async (_name, request, expected, type) => {
    const seen = await seenOf(request);
    expect(seen).toMatchObject(expected);
    expect(seen.headers['content-type']).toBe(type);
    expect(seen.headers['content-length']).toBe(String(Buffer.byteLength(expected.body ?? '')));
  });

  it('sends methods without a body', async () => {
    expect(await seenOf({ method: 'DELETE' })).toMatchObject({ method: 'DELETE', body: '' });
    const post = await seenOf({ method: 'POST' });
    expect([post.method, post.headers['content-length']]).toEqual(['POST', '0']);
    expect(post.headers['content-type']).toBeUndefined();
  });

  it('gets the status of HEAD', async () => {
    const reply = await scraper.scrape({ url: '/', method: 'HEAD', formats: ['text'] });
    expect(reply).toMatchObject({ ok: true, result: { statusCode: 200 } });
    expect(codeOf(await scraper.scrape({ url: '/status/404', method: 'HEAD' }))).toBe('NOT_FOUND');
  });

  it('is refused where the operator does not allow the method', async () => {
    await using strict = await startTestScraper({ ...HTTP_ONLY, ALLOW_METHODS: 'GET,HEAD' });
    const reply = await strict.scrape({ url: '/echo', ...POST });
    expect(reply).toMatchObject({ ok: false, failure: { code: 'INVALID_REQUEST' } });
    expect(strict.origin.requests).toHaveLength(0);
  });
});

describe('a request that must not be sent twice', () => {
  it('says that its outcome is unknown when the connection breaks', async () => {
    const reply = await scraper.scrape({ url: '/reset/before-headers?once', ...POST });
    expect(reply).toMatchObject({ ok: false, wasSent: true, failure: { code: 'OUTCOME_UNKNOWN' } });
    expect(visitsOf('/reset/before-headers?once')).toBe(1);
  });

  it('says so when its time runs out', async () => {
    let url = '';
    const scrape = (timeoutMs: number) => {
      url = `/stall/before-headers?once-${timeoutMs}`;
      return scraper.scrape({ url, ...POST }, { timeoutMs });
    };
    expect(codeOf(await scrapeBriefly(scrape, 1500))).toBe('OUTCOME_UNKNOWN');
    expect(visitsOf(url)).toBe(1);
  });

  it('is sent once where the site answers with an error, and as often as others if it may be repeated', async () => {
    expect(codeOf(await scraper.scrape({ url: '/flaky/2/once', ...POST }))).toBe('UPSTREAM_ERROR');
    expect(visitsOf('/flaky/2/once')).toBe(1);
    expect(codeOf(await scraper.scrape({ url: '/flaky/2/again', ...POST, repeatable: true }))).toBe(
      'success',
    );
    expect(visitsOf('/flaky/2/again')).toBe(3);
  });

  it('is not sent through another proxy once one may have sent it', async () => {
    await using broken = await startBrokenProxy('closes its tunnels');
    await using good = await startHttpProxy();
    const PROXIES = JSON.stringify({ us: [broken.url, good.url] });
    await using through = await startTestScraper({ ...HTTP_ONLY, PROXIES, EGRESS_ALLOW: '127.0.0.1' });
    const replies: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      const reply = await through.scrape({ url: `/echo?${count}`, proxy: 'us', ...POST });
      replies.push(codeOf(reply));
      const sent = through.origin.requests.filter(({ url }) => url === `/echo?${count}`);
      expect(sent.length).toBe(codeOf(reply) === 'success' ? 1 : 0);
    }
    expect(replies).toContain('success');
  });

  it('climbs the plain rungs alone with antiBot', async () => {
    const reply = await scraper.scrape({
      url: '/status/403?bot',
      antiBot: true,
      repeatable: true,
      ...POST,
    });
    expect(reply).toMatchObject({ ok: false, failure: { code: 'BLOCKED' } });
    expect(reply.ok || reply.attempts.map(({ rung }) => rung)).toEqual(['plain', 'chrome']);
    expect(scraper.origin.requests.filter(({ url }) => url === '/status/403?bot')).toMatchObject([
      { method: 'POST' },
      { method: 'POST' },
    ]);
  });

  it('is not sent again by the scraper that gets it after another one was lost', async () => {
    await using second = await startTestScraper(HTTP_ONLY);
    const doomed = await second.connect();
    let taken = 0;
    doomed.respond(
      'scrape.http',
      async ({ signal }) => {
        taken += 1;
        return await new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        );
      },
      { concurrency: 2 },
    );
    await untilReady(doomed);
    const replies = Array.from({ length: 4 }, (_, index) =>
      second.scrape({ url: `/echo?${index}`, ...POST }),
    );
    await eventually(() => expect(taken + second.origin.requests.length).toBe(4));
    expect(taken).toBeGreaterThan(0);
    await doomed.close(0);
    const codes = (await Promise.all(replies)).map(codeOf);
    expect(codes.filter((code) => code === 'OUTCOME_UNKNOWN')).toHaveLength(taken);
    expect(second.origin.requests).toHaveLength(4 - taken);
  });
});

describe('a page of a job that must not be sent twice', () => {
  it('is reported as sent, with its outcome', async () => {
    await scraper.sendPage({ url: '/reset/before-headers?page', ...POST }, { pageId: 'job_2:0' });
    const outcomeOf = (id: string) => scraper.outcomes.find(({ pageId }) => pageId === id)?.outcome;
    await eventually(() => expect(outcomeOf('job_2:0')).toBeDefined());
    expect(outcomeOf('job_2:0')).toMatchObject({
      kind: 'failed',
      wasSent: true,
      failure: { code: 'OUTCOME_UNKNOWN' },
    });
  });

  it('says that it was not started when it comes too late', async () => {
    const differences = { pageId: 'job_3:0', startBeforeMs: Date.now() - 1 };
    await scraper.sendPage({ url: '/echo?late', ...POST }, differences);
    await eventually(() =>
      expect(scraper.outcomes.find(({ pageId }) => pageId === 'job_3:0')?.outcome.kind).toBe('unstarted'),
    );
    expect(visitsOf('/echo?late')).toBe(0);
  });

  it('is reported when its scraper is stopped, and not handed back', async () => {
    const stopped = await startTestScraper(HTTP_ONLY);
    await stopped.sendPage({ url: '/stall/before-headers?stop', ...POST }, { pageId: 'job_4:0' });
    await eventually(() => expect(stopped.origin.requests).toHaveLength(1));
    await stopped[Symbol.asyncDispose]();
    expect(stopped.outcomes).toMatchObject([{ outcome: { kind: 'failed', wasSent: true } }]);
  });
});
