import type { ScrapeRequest } from '@gleaner/contracts';
import { eventually, htmlPath } from '@gleaner/test-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWithBrowser } from './browser-tests.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

const ASK = 'We and our partners use cookies to personalise content. Do you accept all cookies?';
const COVER = 'style="position:fixed;inset:0;z-index:9999;background:#fff"';

/** A page that counts its answers, under a layer; `script` sees `answer` and `shut`. */
function page(layer: string, script = ''): string {
  return htmlPath(`<!doctype html><body style="margin:0"><main><h1>Kettle</h1><p>Boils water.</p></main><p id=answers></p>
    <script>const answer = (text) => { document.querySelector('#answers').textContent += text + ' '; };
    const shut = (css, text) => { document.querySelector(css).style.display = 'none'; answer(text); };</script>
    ${layer}<script>${script}</script>`);
}

const button = (attributes: string, code: string, words: string) =>
  `<button ${attributes} onclick="${code}">${words}</button>`;

/** Names of platforms in the rules, with the pages under their layers. */
const VENDORS: readonly [name: string, page: string][] = [
  ['Onetrust', '/consent/onetrust'],
  ['Cybotcookiebot', '/consent/cookiebot'],
  ['usercentrics-api', '/consent/usercentrics'],
  ['didomi', '/consent/didomi'],
  ['quantcast', '/consent/quantcast'],
  ['unknown', '/consent/homemade'],
];

