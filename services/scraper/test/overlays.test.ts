import type { ScrapeRequest } from '@gleaner/contracts';
import { eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWithBrowser } from './browser-tests.ts';
import { html } from './page-path.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

const ASK = 'We and our partners use cookies to personalise content. Do you accept all cookies?';
const COVER = 'style="position:fixed;inset:0;z-index:9999;background:#fff"';

/** A page that counts its answers, under a layer; `script` sees `answer` and `shut`. */
function page(layer: string, script = ''): string {
  return html(`<!doctype html><body style="margin:0"><main><h1>Kettle</h1><p>Boils water.</p></main><p id=answers></p>
    <script>const answer = (text) => { document.querySelector('#answers').textContent += text + ' '; };
    const shut = (css, text) => { document.querySelector(css).style.display = 'none'; answer(text); };</script>
    ${layer}<script>${script}</script>`);
}

const button = (attributes: string, code: string, words: string) =>
  `<button ${attributes} onclick="${code}">${words}</button>`;

const ONETRUST = page(`<div id=onetrust-consent-sdk><div id=onetrust-banner-sdk ${COVER}>${ASK}
  ${button('id=onetrust-reject-all-handler', "shut('#onetrust-consent-sdk','no')", 'Reject')}
  ${button('id=onetrust-accept-btn-handler', "shut('#onetrust-consent-sdk','yes')", 'Accept')}</div></div>`);

const COOKIEBOT = page(
  `<div id=CybotCookiebotDialog ${COVER}>${ASK}
  ${button('id=CybotCookiebotDialogBodyLevelButtonLevelOptinDeclineAll', "end('no')", 'Deny')}
  ${button('id=CybotCookiebotDialogBodyButtonAccept', "end('yes')", 'Allow')}</div>`,
  `window.Cookiebot = { hasResponse: false, dialog: { visible: true } };
  const end = (text) => { Cookiebot.hasResponse = true; shut('#CybotCookiebotDialog', text); };`,
);

const USERCENTRICS = page(
  '<div id=usercentrics-root></div>',
  `const root = document.querySelector('#usercentrics-root').attachShadow({ mode: 'open' });
  root.innerHTML = ${JSON.stringify(`<div data-testid=uc-container ${COVER}>${ASK}
    <button data-testid=uc-deny-all-button>Deny</button><button data-testid=uc-accept-all-button>Accept</button></div>`)};
  const end = (text) => shut('#usercentrics-root', text);
  root.querySelector('button').onclick = () => end('no');
  window.UC_UI = { acceptAllConsents: () => { end('yes'); return true; }, closeCMP: () => true, areAllConsentsAccepted: () => true };`,
);

const DIDOMI = page(
  `<div id=didomi-host><div id=didomi-notice ${COVER}>${ASK}
  ${button('id=didomi-notice-agree-button', "shut('#didomi-notice','yes')", 'Agree')}</div></div>`,
  `window.Didomi = { setUserDisagreeToAll() {
    setTimeout(() => { document.querySelector('#didomi-host').setAttribute('aria-hidden', 'true'); shut('#didomi-notice', 'no'); });
  } };
  new MutationObserver(() => document.querySelector('#didomi-host').setAttribute('aria-hidden', 'true'))
    .observe(document.querySelector('#didomi-notice'), { attributes: true });`,
);

const QUANTCAST =
  page(`<div id=qc-cmp2-container><div id=qc-cmp2-ui ${COVER}>${ASK}<div class=qc-cmp2-summary-buttons>
  ${button('mode=secondary', 'answer(`more`)', 'More')}
  ${button('mode=secondary', "shut('#qc-cmp2-container','no')", 'Reject')}
  ${button('mode=primary', "shut('#qc-cmp2-container','yes')", 'Agree')}</div></div></div>`);

