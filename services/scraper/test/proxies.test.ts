import { purposeOf, type ScrapeReply, type ScrapeRequest, type ScrapeResult } from '@gleaner/contracts';
import { createSecretBox } from '@gleaner/service-kit';
import {
  eventually,
  freePort,
  htmlPath,
  type Origin,
  startBrokenProxy,
  startHttpProxy,
  startOrigin,
  startSocksProxy,
} from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWithBrowser } from './browser-tests.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

const CREDENTIALS = { username: 'cust-omer', password: 'pa55:w0rd/é' };
/** Every form in which credentials, right or wrong, could appear. */
const SECRETS = /cust-omer|pa55|w0rd|Y3VzdC1vbWVy|wr0ng/;

let forbidden: Origin;

beforeAll(async () => {
  forbidden = await startOrigin({ host: '127.0.0.2' });
});
afterAll(async () => {
  await forbidden.close();
});

/** Starts a scraper with these proxies by country; only a part of loopback is open. */
function startWith(
  proxies: Readonly<Record<string, readonly { readonly url: string }[]>>,
  settings: Readonly<Record<string, string>>,
): Promise<TestScraper> {
  const lists = Object.entries(proxies).map(([country, list]) => [country, list.map(({ url }) => url)]);
  const PROXIES = JSON.stringify(Object.fromEntries(lists));
  return startTestScraper({ EGRESS_ALLOW: '127.0.0.1,localhost', PROXIES, ...settings });
}

function resultOf(reply: ScrapeReply): ScrapeResult {
  if (!reply.ok) throw new Error(`${reply.failure.code}: ${reply.failure.message}`);
  return reply.result;
}

