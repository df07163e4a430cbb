import { eventually, htmlPath } from '@gleaner/test-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { act as actOn, failToAct, logging as page, type Rest } from './acting.ts';
import { browserIn } from './browser-processes.ts';
import { describeWithBrowser, makeBrowserFolder } from './browser-tests.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

await describeWithBrowser('actions on pages that misbehave', (settings) => {
  let scraper: TestScraper;

  beforeAll(async () => {
    scraper = await startTestScraper(settings);
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
  });

  const act = (...args: Rest<typeof actOn>) => actOn(scraper, ...args);
  const fail = (...args: Rest<typeof failToAct>) => failToAct(scraper, ...args);

  it.each<[string, string, string]>([
    ['alert', "alert('a')", 'after'],
    ['confirm', "log(confirm('a'))", 'false after'],
    ['print', 'print()', 'after'],
    ['open a window', "log(window.open('/type?as=text/html') === null)", 'true after'],
    ['close their window', 'close()', 'after'],
    ['choose a file', "document.querySelector('[type=file]').click()", 'after'],
    ['go full screen', 'document.documentElement.requestFullscreen().catch(() => {})', 'after'],
    ['ask for a place', 'navigator.geolocation.getCurrentPosition(() => {}, () => {})', 'after'],
    ['lock the mouse', 'document.body.requestPointerLock()', 'after'],
  ])('go on with pages that %s', async (_name, code, expected) => {
    const { log } = await act(
      page(
        '<button id=a>a</button><button id=b>b</button><input type=file>',
        `$('#a').onclick = () => { ${code} };
        $('#b').onclick = () => log('after')`,
      ),
      [{ click: '#a' }, { click: '#b' }],
    );
    expect(log).toBe(expected);
  });

  it('leave a page that asks whether to leave', async () => {
    const next = htmlPath('<h1>Pot</h1>');
    const { title } = await act(
      page(
        `<h1>Kettle</h1><a href="${next}">Next</a>`,
        "addEventListener('beforeunload', (event) => event.preventDefault())",
      ),
      [{ click: 'a' }],
    );
    expect(title).toBe('Pot');
  });

  it('go on after a click that starts a download, opens a window, or leads nowhere', async () => {
    const file = '/type?as=application/octet-stream&hex=00';
    const { title, actions } = await act(
      page(`<h1>Kettle</h1><a id=file href="${file}" download>f</a><a id=plain href="${file}">p</a>
        <a id=blank target=_blank href="${htmlPath('<h1>Pot</h1>')}">b</a><a id=none href="javascript:void 0">n</a><a id=mail href="mailto:a@b.c">m</a>`),
      ['file', 'plain', 'blank', 'none', 'mail'].map((id) => ({ click: `#${id}` })),
    );
    expect(title).toBe('Kettle');
    expect(actions.map(({ outcome }: { outcome: string }) => outcome)).toEqual(Array(5).fill('done'));
  });

  it('end where a click leads to an address that may not be requested, or to a site that is away', async () => {
    const to = (url: string) => fail(page(`<a href="${url}">a</a>`), [{ click: 'a' }], 240_000);
    expect(await to('http://10.0.0.1/')).toMatchObject({ code: 'INVALID_URL', source: 'target' });
    expect(await to('http://127.0.0.1:1/')).toMatchObject({
      code: expect.stringMatching(/INVALID_URL|UPSTREAM_ERROR/),
    });
  });

  it('end where a page goes from one document to the next', async () => {
    const storm = page(
      '<a href="">a</a>',
      "if (location.hash) { location.href = location.pathname + location.search + '&n=' + Math.random() + '#x'; } else { $('a').onclick = (event) => { event.preventDefault(); location.hash = 'x'; location.reload(); }; }",
    );
    // The other steps wait for as long as the page needs.
    const waits = Array.from({ length: 18 }, () => ({ waitFor: 10_000 }));
    expect(await fail(storm, [{ click: 'a' }, ...waits], 240_000)).toMatchObject({
      code: 'UPSTREAM_ERROR',
      message: expect.stringContaining('navigated more than'),
    });
  });

  it('end with the time where a page is stuck', async () => {
    const stuck = page('<button>x</button>', "$('button').onclick = () => { for (;;); }");
    const message = 'The time ran out while doing the actions.';
    const failure = await fail(stuck, [{ click: 'button' }], 4000, (failed) =>
      failed.failure.message.includes(message),
    );
    expect(failure).toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining(message) });
  });

  it('click nothing else than what they name', async () => {
    const { log } = await act(
      page(
        `<button id=a style="position:fixed;top:100px;left:0;width:100px">a</button>
         <button id=b style="position:fixed;top:100px;left:0;width:100px;z-index:-1">b</button>`,
        `let flights = 0;
         document.addEventListener('click', ({ target }) => log('click:' + target.id));
         document.addEventListener('mousedown', ({ target }) => log('down:' + target.id));
         $('#a').addEventListener('mouseenter', () => { if (flights++ < 2) $('#a').style.left = flights * 200 + 'px'; });`,
      ),
      [{ click: '#a' }],
    );
    expect(log).toBe('down:a click:a');
  });

  it('click an element that goes away under the click, once', async () => {
    const { log } = await act(
      page(
        '<button class=x id=a>a</button>',
        `$('#a').addEventListener('mousedown', () => { log('down'); $('#a').remove(); });`,
      ),
      [{ click: '.x' }],
    );
    expect(log).toBe('down');
  });

  it('use elements in open shadow roots', async () => {
    const { log } = await act(
      page(
        '<my-form></my-form>',
        `const root = $('my-form').attachShadow({ mode: 'open' });
         root.innerHTML = '<input id=q><button id=go><slot></slot>Go</button>';
         root.querySelector('#go').onclick = () => log('go ' + root.querySelector('#q').value);`,
      ),
      [{ fill: '#q', value: 'kettle' }, { click: '#go' }],
    );
    expect(log).toBe('go kettle');
  });

  it('tap on a page that is visited as by a phone', async () => {
    const { log } = await act(
      page(
        '<button style="margin-top:2000px">x</button>',
        `for (const name of ['touchstart', 'touchend', 'click']) $('button').addEventListener(name, ({ isTrusted }) => log(name + isTrusted));`,
      ),
      [{ click: 'button' }],
      { screenshot: { mobile: true } },
    );
    expect(log).toBe('touchstarttrue touchendtrue clicktrue');
  });

  it('say what a page is that lacks what they need', async () => {
    expect(await fail('/status/404', [{ click: '#x' }])).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('are in the trace of the attempt, the one that failed last', async () => {
    // A paragraph never becomes a field: the step fails soon, however much time there is.
    const answer = await scraper.scrape({
      url: page('<button>x</button><p id=x>x</p>'),
      actions: [{ click: 'button' }, { fill: '#x', value: 'secret' }],
    });
    expect(answer).toMatchObject({ ok: false, failure: { code: 'ACTION_FAILED' } });
    expect(answer.ok ? [] : answer.attempts).toMatchObject([
      {
        outcome: 'ACTION_FAILED',
        stages: { actions: expect.any(Number) },
        actions: [
          { index: 0, step: 'click button', outcome: 'done' },
          { index: 1, step: 'fill #x', outcome: 'failed' },
        ],
      },
    ]);
    expect(JSON.stringify(answer)).not.toContain('secret');
  });
});