const SOURCEPOINT = page(
  `<div id=sp_message_container_7 ${COVER}><iframe style="width:100%;height:100%" src="${html(`${ASK}
    <script>history.replaceState(null, '', '/index.html?message_id=7')</script>
    <button class=sp_choice_type_11 onclick="parent.postMessage('yes','*')">Accept</button>
    <button class=sp_choice_type_13 onclick="parent.postMessage('no','*')">Reject</button>`)}"></iframe></div>`,
  `addEventListener('message', ({ data }) => { document.querySelector('#sp_message_container_7').remove(); answer(data); });`,
);

const HOMEMADE =
  page(`<div class=veil ${COVER}></div><div class=x style="position:fixed;bottom:0;z-index:10000">${ASK}
  ${button('', "shut('.x','no');shut('.veil','')", 'Reject all')}
  ${button('', "shut('.x','yes');shut('.veil','')", 'Accept all')}</div>`);

const VENDORS: readonly [name: string, page: string][] = [
  ['Onetrust', ONETRUST],
  ['Cybotcookiebot', COOKIEBOT],
  ['usercentrics-api', USERCENTRICS],
  ['didomi', DIDOMI],
  ['quantcast', QUANTCAST],
  ['unknown', HOMEMADE],
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
    const formats = ['markdown' as const, 'text' as const];
    const reply = await scraper.scrape({ url, selectors, formats, ...options }, { timeoutMs: 60_000 });
    if (!reply.ok) throw new Error(`${reply.failure.code}: ${reply.failure.message}`);
    const { result } = reply;
    const { markdown, text } = JSON.parse(result.formatsJson ?? '{}') as Record<string, string>;
    return { ...result, ...JSON.parse(result.dataJson ?? '{}'), markdown, text };
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
    const { screenshot } = await read(page(''), { screenshot: true });
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
    await scraper.sendPage({ url: ONETRUST, selectors: { answers: '#answers' }, overlays: 'accept' });
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
    const { answers, overlays, warnings } = await read(SOURCEPOINT, { overlays: action, render: true });
    expect({ answers, overlays, warnings }).toEqual({
      ...{ answers: answer, overlays: [{ cmp, action }], warnings: [] },
    });
  });

  it('leads to another document, which is the one that is read', async () => {
    const next = html('<h1>Pot</h1><script>setTimeout(() => { document.title = "late" })</script>');
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
    const stubborn = page(`<div id=onetrust-banner-sdk ${COVER}>${ASK}
      ${button('id=onetrust-accept-btn-handler', "answer('again')", 'Accept')}</div>`);
    const { overlays, warnings, title } = await read(stubborn, { overlays: 'accept' });
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
    const { text, markdown, engine } = await read(ONETRUST, { overlays: 'hide' });
    expect({ text, markdown, engine }).toEqual({
      ...{ text: 'Kettle\nBoils water.', markdown: '# Kettle\n\nBoils water.', engine: 'http' },
    });
  });

  it.each([
    ['nothing', '<p>Cookies are baked here.</p>'],
    ['a dialog about something else', `<div role=dialog ${COVER}>Choose a size<button>Accept</button></div>`],
    [
      'a layer in a closed shadow root',
      `<div id=host></div><script>document.querySelector('#host').attachShadow({ mode: 'closed' })
        .innerHTML = '<div ${COVER}>${ASK}<button>Accept all</button></div>'</script>`,
    ],
  ])('is not on a page with %s, which stays as it is', async (_name, layer) => {
    const read = async (overlays: 'keep' | 'hide' | 'accept' | 'reject') => {
      const request = { url: page(layer), formats: ['html' as const], render: true, overlays };
      const reply = await scraper.scrape(request, { timeoutMs: 60_000 });
      return reply.ok
        ? { ...JSON.parse(reply.result.formatsJson ?? ''), overlays: reply.result.overlays }
        : reply;
    };
    const kept = await read('keep');
    for (const overlays of ['hide', 'accept', 'reject'] as const) expect(await read(overlays)).toEqual(kept);
  });

  it('stays, and is read, unless something else is asked for', async () => {
    const { text, overlays, answers } = await read(ONETRUST, { render: true });
    expect(text).toContain('our partners');
    expect({ overlays, answers }).toEqual({ overlays: undefined, answers: '' });
  });
});
