import { htmlPath } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWithBrowser } from './browser-tests.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

/** Text that is hidden by markup alone: both engines agree on it. */
const INLINE = htmlPath(`<!doctype html><p>in</p>
  <p style="display:none">display</p><p hidden>attribute</p><p style="visibility:hidden">visibility</p>
  <p style="opacity:0">opacity</p><p style="font-size:0">size</p><p style="position:absolute;left:-9999px">place</p>
  <p style="text-indent:-9999px">indent</p><p style="width:1px;height:1px;overflow:hidden">box</p>
  <p style="visibility:collapse">collapse</p><div style="content-visibility:hidden"><p>content</div><p style="margin:0 0 0 -9999px;position:absolute">margin</p><title>title</title>
  <iframe style="display:none">frame</iframe><select><option hidden>option</select><ruby>ka<rp>(</rp><rt>ji</rt><rp>)</rp></ruby>
  <p><span style="text-indent:-9999px">inline</span></p><p data-w-id=1 style="opacity:0">scrolled to</p>
  <dialog>dialog</dialog><div popover>popover</div><details><summary>Why?</summary>answer</details>
  <p style="opacity:0;transition:opacity 1s">fades in</p><div style="display:contents"><p>contents</div>`);
const INLINE_TEXT = 'in\noption\nka(ji)\ninline\nscrolled to\nWhy?\nanswer\nfades in\ncontents';

/** Text that is hidden by style sheets and scripts, as a browser knows. */
const STYLED =
  htmlPath(`<!doctype html><style>.a{display:none}.b{position:absolute;left:-5000px}.c{width:1px;height:1px;overflow:hidden}</style>
  <p>in</p><p class=a>sheet</p><p class=b>far</p><p class=c>small</p><div id=host></div>
  <script>host.attachShadow({mode:'open'}).innerHTML='<p>shadow</p><p hidden>within</p>'</script>`);

async function readText(scraper: TestScraper, url: string, render: boolean, snapshot = false) {
  const formats = [{ type: 'text' as const, hidden: 'drop' as const }, 'html' as const];
  const reply = await scraper.scrape({ url, render, formats, snapshot }, { timeoutMs: 240_000 });
  if (!reply.ok) throw new Error(`${reply.failure.code}: ${reply.failure.message}`);
  const { text, html } = JSON.parse(reply.result.formatsJson ?? '');
  return { text, html, warnings: reply.result.warnings };
}

describe('hidden text', () => {
  let scraper: TestScraper;

  beforeAll(async () => {
    scraper = await startTestScraper();
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
  });

  it('of a plain page is what its markup hides', async () => {
    const { text, warnings } = await readText(scraper, INLINE, false);
    expect([text, warnings]).toEqual([INLINE_TEXT, [expect.objectContaining({ code: 'HIDDEN_TEXT' })]]);
    expect((await readText(scraper, STYLED, false)).text).toContain('sheet');
  });
});

await describeWithBrowser('hidden text of a rendered page', (settings) => {
  let scraper: TestScraper;

  beforeAll(async () => {
    scraper = await startTestScraper(settings);
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
  });

  it('is the same where the markup hides it', async () => {
    expect((await readText(scraper, INLINE, true)).text).toBe(INLINE_TEXT);
  });

  it('is what the browser does not show, and leaves no mark', async () => {
    const { text, html, warnings } = await readText(scraper, STYLED, true, true);
    expect(text).toBe('in\nshadow');
    expect(html).not.toContain('gleaner');
    expect(warnings).toMatchObject([{ code: 'HIDDEN_TEXT', characters: 19 }]);
  });
});