await describeWithBrowser('a browser that is lost during actions', (settings) => {
  it.each([
    ['fails the page where they may have taken effect', { click: '#a' }, 'onclick', 1],
    ['is replaced where they only looked', { hover: '#a' }, 'onmouseover', 2],
  ] as const)('%s, and shows each step once', async (_what, step, event, times) => {
    const folder = await makeBrowserFolder();
    await using own = await startTestScraper({ ...settings, BROWSER_DIR: folder });
    const url = page(`<button id=a ${event}="fetch('/status/200')">a</button>`);
    // Starts the browser for steps, so that it can be killed while they wait.
    expect(await own.scrape({ url: '/', actions: [{ waitFor: 0 }] })).toMatchObject({ ok: true });
    const [browser] = await browserIn(folder);
    const acting = own.scrape({ url, actions: [step, { waitFor: 3000 }] });
    await eventually(() => expect(own.origin.requestsTo('/status/200')).toHaveLength(1));
    process.kill(-(browser?.group ?? 0), 'SIGKILL');
    const answer = await acting;
    expect(own.origin.requestsTo('/status/200')).toHaveLength(times);
    if (answer.ok) expect(answer.result.actions).toMatchObject([{ index: 0 }, { index: 1 }]);
    else expect(answer.failure.code).toBe('SERVICE_UNAVAILABLE');
    expect(answer.ok).toBe(times === 2);
  });
});
