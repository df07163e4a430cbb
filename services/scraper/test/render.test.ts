import type { ErrorCode, ScrapeResult } from '@gleaner/contracts';
import { eventually, htmlPath } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWithBrowser } from './browser-tests.ts';
import { scrapeBriefly } from './scrape-briefly.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

await describeWithBrowser('a rendered scrape', (browserSettings) => {
  let scraper: TestScraper;

  beforeAll(async () => {
    scraper = await startTestScraper(browserSettings);
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
  });

  /** Returns the result of a scrape that must succeed. */
  async function resultOf(
    ...args: Parameters<TestScraper['scrape']>
  ): Promise<ScrapeResult & { data: unknown }> {
    const reply = await scraper.scrape(...args);
    if (!reply.ok) throw new Error(`${reply.failure.code}: ${reply.failure.message}`);
    return { ...reply.result, data: JSON.parse(reply.result.dataJson ?? '') };
  }

  it('returns the page as its scripts have changed it, with its metadata', async () => {
    const url = htmlPath(
      '<h1>before</h1><script>document.querySelector("h1").textContent = "after"</script>',
    );
    const result = await resultOf({ url, render: true, selectors: { heading: 'h1' } });
    expect(result).toMatchObject({
      data: { heading: 'after' },
      statusCode: 200,
      finalUrl: scraper.origin.url + url,
      engine: 'browser',
      price: { base: 1, render: 4 },
      attempts: [
        {
          engine: 'browser',
          statusCode: 200,
          outcome: 'success',
          stages: Object.fromEntries(
            ['browser', 'prepare', 'load', 'settle', 'snapshot', 'parse', 'extract'].map((stage) => [
              stage,
              expect.any(Number),
            ]),
          ),
        },
      ],
    });
    expect(result.screenshot).toBeUndefined();
  });

  it('waits for requests that scripts make when the page has loaded', async () => {
    const url = htmlPath(`<p id=out></p><script>
      addEventListener('load', async () => {
        const first = await (await fetch('/slow/300')).text();
        await fetch('/slow/100');
        out.textContent = 'loaded ' + first.length;
      })</script>`);
    const { data } = await resultOf({ url, render: true, selectors: { out: '#out' } });
    expect(data).toEqual({ out: expect.stringMatching(/^loaded \d+$/) });
  });

  it.each([
    ['a timer', 'setTimeout(show, 80)'],
    [
      'animation frames',
      'let left = 6; const next = () => (--left ? requestAnimationFrame(next) : show()); next()',
    ],
    [
      'a worker',
      `const code = URL.createObjectURL(new Blob(["setTimeout(() => postMessage(''), 50)"]));
       new Worker(code).onmessage = show`,
    ],
    ['a frame in the page', `frame.srcdoc = '<script>setTimeout(() => parent.show(), 50)<' + '/script>'`],
  ])('waits for %s pending when nothing is requested any more', async (_what, work) => {
    const url = htmlPath(`<p id=out>early</p><iframe id=frame></iframe><script>
      ${work.startsWith('frame.') ? '' : 'frame.remove();'}
      function show() { out.textContent = 'late' }
      addEventListener('load', () => { ${work} })</script>`);
    // On a busy machine, a worker may take longer to start than the page waits for it.
    await eventually(async () => {
      const { data } = await resultOf({ url, render: true, selectors: { out: '#out' } });
      expect(data).toEqual({ out: 'late' });
    });
  });

  it.each([
    ['no text', '<div id=root></div>'],
    ['a demand for scripts', '<noscript>Enable JavaScript.</noscript><div id=root>Loading</div>'],
    [
      'a form that hides properties',
      '<form><input type=hidden name=body><input type=hidden name=matches></form><div id=root></div>',
    ],
  ])(
    'waits for a page of %s to fill itself when it has loaded and nothing is pending',
    async (_what, body) => {
      const fill = `setTimeout(() => { document.querySelector('#root').innerHTML = '<h1>Kettle</h1>' }, 400)`;
      const url = htmlPath(`<body>${body}<script>addEventListener('load', () => { ${fill} })</script>`);
      const result = await resultOf({ url, render: true, selectors: { name: 'h1' } });
      expect(result).toMatchObject({ data: { name: 'Kettle' }, verdict: { page: 'content' } });
    },
  );

  it('calls a page a shell that stays without text', async () => {
    const url = htmlPath(
      '<title>App</title><noscript><p>Enable JavaScript</noscript><body><div id=root></div><script>1</script>',
    );
    const result = await resultOf({ url, render: true, selectors: { name: 'h1' } });
    expect(result).toMatchObject({ data: { name: null }, verdict: { page: 'shell', basis: 'inferred' } });
  });

  it('reads pages whose timers never end', async () => {
    const url = htmlPath(`<p id=out></p><script>
      const again = () => { out.textContent = 'shown'; setTimeout(again, 10) };
      again();
      setInterval(() => {}, 5)</script>`);
    const { data } = await resultOf({ url, render: true, selectors: { out: '#out' } });
    expect(data).toEqual({ out: 'shown' });
  });

  it('leaves functions of the page as they are', async () => {
    const url = htmlPath(`<p id=out></p><script>
      const { name, length } = setTimeout;
      out.textContent = [name, length, typeof setTimeout(() => {}, 1), Object.keys(setTimeout).length,
        new Worker('data:text/javascript,') instanceof Worker, String(setTimeout).includes('[native code]')].join()</script>`);
    const { data } = await resultOf({ url, render: true, selectors: { out: '#out' } });
    expect(data).toEqual({ out: 'setTimeout,1,number,0,true,true' });
  });

  it('waits for a selector, also in the document that replaces the first', async () => {
    const second = htmlPath('<p class=late>there</p>');
    const url = htmlPath(
      `<script>setTimeout(() => { location.href = ${JSON.stringify(second)} }, 400)</script>`,
    );
    const result = await resultOf({ url, waitFor: '.late', selectors: { late: '.late' } });
    expect(result.data).toEqual({ late: 'there' });
    expect(result.finalUrl).toBe(scraper.origin.url + second);
  });

  it('takes the screenshot of the document that the data comes from, even if taking it makes the page go on', async () => {
    const second = htmlPath('<body style="margin:0"><h1 style="margin:0;height:2000px">second</h1>');
    const url = htmlPath(`<body style="margin:0"><h1 style="margin:0;height:3000px">first</h1>
      <script>addEventListener('resize', () => { location.href = ${JSON.stringify(second)} })</script>`);
    const result = await resultOf({ url, screenshot: true, selectors: { heading: 'h1' } });
    // A busy browser may take the picture before it goes on.
    const [path, height] =
      (result.data as { heading: string }).heading === 'first' ? [url, 3000] : [second, 2000];
    expect(result.finalUrl).toBe(scraper.origin.url + path);
    expect(Buffer.from(result.screenshot ?? '', 'base64').readUInt32BE(20)).toBe(height);
  });

  it('names the selector that never appears', async () => {
    const reply = await scrapeBriefly(
      (timeoutMs) => scraper.scrape({ url: '/', waitFor: '.never' }, { timeoutMs }),
      3000,
      ({ failure }) => failure.message.includes('".never"'),
    );
    expect(reply).toMatchObject({
      ok: false,
      failure: { code: 'TIMEOUT', message: expect.stringContaining('".never"') },
    });
  });

  it('waits for the number of milliseconds in waitFor', async () => {
    const url = htmlPath(
      '<p id=out>early</p><script>setTimeout(() => { out.textContent = "late" }, 700)</script>',
    );
    // On a busy machine, a timer of the page may be later than the wait.
    await eventually(async () => {
      const { data } = await resultOf({ url, waitFor: 1000, selectors: { out: '#out' } });
      expect(data).toEqual({ out: 'late' });
    });
  });

  it('takes a screenshot of the whole page', async () => {
    const url = htmlPath('<body style="margin:0;background:#08f"><div style="height:3000px">tall</div>');
    const result = await resultOf({ url, screenshot: true });
    const png = Buffer.from(result.screenshot ?? '', 'base64');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) }).toEqual({
      width: 1280,
      height: 3000,
    });
    expect(result.price).toEqual({ base: 1, render: 4, screenshot: 1 });
  });

  it('loads images only for screenshots', async () => {
    const page = (name: string) => htmlPath(`<img src="/type?as=image/gif&${name}">`);
    await resultOf({ url: page('unseen'), render: true });
    await resultOf({ url: page('seen'), screenshot: true });
    const loaded = scraper.origin.requestsTo('/type').map(({ url }) => url);
    expect(loaded.some((url) => url.endsWith('&seen'))).toBe(true);
    expect(loaded.some((url) => url.endsWith('&unseen'))).toBe(false);
  });

  it('loads lazy images for a screenshot', async () => {
    const url = htmlPath(
      '<div style="height:9000px">tall</div><img loading=lazy width=9 height=9 src="/type?as=image/gif&far-down">',
    );
    await resultOf({ url, screenshot: true });
    expect(scraper.origin.requestsTo('/type').some(({ url }) => url.endsWith('&far-down'))).toBe(true);
  });

  it('sends headers only to the target, and cookies by domain and path', async () => {
    const url = htmlPath('<script src="/product/5"></script>');
    await resultOf({
      url,
      render: true,
      headers: { 'X-Test': 'yes', 'User-Agent': 'Reader/1', Authorization: 'Bearer abc' },
      cookies: [
        { name: 'basket', value: 'full' },
        { name: 'elsewhere', value: '1', path: '/nowhere' },
      ],
    });
    const [page] = scraper.origin.requests.filter((request) => request.url === url);
    const [script] = scraper.origin.requestsTo('/product/5');
    const sent = {
      'x-test': 'yes',
      'user-agent': 'Reader/1',
      authorization: 'Bearer abc',
      cookie: 'basket=full',
    };
    expect(page?.headers).toMatchObject(sent);
    expect(script?.headers).toMatchObject(sent);
  });

  it('keeps nothing of one request for the next', async () => {
    const url = htmlPath(`<p id=out></p><script>
      out.textContent = [document.cookie, localStorage.getItem('mark')].join('|');
      document.cookie = 'mark=1; max-age=1000'; localStorage.setItem('mark', '1')</script>`);
    for (const _visit of [1, 2]) {
      const { data } = await resultOf({ url, render: true, selectors: { out: '#out' } });
      expect(data).toEqual({ out: '|' });
    }
  });

  it('reads the document itself, even if scripts have changed its prototypes', async () => {
    const url = htmlPath(`<h1>true</h1><script>
      const forged = { get: () => '<h1>forged</h1>', configurable: true };
      for (const name of ['outerHTML', 'innerHTML']) Object.defineProperty(Element.prototype, name, forged);
      Element.prototype.getHTML = () => '<h1>forged</h1>';
      Document.prototype.querySelector = () => null;
      Object.defineProperty(document, 'documentElement', { get: () => ({ outerHTML: '<h1>forged</h1>' }) });
      JSON.stringify = () => '"forged"'; Array.prototype.map = () => []; Promise.prototype.then = () => {};
      window.requestIdleCallback = () => {};</script>`);
    const result = await resultOf({ url, render: true, waitFor: 'h1', selectors: { heading: 'h1' } });
    expect(result.data).toEqual({ heading: 'true' });
  });

  it('finds the content of open shadow roots within their hosts', async () => {
    const url = htmlPath(`<my-card><b>light</b></my-card><script>
      const shadow = document.querySelector('my-card').attachShadow({ mode: 'open' });
      shadow.innerHTML = '<h2>shade</h2><slot></slot><in-ner></in-ner>';
      shadow.querySelector('in-ner').attachShadow({ mode: 'open' }).innerHTML = '<i>deep</i>'</script>`);
    const { data } = await resultOf({
      url,
      render: true,
      selectors: { shade: 'my-card h2', deep: 'my-card in-ner i', light: 'my-card > b' },
    });
    expect(data).toEqual({ shade: 'shade', deep: 'deep', light: 'light' });
  });

  it('reads a document with forms that are named as its own properties', async () => {
    const names = ['doctype', 'documentElement', 'contentType', 'characterSet', 'URL', 'querySelectorAll'];
    const url = htmlPath(
      `<!doctype html><h1>whole</h1>${names.map((name) => `<form name=${name}></form>`).join('')}`,
    );
    const { data } = await resultOf({ url, render: true, selectors: { heading: 'h1' } });
    expect(data).toEqual({ heading: 'whole' });
  });

  it('reads a form with controls that are named as its own properties', async () => {
    const url =
      htmlPath(`<form><input name=shadowRoot value=one><input name=shadowRoot></form><my-card></my-card><script>
      document.querySelector('my-card').attachShadow({ mode: 'open' }).innerHTML = '<h2>shade</h2>'</script>`);
    const selectors = { input: 'form > input::attr(value)', shade: 'my-card h2' };
    expect((await resultOf({ url, render: true, selectors })).data).toEqual({ input: 'one', shade: 'shade' });
  });

  it.each<[string, ErrorCode]>([
    ['/status/404', 'NOT_FOUND'],
    ['/status/403', 'BLOCKED'],
    ['/status/500', 'UPSTREAM_ERROR'],
    ['/blocked/cloudflare-challenge', 'BLOCKED'],
    ['/rate-limited', 'RATE_LIMITED'],
    ['/reset/before-headers', 'UPSTREAM_ERROR'],
    ['/reset/mid-body', 'UPSTREAM_ERROR'],
    ['/close/mid-chunk', 'UPSTREAM_ERROR'],
    ['/length/too-long', 'UPSTREAM_ERROR'],
    ['/redirect-loop', 'UPSTREAM_ERROR'],
    ['/garbage/bytes', 'UPSTREAM_ERROR'],
    ['/type?as=application/zip&hex=504b0304', 'UNSUPPORTED_CONTENT'],
    ['/type?as=image/png&hex=89504e470d0a1a0a', 'UNSUPPORTED_CONTENT'],
    ['/redirect/302?to=http://169.254.169.254/latest/', 'INVALID_URL'],
    ['/redirect/302?to=http://127.0.0.1:1/', 'INVALID_URL'],
    ['/redirect/302?to=file:///etc/passwd', 'UPSTREAM_ERROR'],
    ['http://127.0.0.1:1/', 'INVALID_URL'],
    ['http://does-not-exist.invalid/', 'UPSTREAM_ERROR'],
    ['file:///etc/passwd', 'INVALID_URL'],
    ['chrome://version', 'INVALID_URL'],
  ])('reports %s as %s, with the attempt', async (url, code) => {
    const reply = await scraper.scrape({ url, render: true });
    expect(reply).toMatchObject({
      ok: false,
      failure: { code },
      attempts: [{ engine: 'browser', outcome: code }],
    });
  });

  it.each(['/stall/before-headers', '/stall/mid-body'])(
    'names the stage in which %s let the time run out',
    async (url) => {
      const stage = /while (?:loading the page|waiting for the page)/;
      const reply = await scrapeBriefly(
        (timeoutMs) => scraper.scrape({ url, render: true }, { timeoutMs }),
        3000,
        ({ failure }) => stage.test(failure.message),
      );
      expect(reply).toMatchObject({
        ok: false,
        failure: { code: 'TIMEOUT', source: 'target', message: expect.stringMatching(stage) },
      });
    },
  );

  it('follows redirects and returns the last status', async () => {
    const result = await resultOf({ url: '/redirect-times/3', render: true });
    expect(result.statusCode).toBe(200);
    expect(result.finalUrl).not.toContain('redirect-times/3');
  });
});

describe('a scraper on which no browser can run', () => {
  it('takes no pages to render, and still takes plain ones', async () => {
    await using scraper = await startTestScraper({ CHROMIUM_PATH: '/nowhere/chromium' });
    expect(await scraper.consumerCount('browser')).toBe(0);
    expect(await scraper.scrape({ url: '/' })).toMatchObject({ ok: true });
  });

  it('takes only the work of its engines', async () => {
    await using scraper = await startTestScraper({ ENGINES: 'http' });
    expect(await scraper.consumerCount('browser')).toBe(0);
    expect(await scraper.consumerCount('http')).toBe(1);
  });
});
