import { htmlPath, scriptPath } from '@gleaner/test-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import puppeteer, { type Browser } from 'puppeteer-core';
import { openBrowserFolder } from '../src/browser/process/browser-folder.ts';
import { VIEWPORT } from '../src/browser/process/chromium-flags.ts';
import { findChromium } from '../src/browser/process/find-chromium.ts';
import { describeWithBrowser } from './browser-tests.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

/** Limit of what puppeteer waits for. */
const LIMIT_MS = 240_000;

/** Pages that scripts build in various ways; in the end, each has an element of class `done`. */
const PAGES: Readonly<Record<string, string>> = {
  'a list from data': `<ul id=list></ul><script>
    for (const [name, price] of [['Kettle', '19.90'], ['Tea & pot', '24.50 €'], ['<b>', '0']])
      list.append(Object.assign(document.createElement('li'), { className: 'done', textContent: name + '\\n  ' + price, title: name }))</script>`,
  'markup from a template': `<template id=row><tr class=done><td><td><a></a></template><table><tbody></tbody></table><script>
    for (const n of [1, 2, 3]) { const copy = row.content.cloneNode(true);
      copy.querySelector('td').textContent = n; copy.querySelector('a').href = '/product/' + n;
      copy.querySelector('a').textContent = 'Product ' + n; document.querySelector('tbody').append(copy) }</script>`,
  'innerHTML with entities': `<div id=out></div><script>
    out.innerHTML = '<p class=done title="&quot;q&quot; &amp;amp;">a&nbsp;b &lt;i&gt; &#x1F600; caf\\u00e9 &copy;<br>c</p><pre class=done> two\\n lines</pre>'</script>`,
  'document.write': `<script>document.write('<section class=done data-n=1><h2>Written</h2>'); document.write('<p>by parts</section>')</script>`,
  'data that is fetched': `<main></main><script>fetch('/echo').then((r) => r.json()).then(({ method, url }) => {
    document.querySelector('main').innerHTML = '<p class=done title="' + url + '">' + method + '</p>' })</script>`,
  'a module that is imported': `<main></main><script type=module>import('${scriptPath("export const text = 'imported'")}').then(({ text }) => {
    document.querySelector('main').innerHTML = '<p class=done>' + text + '</p>' })</script>`,
  'a custom element': `<my-card name=One></my-card><my-card name=Two></my-card><script>
    customElements.define('my-card', class extends HTMLElement {
      connectedCallback() { this.innerHTML = '<b class=done>' + this.getAttribute('name') + '</b>' } })</script>`,
  'changes of what was there': `<p class=old>old</p><p class=old hidden>hidden</p><script>
    const [first, second] = document.querySelectorAll('p'); first.className = 'done'; first.textContent = 'new';
    second.hidden = false; second.classList.add('done'); second.setAttribute('DATA-X', 'ß'); first.after(document.createTextNode('loose'))</script>`,
  'svg, math and forms': `<div id=out></div><script>
    out.innerHTML = '<svg viewBox="0 0 1 1"><a class=done xlink:href="/svg"><text>in svg</text></a></svg><math><mi class=done>x</mi></math>' +
      '<select class=done><option value=1 selected>one<option value=2>two</select><textarea class=done>\\ntext</textarea><input class=done value=typed>'</script>`,
  'scripts, styles and comments inside': `<div class=done id=out>seen<script>/* unseen */</script><style>.unseen{}</style><!-- unseen --><template>unseen</template></div>`,
  'what is seen of it': `<style>body { margin: 0 } div { height: 500px; width: 33.3% }</style><div></div><div></div><div></div><script>
    const { width, height, scale } = visualViewport;
    const seen = new IntersectionObserver((entries) => requestAnimationFrame(() => {
      const box = document.querySelector('div').getBoundingClientRect();
      for (const { target, isIntersecting, intersectionRatio, rootBounds } of entries) {
        target.className = 'done';
        target.textContent = [isIntersecting, intersectionRatio, rootBounds.width, rootBounds.height, innerWidth, innerHeight,
          devicePixelRatio, width, height, scale, box.width, matchMedia('(width: 1280px)').matches, scrollY];
      }
    }));
    for (const part of document.querySelectorAll('div')) seen.observe(part)</script>`,
  'quirks, without a doctype': `<table class=done><tr><td>cell<table><tr><td>inner</table></table><script>document.title = document.compatMode</script>`,
};

const SELECTORS = [
  '.done',
  'p, td, li, b',
  'title',
  '.done:first-of-type',
  'body > *',
  '.done + *',
  '[title], [href]',
];
const ATTRIBUTES = ['title', 'href', 'class', 'value', 'data-x'];

/** Script that reads the same values in the browser itself; runs in the page. */
const ASK = `(() => {
  const collapse = (text) => text.replace(/\\s+/g, ' ').trim();
  const isUnseen = ({ localName }) => /^(script|style|template)$/.test(localName);
  const isBorder = (element) => element.localName === 'br' || /^(block|list-item|table.*)$/.test(getComputedStyle(element).display);
  const read = (node) => {
    if (node.nodeType !== 1) return node.nodeType === 3 ? node.data : '';
    const text = isUnseen(node) ? '' : [...node.childNodes].map(read).join('');
    return isBorder(node) ? ' ' + text + ' ' : text;
  };
  const textOf = (element) => collapse([...element.childNodes].map(read).join(''));
  const elements = (css) => [...document.querySelectorAll(css)];
  return Object.fromEntries(${JSON.stringify(SELECTORS)}.flatMap((css, index) => [
    ['text' + index, elements(css).map(textOf)],
    ['html' + index, elements(css).map((element) => element.outerHTML)],
    ...${JSON.stringify(ATTRIBUTES)}.map((name) => [name + index, elements(css).map((element) => element.getAttribute(name)).filter((value) => value !== null)]),
  ]));
})()`;

const FIELDS = Object.fromEntries(
  SELECTORS.flatMap((css, index) => [
    [`text${index}`, `${css}::text::all`],
    [`html${index}`, `${css}::html::all`],
    ...ATTRIBUTES.map((name) => [`${name}${index}`, `${css}::attr(${name})::all`]),
  ]),
);

await describeWithBrowser('values of a rendered page', (settings) => {
  let scraper: TestScraper;
  let browser: Browser;

  beforeAll(async () => {
    scraper = await startTestScraper(settings);
    const prepare = await findChromium(settings.CHROMIUM_PATH);
    const { path, env } = await prepare(await openBrowserFolder(undefined));
    const args = ['--no-sandbox'];
    browser = await puppeteer.launch({
      executablePath: path,
      env: { ...process.env, ...env },
      args,
      defaultViewport: VIEWPORT,
      timeout: LIMIT_MS,
    });
  });
  afterAll(async () => {
    await browser.close();
    await scraper[Symbol.asyncDispose]();
  });

  it.each(Object.entries(PAGES))("built from %s equal the browser's own", async (name, markup) => {
    const doctype = name.startsWith('quirks') ? '' : '<!doctype html>';
    const url = scraper.origin.url + htmlPath(`${doctype}<title>A page</title>${markup}`);
    const reply = await scraper.scrape({ url, waitFor: '.done', selectors: FIELDS });
    const page = await browser.newPage();
    page.setDefaultTimeout(LIMIT_MS);
    await page.goto(url);
    await page.waitForSelector('.done');
    const said = (await page.evaluate(ASK)) as Record<string, string[]>;
    await page.close();
    expect(said.text0?.length).toBeGreaterThan(0);
    expect(reply.ok && JSON.parse(reply.result.dataJson ?? '')).toEqual(said);
  });
});
