import { htmlPath } from '@gleaner/test-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWithBrowser } from './browser-tests.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

const ASK = 'We use cookies to personalise content.';

await describeWithBrowser('a layer in front of a rendered page', (settings) => {
  let scraper: TestScraper;

  beforeAll(async () => {
    scraper = await startTestScraper(settings);
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
  });

  async function verdictOf(url: string, options: object = {}) {
    const reply = await scraper.scrape({ url, render: true, ...options }, { timeoutMs: 240_000 });
    if (!reply.ok) throw new Error(`${reply.failure.code}: ${reply.failure.message}`);
    return reply.result.verdict;
  }

  it.each([
    ['onetrust', 'element onetrust-banner-sdk'],
    ['cookiebot', 'element CybotCookiebotDialog'],
    ['usercentrics', 'element usercentrics-root'],
    ['didomi', 'element didomi-notice'],
    ['quantcast', 'element qc-cmp2-ui'],
    ['sourcepoint', 'element sp_message_container_7'],
    ['homemade', expect.stringContaining('We and our partners use cookies')],
    ['closed-shadow', expect.stringContaining('We and our partners use cookies')],
    ['many-words', expect.stringContaining('We and our partners use cookies')],
  ])('asks for consent: %s', async (layer, evidence) => {
    expect(await verdictOf(`/consent/${layer}`)).toMatchObject({
      page: 'consent',
      basis: 'observed',
      signals: [{ code: 'CONSENT_LAYER', evidence }],
    });
  });

  it.each(['onetrust', 'homemade', 'sourcepoint'])('is gone once it was dismissed: %s', async (layer) => {
    const verdict = await verdictOf(`/consent/${layer}`, { overlays: 'reject' });
    expect(verdict).toMatchObject({ page: 'content' });
  });

  it.each(['none', 'dialog', 'bar', 'app'])('asks for nothing: %s', async (layer) => {
    expect(await verdictOf(`/consent/${layer}`)).toMatchObject({ page: 'content' });
  });

  it.each([
    [
      'a bar over a dialog',
      `<div style="position:fixed;inset:0;background:#fff">Newsletter<button>Subscribe</button></div>
      <div style="position:fixed;bottom:0;z-index:9">${ASK}<button>OK</button></div>`,
    ],
    [
      'a layer that is not shown',
      `<div style="position:fixed;inset:0;display:none">${ASK}<button>OK</button></div>`,
    ],
    [
      'a page about cookies',
      `<main style="position:fixed;inset:0">${ASK}<button>OK</button></main>`
        .replaceAll('main', 'div')
        .replace('<div', '<div><div')
        .replace('</div>', '<article>A</article></div></div>'),
    ],
    [
      'names that hide properties',
      `<form style="position:fixed;inset:0"><input name=parentNode><input name=id>
      <input name=getAttribute><input name=childNodes><input name=querySelector>${ASK}<button>OK</button></form>`,
    ],
    [
      'a shadow root in itself',
      '<x-a></x-a><script>document.querySelector("x-a").attachShadow({ mode: "closed" }).innerHTML = "<slot></slot>"</script>',
    ],
  ])('does not keep a page from being read: %s', async (_name, markup) => {
    const verdict = await verdictOf(
      htmlPath(`<!doctype html><h1>Kettle</h1><p>It boils water.</p>${markup}`),
    );
    expect(verdict?.page).toBe('content');
  });
});
