import { SIGNAL_CODES, SIGNAL_TABLE } from '@gleaner/contracts';
import { Budget, type PageFacts, parseDocument, readPageFacts } from '@gleaner/extraction';
import { LABELED_PAGES } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { type JudgedPage, judgePage } from './judge-page.ts';

const URL_ASKED_FOR = 'https://shop.example/kettles?page=2';

function judge(html: string, given: Partial<JudgedPage> = {}) {
  const facts: PageFacts = readPageFacts(parseDocument(html), new Budget());
  return judgePage({
    facts,
    source: html,
    askedUrl: URL_ASKED_FOR,
    url: URL_ASKED_FOR,
    engine: 'http',
    ...given,
  });
}

/** Signals that no source has by itself. */
const BY_COMPARISON = ['CONSENT_LAYER', 'UNKNOWN_PATH', 'REPEATED_TEXT', 'SAME_EVERYWHERE'];

const TEXT = `<p>${'Words about kettles. '.repeat(120)}`;

describe('judgePage', () => {
  it('observes content where there is much text, and infers it where nothing speaks against it', () => {
    expect(judge(`<title>Not found</title>${TEXT}`)).toEqual({
      page: 'content',
      basis: 'observed',
      signals: [],
    });
    expect(judge('<p>19.90')).toEqual({ page: 'content', basis: 'inferred', signals: [] });
  });

  it('counts texts in links, scripts, styles and templates for no text of the page', () => {
    const hidden = `<script>${TEXT}</script><style>${TEXT}</style><template>${TEXT}</template><a>${TEXT}</a>`;
    expect(judge(`<title>Page not found</title>${hidden}`).page).toBe('notFound');
  });

  it.each([
    ['a demand in an element', '<div class=a><h1>Please enable JavaScript.</h1></div>'],
    ['a demand beside a style', '<style>#root{display:none}</style><p>This app needs JavaScript</p>'],
  ])('calls a page a shell that has %s in the noscript of its head', (_what, demand) => {
    const html = `<title>App</title><noscript>${demand}</noscript><script src=/a.js></script><body><div id=root></div>`;
    const { page, signals } = judge(html);
    expect([page, signals.map(({ code }) => code)]).toEqual(['shell', ['NOSCRIPT_DEMAND']]);
    expect(signals[0]?.evidence).toMatch(/^[A-Z][\w ]+JavaScript\.?$/);
    expect(judge(html, { engine: 'browser' })).toMatchObject({ page: 'shell', basis: 'inferred' });
  });

  it('counts nothing in the noscript of the head for content', () => {
    const pixel = '<noscript><img src="https://ads.example/javascript.gif"><p>Words</noscript>';
    const html = `<title>App</title>${pixel}<body><div id=root></div><script src=/a.js></script>`;
    expect(judge(html)).toMatchObject({ page: 'shell', signals: [{ code: 'SCRIPTS_ONLY' }] });
  });

  it('takes a rendered page for a shell only if it shows nothing, whatever its noscript demands', () => {
    const html =
      '<body><noscript>Enable JavaScript</noscript><div id="root"></div><script src="/a.js"></script>';
    expect(judge(html).page).toBe('shell');
    expect(judge(html, { engine: 'browser' }).signals).toMatchObject([{ code: 'SCRIPTS_ONLY' }]);
    expect(judge(`${html}<p>Kettle`, { engine: 'browser' }).page).toBe('content');
  });

  it('takes no redirect to a similar URL for a login', () => {
    const url = 'https://www.shop.example/docs/login/';
    expect(judge(TEXT, { url }).page).toBe('login');
    expect(judge(TEXT, { url, askedUrl: 'https://shop.example/docs/login' }).page).toBe('content');
    expect(judge(TEXT, { url: 'https://www.shop.example/login-forms/7' }).page).toBe('content');
  });

  it('names the host and path of a redirect without its query, which may hold secrets', () => {
    const { signals } = judge(TEXT, { url: 'https://login.shop.example/start?token=s3cret' });
    expect(signals).toEqual([{ code: 'LOGIN_REDIRECT', evidence: 'login.shop.example/start' }]);
  });

  it('lets what was observed decide, and lists only what speaks for it', () => {
    const { page, signals } = judge('<title>Page not found</title><form><input type=password></form>');
    expect([page, signals.map(({ code }) => code)]).toEqual(['login', ['PASSWORD_FORM']]);
  });

  it('cuts long evidence', () => {
    const demand = `<body><noscript>Please enable JavaScript ${'now '.repeat(100)}</noscript><script src=/a.js></script>`;
    expect(judge(demand).signals[0]?.evidence).toHaveLength(120);
  });

  it('has a test page for every signal', () => {
    const shown = LABELED_PAGES.map(({ code }) => code);
    expect(SIGNAL_CODES.filter((code) => !shown.includes(code))).toEqual(BY_COMPARISON);
    for (const { code, page, basis } of LABELED_PAGES) {
      if (code !== undefined)
        expect(SIGNAL_TABLE).toHaveProperty(code, expect.objectContaining({ page, basis }));
    }
  });
});