/** Defines the tests that both engines share. */
function defineFor(
  engine: 'http' | 'browser',
  options: Partial<ScrapeRequest>,
  settings: Readonly<Record<string, string>>,
): void {
  const through = (scraper: TestScraper, url: string, timeoutMs?: number) =>
    scraper.scrape({ url, proxy: 'us', ...options }, timeoutMs === undefined ? {} : { timeoutMs });

  it.each([
    ['http', () => startHttpProxy({ credentials: CREDENTIALS })],
    ['socks5', () => startSocksProxy({ credentials: CREDENTIALS })],
  ])('uses the proxy of its country, over %s, and is charged for it', async (_kind, start) => {
    await using proxy = await start();
    await using other = await startHttpProxy();
    await using scraper = await startWith({ us: [proxy], de: [other] }, settings);
    const result = resultOf(await through(scraper, '/'));
    expect(result).toMatchObject({ price: { base: 1, proxy: 5 }, attempts: [{ engine, proxy: 'us-1' }] });
    expect(proxy.tunnels.length).toBeGreaterThan(0);
    const direct = resultOf(await scraper.scrape({ url: '/', ...options }));
    expect(direct.price).not.toHaveProperty('proxy');
    expect(direct.attempts[0]).not.toHaveProperty('proxy');
    expect(other.tunnels).toEqual([]);
  });

  it('keeps its proxy over redirects between hosts', async () => {
    await using first = await startHttpProxy();
    await using second = await startSocksProxy();
    await using scraper = await startWith({ us: [first, second] }, settings);
    const to = `http://localhost:${scraper.origin.port}/product/1`;
    const url = `/redirect/302?to=${encodeURIComponent(to)}`;
    for (const [used, idle] of [[first, second] as const, [second, first] as const]) {
      const before = idle.tunnels.length;
      expect(resultOf(await through(scraper, url)).finalUrl).toBe(to);
      expect(used.tunnels.length).toBeGreaterThanOrEqual(2);
      expect(idle.tunnels.length).toBe(before);
    }
  });

  it('goes on with the next proxy when one is dead, lets that one rest, and logs it', async () => {
    const dead = await startHttpProxy();
    await dead.close();
    await using alive = await startHttpProxy();
    await using scraper = await startWith({ us: [dead, alive] }, settings);
    const result = resultOf(await through(scraper, '/'));
    expect(result).toMatchObject({
      price: { base: 1, proxy: 5 },
      attempts: [
        { engine, proxy: 'us-1', outcome: 'PROXY_ERROR' },
        { engine, proxy: 'us-2', outcome: 'success', statusCode: 200 },
      ],
    });
    const next = resultOf(await through(scraper, '/'));
    expect(next.attempts).toMatchObject([{ proxy: 'us-2', outcome: 'success' }]);
    const { text } = await scraper.metrics.render();
    expect(text).toMatch(/gleaner_proxy_ready\{proxy="us-1",country="us",[^}]*\} 0/);
    expect(text).toMatch(/gleaner_proxy_ready\{proxy="us-2",country="us",[^}]*\} 1/);
    expect(text).toMatch(/gleaner_proxy_uses_total\{proxy="us-2",verdict="carried",[^}]*\} 2/);
    expect(scraper.logLines.join()).toContain('A proxy failed and rests for a while.');
  });

  it('goes on with the next proxy when one cuts its tunnels', async () => {
    await using broken = await startBrokenProxy('closes its tunnels');
    await using alive = await startHttpProxy();
    await using scraper = await startWith({ us: [broken, alive] }, settings);
    expect(resultOf(await through(scraper, '/')).attempts).toMatchObject([
      { proxy: 'us-1', outcome: 'UPSTREAM_ERROR' },
      { proxy: 'us-2', outcome: 'success' },
    ]);
  });

  it('goes on with the next proxy when one dies during the response', async () => {
    const dying = await startHttpProxy();
    await using alive = await startHttpProxy();
    await using scraper = await startWith({ us: [dying, alive] }, settings);
    const url = `/stall/first-visit/${engine}`;
    const scraping = through(scraper, url, 60_000);
    await eventually(() => expect(scraper.origin.requestsTo(url)).toHaveLength(1));
    await dying.close();
    const { attempts, dataJson } = resultOf(await scraping);
    expect(JSON.parse(dataJson ?? '')).toMatchObject({ title: 'Whole' });
    expect(attempts.map(({ proxy, outcome }) => [proxy, outcome])).toEqual([
      ['us-1', expect.stringMatching(/PROXY_ERROR|UPSTREAM_ERROR/)],
      ['us-2', 'success'],
    ]);
  });

  it('reports that all proxies failed after three', async () => {
    const dead = await Promise.all([1, 2, 3, 4].map(() => startHttpProxy()));
    await Promise.all(dead.map((proxy) => proxy.close()));
    await using scraper = await startWith({ us: dead }, settings);
    const reply = await through(scraper, '/');
    expect(reply).toMatchObject({
      ok: false,
      failure: {
        code: 'PROXY_ERROR',
        message: '3 proxies failed; the last one: A proxy of "us" cannot be reached (ECONNREFUSED).',
      },
    });
    expect(reply.ok ? [] : reply.attempts.map(({ proxy }) => proxy)).toEqual(['us-1', 'us-2', 'us-3']);
    expect(JSON.stringify(reply)).not.toContain('127.0.0.1');
    expect(scraper.origin.connectionCount).toBe(0);
  });

  it('never shows credentials, right or wrong', async () => {
    await using right = await startHttpProxy({ credentials: CREDENTIALS });
    await using picky = await startSocksProxy({ credentials: CREDENTIALS });
    const wrong = [right, picky].map(({ url }) => ({ url: url.replace(/:[^:@]*@/, ':wr0ng@') }));
    await using scraper = await startWith({ us: wrong, de: [right] }, settings);
    const refused = await through(scraper, '/');
    expect(refused).toMatchObject({ ok: false, failure: { code: 'PROXY_ERROR' } });
    const found = await scraper.scrape({ url: '/', proxy: 'de', ...options });
    resultOf(found);
    const { text } = await scraper.metrics.render();
    for (const shown of [refused, found, scraper.logLines, text]) {
      expect(JSON.stringify(shown)).not.toMatch(SECRETS);
    }
    const sent = JSON.stringify(scraper.origin.requests.map(({ headers }) => headers));
    expect(sent).not.toMatch(SECRETS);
    expect(sent).not.toMatch(/proxy-/i);
  });

  it('cannot reach a private target by name, address or redirect', async () => {
    await using proxy = await startSocksProxy();
    await using scraper = await startWith({ us: [proxy] }, settings);
    const secret = `${forbidden.url}/product/1`;
    for (const url of [secret, `/redirect/302?to=${encodeURIComponent(secret)}`, 'http://169.254.169.254/']) {
      expect(await through(scraper, url)).toMatchObject({ ok: false, failure: { code: 'INVALID_URL' } });
    }
    expect(forbidden.connectionCount).toBe(0);
    expect(proxy.tunnels.filter(({ port }) => port !== scraper.origin.port)).toEqual([]);
  });

  it("reports the target's own errors without changing the proxy", async () => {
    await using proxy = await startHttpProxy();
    await using spare = await startHttpProxy();
    await using scraper = await startWith({ us: [proxy, spare] }, settings);
    for (const [path, code] of [
      ['/status/407', 'BLOCKED'],
      ['/status/404', 'NOT_FOUND'],
    ]) {
      const reply = await through(scraper, path ?? '');
      expect(reply).toMatchObject({ ok: false, failure: { code }, attempts: [{ outcome: code }] });
    }
    const { text } = await scraper.metrics.render();
    expect(text).not.toMatch(/gleaner_proxy_ready\{[^}]*\} 0/);
  });

  it('names the countries with proxies when the requested one has none', async () => {
    await using proxy = await startHttpProxy();
    await using scraper = await startWith({ us: [proxy], de: [proxy] }, settings);
    expect(await scraper.scrape({ url: '/', proxy: 'fr', ...options })).toMatchObject({
      ok: false,
      failure: { code: 'INVALID_REQUEST', message: expect.stringContaining('available: de, us') },
    });
  });
}

