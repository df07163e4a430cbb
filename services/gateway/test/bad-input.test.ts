import { LIMITS, ROUTES, type RouteDefinition } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { call } from './support/call.ts';
import { useGateway } from './support/use-gateway.ts';

const service = useGateway({ RATE_LIMIT_SCRAPE: '100000' }, { balance: 100 });

const PAGE = 'https://example.com/';

/** Every query parameter for skipping entries, with the path of its route. */
const OFFSETS = Object.values<RouteDefinition>(ROUTES).flatMap(({ path, query }) =>
  Object.keys((query as { properties?: object } | undefined)?.properties ?? {})
    .filter((name) => /offset/i.test(name))
    .map((name) => [path.replace(/\{\w+\}/, 'none'), name] as const),
);

function scrape(body: unknown) {
  return call(`${service.gateway.url}/v1/scrape`, { key: service.owner.key, body });
}

describe('a request that does not fit the schema', () => {
  it('is answered with every error at once, by its path', async () => {
    const body = { urll: PAGE, render: 'yes', timeout: 10, cookies: [{ name: 'a' }], waitFor: true };
    const { json } = await scrape(body);
    expect(json.error.code).toBe('INVALID_REQUEST');
    const paths = json.error.details.map(({ path }: { path: string }) => path).sort();
    expect(paths).toEqual(['cookies.0.value', 'render', 'timeout', 'url', 'urll', 'waitFor']);
    expect(JSON.stringify(json.error.details)).toContain('did you mean \\"url\\"?');
  });

  it.each([
    ['__proto__ at the top', '{"url":"https://example.com/","__proto__":{"render":true}}'],
    [
      '__proto__ in a cookie',
      '{"url":"https://example.com/","cookies":[{"name":"a","value":"b","__proto__":{}}]}',
    ],
    ['constructor at the top', '{"url":"https://example.com/","constructor":{"prototype":{}}}'],
    ['a number for the URL', '{"url":1}'],
    ['an array for the URL', '{"url":["https://example.com/"]}'],
    ['null for an option', '{"url":"https://example.com/","render":null}'],
    ['a timeout that is not an integer', '{"url":"https://example.com/","timeout":1500.5}'],
    ['a huge timeout', '{"url":"https://example.com/","timeout":1e999}'],
    ['a country in upper case', '{"url":"https://example.com/","proxy":"US"}'],
    ['an unknown country', '{"url":"https://example.com/","proxy":"us"}'],
    ['selectors as an array', '{"url":"https://example.com/","selectors":["h1"]}'],
    ['a header with a line break', '{"url":"https://example.com/","headers":{"X-A":"b\\r\\nX-B: c"}}'],
    ['a header with NUL', '{"url":"https://example.com/","headers":{"X-A":"b\\u0000"}}'],
    ['a header with a strange name', '{"url":"https://example.com/","headers":{"X A":"b"}}'],
    ['a header __proto__', '{"url":"https://example.com/","headers":{"__proto__":{"x":1}}}'],
    ['Host', '{"url":"https://example.com/","headers":{"host":"example.org"}}'],
    ['Content-Length', '{"url":"https://example.com/","headers":{"Content-Length":"1"}}'],
    ['Transfer-Encoding', '{"url":"https://example.com/","headers":{"transfer-encoding":"chunked"}}'],
    ['Connection', '{"url":"https://example.com/","headers":{"CONNECTION":"upgrade"}}'],
    ['Cookie beside cookies', '{"url":"https://example.com/","headers":{"Cookie":"a=b"},"cookies":[]}'],
    ['a header twice', '{"url":"https://example.com/","headers":{"X-A":"1","x-a":"2"}}'],
  ])('is invalid: %s', async (_, body) => {
    const { json } = await scrape(body);
    expect(json.error.code).toBe('INVALID_REQUEST');
    expect(json.error.details.length).toBeGreaterThan(0);
  });

  it.each([
    [{ name: 'a b', value: '1' }, 'cookies.1.name'],
    [{ name: 'a', value: '1; b=2' }, 'cookies.1.value'],
    [{ name: 'a', value: '1', domain: 'com' }, 'cookies.1.domain'],
    [{ name: 'a', value: '1', domain: 'example.com/x' }, 'cookies.1.domain'],
    [{ name: '__Host-a', value: '1' }, 'cookies.1.name'],
  ])('is rejected for a cookie that cannot be sent: %j', async (cookie, path) => {
    const cookies = [{ name: 'good', value: '1' }, cookie];
    for (const [route, target] of [
      ['scrape', { url: PAGE }],
      ['jobs', { urls: [PAGE] }],
      ['schedules', { url: PAGE, cron: '0 * * * *' }],
    ] as const) {
      const { json } = await call(`${service.gateway.url}/v1/${route}`, {
        key: service.owner.key,
        body: { ...target, cookies },
      });
      expect(json.error).toMatchObject({ code: 'INVALID_REQUEST', details: [{ path }] });
    }
  });

  it.each(OFFSETS)(
    'is rejected with the limit when it skips more entries than that: %s',
    async (path, name) => {
      const ask = (offset: number) =>
        call(`${service.gateway.url}${path}?${name}=${offset}`, { key: service.owner.key });
      const { status, json } = await ask(Number.MAX_SAFE_INTEGER);
      expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(json.error.details).toEqual([
        { path: name, message: expect.stringContaining(`${LIMITS.maxOffset}`) },
      ]);
      expect((await ask(LIMITS.maxOffset)).status).not.toBe(400);
    },
  );

  it('lists the available countries', async () => {
    const { json } = await scrape({ url: PAGE, proxy: 'de' });
    expect(json.error.details).toEqual([
      { path: 'proxy', message: expect.stringContaining('no proxies are configured here') },
    ]);
  });

  it.each([
    '',
    'example.com',
    '//example.com',
    '/page',
    'http://',
    'http:///',
    'https://exa mple.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://user:pass@example.com/',
    'http://unix:/var/run/x.sock:/',
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://localhost/',
    'http://LOCALHOST./',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://100.64.0.1/',
    'http://metadata.google.internal/',
    'http://example.com:25/',
    'http://example.com:99999/',
    'http://example.com/\u0000',
    `http://example.com/${'a'.repeat(9000)}`,
  ])('has an invalid URL: %j', async (url) => {
    const { json } = await scrape({ url });
    expect(json.error.code).toBe('INVALID_URL');
  });

  it.each([
    ['', 'selectors.x'],
    ['h2 >', 'selectors.x'],
    ['> div', 'selectors.x'],
    ['..a', 'selectors.x'],
    ['<h1>', 'selectors.x'],
    ['h1::txt', 'selectors.x'],
    ['h1::attr()', 'selectors.x'],
    ['h1::text, h2::text', 'selectors.x'],
    ['h1::all::all', 'selectors.x'],
    ['//div/span', 'selectors.x'],
  ])('has an invalid selector: %j', async (selector, path) => {
    const { json } = await scrape({ url: PAGE, selectors: { good: 'h1', x: selector } });
    expect(json.error).toMatchObject({ code: 'INVALID_SELECTOR', details: [{ path }] });
  });

  it.each(['h1 >', 'h1::text', '::all', '#', ' '])(
    'has an invalid selector to wait for: %j',
    async (waitFor) => {
      const { json } = await scrape({ url: PAGE, waitFor });
      expect(json.error).toMatchObject({ code: 'INVALID_SELECTOR', details: [{ path: 'waitFor' }] });
    },
  );

  it.each([
    ['h1 >', 'selector'],
    ['h1::text', 'selector'],
  ])('has an invalid selector of its screenshot: %j', async (selector) => {
    const { json } = await scrape({ url: PAGE, screenshot: { selector } });
    expect(json.error).toMatchObject({
      code: 'INVALID_SELECTOR',
      details: [{ path: 'screenshot.selector' }],
    });
  });

  it.each<[object, string, string]>([
    [{ screenshot: 'full' }, 'screenshot', 'must be true, false or an object such as {"format": "jpeg"}'],
    [{ screenshot: { formt: 'png' } }, 'screenshot.formt', 'did you mean "format"?'],
    [{ screenshot: { format: 'gif' } }, 'screenshot.format', 'must be one of: png, jpeg, webp'],
    [{ screenshot: { viewport: { width: 800 } } }, 'screenshot.viewport.height', 'is required'],
    [
      { screenshot: { viewport: { width: 100_000, height: 800 } } },
      'screenshot.viewport.width',
      'at most 2560',
    ],
    [
      { screenshot: { viewport: { width: 2560, height: 2560, scale: 3 } } },
      'screenshot.viewport',
      'has 58982400 pixels at its scale; at most 16777216 are drawn',
    ],
    [{ screenshot: { quality: 50 } }, 'screenshot.quality', 'is for the formats jpeg and webp'],
    [
      { screenshot: { selector: 'h1', fullPage: true } },
      'screenshot.fullPage',
      'cannot be set beside selector',
    ],
    [{ screenshot: { mobile: true }, antiBot: true }, 'screenshot.mobile', 'cannot be combined with antiBot'],
    [{ stepScreenshots: true }, 'stepScreenshots', 'needs actions'],
    [{ stepScreenshots: true, actions: [] }, 'stepScreenshots', 'needs actions'],
  ])('has bad options of its screenshots: %j', async (options, path, message) => {
    const { json } = await scrape({ url: PAGE, ...options });
    expect(json.error).toMatchObject({
      code: 'INVALID_REQUEST',
      details: [{ path, message: expect.stringContaining(message) }],
    });
  });

  it.each([
    ['?x=1', 'x'],
    ['?from=2026-01-01&from=2026-01-02', 'from'],
    ['?__proto__=1', '__proto__'],
    ['?from=yesterday', 'from'],
    ['?from=2026-02-30', 'from'],
    ['?from=2026-02-02&to=2026-02-01', 'from'],
    ['?from=2020-01-01', 'from'],
  ])('has an invalid query: %s', async (query, path) => {
    const { json } = await call(`${service.gateway.url}/v1/usage${query}`, { key: service.owner.key });
    expect(json.error.code).toBe('INVALID_REQUEST');
    expect(json.error.details).toContainEqual({ path, message: expect.any(String) });
  });

  it('does not reach a worker and is not charged', async () => {
    const { json } = await call(`${service.gateway.url}/v1/usage`, { key: service.owner.key });
    expect(json.usage.used).toBe(service.worker.commands.length);
    expect(json.usage.remaining).toBe(100 - service.worker.commands.length);
    expect(service.worker.commands.every(({ request }) => request.url === PAGE)).toBe(true);
  });
});
