import type { Action } from '@gleaner/contracts';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { openBrowserFolder } from '../src/browser/process/browser-folder.ts';
import { findChromium } from '../src/browser/process/find-chromium.ts';
import { act, logging } from './acting.ts';
import { describeWithBrowser } from './browser-tests.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

/** Limit of what puppeteer waits for. */
const LIMIT_MS = 240_000;

/** Logs every event of input with what tells a person's from a script's. */
const LOG_EVENTS = `for (const name of ['pointerdown', 'mousedown', 'focusin', 'pointerup', 'mouseup', 'click', 'keydown', 'keypress',
  'beforeinput', 'input', 'keyup', 'change', 'submit', 'mouseover', 'touchstart', 'touchend']) {
  document.addEventListener(name, (event) => {
    if (event.target === document.querySelector('#log')) return;
    const { type, isTrusted, key, code, data, inputType, button, buttons, detail, pointerType, shiftKey, ctrlKey } = event;
    const value = 'value' in event.target ? event.target.value : '';
    log([type, isTrusted, event.target.localName, key, code, data, inputType, button, buttons, detail, pointerType, shiftKey, ctrlKey, value].join('|'));
    if (type === 'submit') event.preventDefault();
  }, true);
}`;
const FORM = `<form><input id=q><textarea id=t></textarea><select id=s><option value=a>A<option value=b>B</select>
  <input type=checkbox id=c><button id=b>Go</button></form><button id=r style="transform:rotate(150deg);margin:80px">R</button>
  <a id=far style="display:block;margin-top:3000px">far</a><div id=e contenteditable></div>`;

/** Steps, and what puppeteer does for the same. */
const CASES: readonly (readonly [string, readonly Action[], (page: Page) => Promise<unknown>])[] = [
  ['a click', [{ click: '#b' }], (page) => page.click('#b')],
  ['a click on a rotated button', [{ click: '#r' }], (page) => page.click('#r')],
  ['a click on what is far below', [{ click: '#far' }], (page) => page.click('#far')],
  ['a text', [{ fill: '#q', value: 'Kettle 9?' }], (page) => focused(page, '#q', 'Kettle 9?')],
  ['a text of other letters', [{ fill: '#t', value: 'tè 茶' }], (page) => focused(page, '#t', 'tè 茶')],
  ['an editable element', [{ fill: '#e', value: 'ab' }], (page) => focused(page, '#e', 'ab')],
  [
    'a key',
    [{ click: '#q' }, { press: 'Enter' }],
    async (page) => [await page.click('#q'), await page.keyboard.press('Enter')],
  ],
  [
    'an arrow',
    [{ click: '#q' }, { press: 'ArrowDown' }],
    async (page) => [await page.click('#q'), await page.keyboard.press('ArrowDown')],
  ],
  [
    'a key with a modifier',
    [{ click: '#q' }, { press: 'Shift+a' }],
    async (page) => {
      await page.click('#q');
      await page.keyboard.down('Shift');
      await page.keyboard.press('a');
      await page.keyboard.up('Shift');
    },
  ],
  ['a checkbox', [{ check: '#c' }], (page) => page.click('#c')],
  ['the mouse over an element', [{ hover: '#b' }], (page) => page.hover('#b')],
];

/** Types into an element that has the focus, as puppeteer's fill does. */
async function focused(page: Page, selector: string, text: string): Promise<void> {
  await page.focus(selector);
  await page.keyboard.type(text);
}

/** Returns the events of a page, without the one by which Chromium may find the pointer above a page that it has laid out. */
function eventsOf(log: string | null): readonly string[] {
  const events = (log ?? '').trim().split(/\s+/);
  return events.filter((event) => !event.startsWith('mouseover|true|html|'));
}

await describeWithBrowser('a step', (settings) => {
  let scraper: TestScraper;
  let browser: Browser;

  beforeAll(async () => {
    scraper = await startTestScraper(settings);
    const prepare = await findChromium(settings.CHROMIUM_PATH);
    const { path, env } = await prepare(await openBrowserFolder(undefined));
    browser = await puppeteer.launch({
      executablePath: path,
      env: { ...process.env, ...env },
      args: ['--no-sandbox', '--disable-gpu'],
      defaultViewport: { width: 1280, height: 800 },
      timeout: LIMIT_MS,
    });
  });
  afterAll(async () => {
    await browser.close();
    await scraper[Symbol.asyncDispose]();
  });

  it.each(CASES)('that is %s does what puppeteer does', async (_name, actions, drive) => {
    const path = logging(FORM, LOG_EVENTS);
    const { log } = await act(scraper, path, actions);
    const page = await browser.newPage();
    page.setDefaultTimeout(LIMIT_MS);
    await page.goto(scraper.origin.url + path);
    await drive(page);
    const expected = await page.$eval('#log', ({ textContent }) => textContent);
    await page.close();
    expect(eventsOf(log)).toEqual(eventsOf(expected));
  });

  it('that chooses an option does what puppeteer does', async () => {
    const path = logging(FORM, LOG_EVENTS);
    const { log } = await act(scraper, path, [{ select: '#s', value: 'b' }]);
    const page = await browser.newPage();
    page.setDefaultTimeout(LIMIT_MS);
    await page.goto(scraper.origin.url + path);
    await page.select('#s', 'b');
    const expected = await page.$eval('#log', ({ textContent }) => textContent);
    await page.close();
    const changes = (text = '') => text.split(' ').filter((each) => /^(input|change)/.test(each));
    expect(changes(log)).toEqual(changes(expected ?? ''));
  });
});