describe('a plain scrape with proxy', () => {
  defineFor('http', {}, {});
});

await describeWithBrowser('a rendered scrape with proxy', (browserSettings) => {
  defineFor('browser', { render: true }, browserSettings);

  it('repeats the attempt with the next proxy when one dies before the page is complete', async () => {
    const dying = await startHttpProxy();
    await using alive = await startHttpProxy();
    await using scraper = await startWith({ us: [dying, alive] }, browserSettings);
    const url = htmlPath(`<p id=out></p><script>(async () => {
      await fetch('/slow/1000').catch(() => {});
      out.textContent = await fetch('/product/8').then(() => 'whole', () => 'broken') })()</script>`);
    const scraping = scraper.scrape({
      url,
      proxy: 'us',
      waitFor: '#out:not(:empty)',
      selectors: { out: '#out' },
    });
    await eventually(() => expect(scraper.origin.requestsTo('/slow/1000')).toHaveLength(1));
    await dying.close();
    const { dataJson, attempts } = resultOf(await scraping);
    expect(JSON.parse(dataJson ?? '')).toEqual({ out: 'whole' });
    expect(attempts).toMatchObject([{ outcome: 'PROXY_ERROR' }, { proxy: 'us-2', outcome: 'success' }]);
  });

  it('judges the proxies of a page whose steps name a secret by what happened', async () => {
    const dead = await startHttpProxy();
    await dead.close();
    await using alive = await startHttpProxy();
    const SECRETS_KEY = 'k'.repeat(40);
    await using scraper = await startWith(
      { us: [dead, alive], de: [alive] },
      { ...browserSettings, SECRETS_KEY },
    );
    const named = { name: 'shop' };
    const sealed = createSecretBox(SECRETS_KEY)?.seal(purposeOf('acc_test', named), 'pot-horse') ?? '';
    const scrape = (url: string, proxy: string) =>
      scraper.scrape(
        { url, proxy, actions: [{ fill: 'input', value: { secret: 'shop' } }] },
        { secrets: [{ ...named, sealed }] },
      );
    const { attempts } = resultOf(await scrape(htmlPath('<input>'), 'us'));
    expect(attempts).toMatchObject([{ outcome: 'PROXY_ERROR' }, { proxy: 'us-2', outcome: 'success' }]);
    // The proxy is not to blame for a target that is away, whose URL has the secret.
    const away = `http://127.0.0.1:${await freePort()}/pot-horse`;
    const reply = await scrape(away, 'de');
    expect(reply).toMatchObject({ ok: false });
    expect(JSON.stringify(reply)).not.toContain('pot-horse');
    const { text } = await scraper.metrics.render();
    expect(text).toMatch(/gleaner_proxy_ready\{proxy="us-1",country="us",[^}]*\} 0/);
    expect(text).toMatch(/gleaner_proxy_ready\{proxy="de-1",country="de",[^}]*\} 1/);
  });

  it('sends all traffic of the page through the proxy, and none to private targets', async () => {
    await using proxy = await startHttpProxy();
    await using scraper = await startWith({ us: [proxy] }, browserSettings);
    const { port } = scraper.origin;
    const url = htmlPath(`<p id=out></p><script src="http://localhost:${port}/product/5"></script><script>
      (async () => {
        const private = await fetch('${forbidden.url}/', { mode: 'no-cors' }).then(() => 'reached', () => 'refused');
        const socket = new WebSocket('ws://localhost:${port}/echo');
        await new Promise((done) => { socket.onerror = socket.onopen = done });
        out.textContent = private;
      })()</script>`);
    const reply = await scraper.scrape({
      url,
      proxy: 'us',
      waitFor: '#out:not(:empty)',
      selectors: { out: '#out' },
    });
    expect(JSON.parse(resultOf(reply).dataJson ?? '')).toEqual({ out: 'refused' });
    expect(forbidden.connectionCount).toBe(0);
    const ports = new Set(scraper.origin.requests.map(({ remotePort }) => remotePort));
    expect(proxy.tunnels.length).toBe(ports.size);
    expect(scraper.origin.requestsTo('/product/5')).toHaveLength(1);
    expect(scraper.origin.connectionCount).toBe(proxy.tunnels.length);
  });
});