await describeWithBrowser('a consent layer', (settings) => {
  let scraper: TestScraper;

  beforeAll(async () => {
    scraper = await startTestScraper(settings);
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
  });

  async function read(url: string, options: Omit<ScrapeRequest, 'url'>) {
    const selectors = { answers: '#answers', title: 'h1' };
    const formats = ['markdown' as const, 'text' as const, 'article' as const];
    const reply = await scraper.scrape({ url, selectors, formats, ...options }, { timeoutMs: 240_000 });
    if (!reply.ok) throw new Error(`${reply.failure.code}: ${reply.failure.message}`);
    const { result } = reply;
    const { markdown, text, article } = JSON.parse(result.formatsJson ?? '{}');
    return { ...result, ...JSON.parse(result.dataJson ?? '{}'), markdown, text, article };
  }

  it.each(VENDORS)('of %s is rejected', async (cmp, url) => {
    const { answers, overlays, warnings, engine } = await read(url, { overlays: 'reject' });
    expect({ answers, overlays, warnings, engine }).toEqual({
      answers: 'no',
      overlays: [{ cmp, action: 'reject' }],
      warnings: [],
      engine: 'browser',
    });
  });

  it.each(VENDORS)('of %s is accepted', async (cmp, url) => {
    const { answers, overlays } = await read(url, { overlays: 'accept' });
    expect({ answers, overlays }).toEqual({ answers: 'yes', overlays: [{ cmp, action: 'accept' }] });
  });

  it.each(VENDORS)('of %s is hidden without an answer', async (cmp, url) => {
    const hidden = await read(url, { overlays: 'hide', render: true, screenshot: true });
    expect(hidden.overlays).toEqual([{ cmp, action: 'hide' }]);
    expect(hidden.answers).toBe('');
    const { screenshot } = await read('/consent/bare', { screenshot: true });
    expect(hidden.screenshot).toBe(screenshot);
  });

  it.each(VENDORS)('of %s is in no text of the page', async (_cmp, url) => {
    for (const overlays of ['hide', 'reject'] as const) {
      const { markdown, text } = await read(url, { overlays, render: true });
      expect({ markdown, text }).toEqual({
        markdown: expect.stringMatching(/^# Kettle\n\nBoils water\.(\n\nno)?\s*$/),
        text: expect.stringMatching(/^Kettle\nBoils water\.(\nno)?$/),
      });
    }
  });

  it('is dismissed on pages of jobs, too', async () => {
    await scraper.sendPage({
      url: '/consent/onetrust',
      selectors: { answers: '#answers' },
      overlays: 'accept',
    });
    const [outcome] = await eventually(() => {
      expect(scraper.outcomes).toHaveLength(1);
      return scraper.outcomes;
    });
    expect(outcome).toMatchObject({
      outcome: { overlays: [{ cmp: 'Onetrust', action: 'accept' }], dataJson: '{"answers":"yes"}' },
    });
  });

  it.each([
    ['accept', 'yes', 'Sourcepoint-frame'],
    ['reject', 'no', 'Sourcepoint-frame'],
    ['hide', '', 'unknown'],
  ] as const)('whose buttons are in a frame is dismissed: %s', async (action, answer, cmp) => {
    const { answers, overlays, warnings } = await read('/consent/sourcepoint', {
      overlays: action,
      render: true,
    });
    expect({ answers, overlays, warnings }).toEqual({
      answers: answer,
      overlays: [{ cmp, action }],
      warnings: [],
    });
  });

  it('leads to another document, which is the one that is read', async () => {
    const next = htmlPath('<h1>Pot</h1><script>setTimeout(() => { document.title = "late" })</script>');
    const asking = page(`<div id=onetrust-banner-sdk ${COVER}>${ASK}
      ${button('id=onetrust-accept-btn-handler', `location.href = '${next}'`, 'Accept')}</div>`);
    const { title, finalUrl, overlays, warnings } = await read(asking, { overlays: 'accept' });
    expect({ title, overlays }).toEqual({ title: 'Pot', overlays: [{ cmp: 'Onetrust', action: 'accept' }] });
    expect(finalUrl).toBe(scraper.origin.url + next);
    expect(warnings).toEqual([expect.objectContaining({ field: 'answers', code: 'SELECTOR_NO_MATCH' })]);
  });

  it.each([
    ['comes back', "answer('again')"],
    ['reloads the page', 'location.reload()'],
  ])('that %s after every click is left', async (_name, code) => {
    const stubborn = page(`<div id=onetrust-banner-sdk ${COVER}>${ASK}
      ${button('id=onetrust-accept-btn-handler', code, 'Accept')}</div>`);
    const { title, text, answers } = await read(stubborn, { overlays: 'accept' });
    expect({ title, text }).toEqual({ title: 'Kettle', text: expect.stringContaining('Boils water.') });
    expect(answers.split(' ').length).toBeLessThan(4);
  });

  it('that cannot be dismissed is read, with a warning', async () => {
    const { overlays, warnings, title } = await read('/consent/stubborn', { overlays: 'accept' });
    expect({ overlays, title }).toEqual({ overlays: undefined, title: 'Kettle' });
    expect(warnings).toEqual([
      {
        code: 'OVERLAY_NOT_DISMISSED',
        message:
          'The page was read with the consent layer of Onetrust over it: "overlays": "accept" did not dismiss it in time.',
      },
    ]);
  });

  it('whose interface never answers does not keep the page from being read', async () => {
    const hung = page('', 'window.Cookiebot = { dialog: { get visible() { for (;;); } } };');
    expect(await read(hung, { overlays: 'reject' })).toMatchObject({ title: 'Kettle', answers: '' });
  });

  it('is left out of the text of a page that is not rendered', async () => {
    const { text, markdown, article, engine } = await read('/consent/onetrust', { overlays: 'hide' });
    expect({ text, markdown, engine }).toEqual({
      text: 'Kettle\nBoils water.',
      markdown: '# Kettle\n\nBoils water.',
      engine: 'http',
    });
    expect(article.markdown).toBe('# Kettle\n\nBoils water.');
  });

  it.each([
    ['nothing', 'none'],
    ['a dialog about something else', 'dialog'],
    ['a layer in a closed shadow root', 'closed-shadow'],
  ])('is not on a page with %s, which stays as it is', async (_name, name) => {
    const read = async (overlays: 'keep' | 'hide' | 'accept' | 'reject') => {
      const request = { url: `/consent/${name}`, formats: ['html' as const], render: true, overlays };
      const reply = await scraper.scrape(request, { timeoutMs: 240_000 });
      return reply.ok
        ? { ...JSON.parse(reply.result.formatsJson ?? ''), overlays: reply.result.overlays }
        : reply;
    };
    const kept = await read('keep');
    for (const overlays of ['hide', 'accept', 'reject'] as const) expect(await read(overlays)).toEqual(kept);
  });

  it('stays, and is read, unless something else is asked for', async () => {
    const { text, overlays, answers } = await read('/consent/onetrust', { render: true });
    expect(text).toContain('our partners');
    expect({ overlays, answers }).toEqual({ overlays: undefined, answers: '' });
  });
});
