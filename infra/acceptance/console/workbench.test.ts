import { eventually, type Origin, routesOf, startOrigin } from '@gleaner/test-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import type { TestStack } from '../../stack/test/test-stack.ts';
import { joinStack } from '../join-stack.ts';
import { findFlaws, onBrowser, openBrowser, openPage, signIn } from './open-browser.ts';

const KETTLES = ['Emma', 'Otto', 'Ada'].map(
  (name, index) =>
    `<li class=kettle><b class=name>${name}</b><i class=price>${index > 0 ? `${index}9,90 €` : ''}</i>`,
);
const LIST = `<ul>${KETTLES.join('')}</ul>`;
/** Path that a script of a page would call. */
const TOLD = '/told';
const HOSTILE = `<script>fetch('${TOLD}');parent.postMessage('gleaner-ready','*');top.location='${TOLD}'</script>
<img src=x onerror="fetch('${TOLD}')"><a id=parent href=/x>p</a><a id=addEventListener href=/x>p</a>
<form id=f><input id=getAttribute><input id=closest><input id=parentNode><input id=children><b>In a form</b></form>`;

const PAGES = {
  '/kettles': `<html lang=de><title>Kettles</title><h1>Kettles</h1>${LIST}`,
  '/both': `<title>Both</title><h1>Kettles and pots</h1>${LIST}<ol><li class=kettle><b class=name>A pot</b></ol>`,
  '/more': `<html lang=de><title>More</title><h1>More kettles</h1><ul>${KETTLES.slice(1).join('')}</ul>`,
  '/hostile': `<title>Hostile</title>${HOSTILE}${LIST}`,
};

onBrowser('the workbench', () => {
  let bed: TestStack;
  let site: Origin;
  let browser: Browser;

  beforeAll(async () => {
    site = await startOrigin({ routes: routesOf(PAGES) });
    bed = await joinStack();
    browser = await openBrowser(bed);
  });
  afterAll(async () => {
    await browser?.close();
    await bed?.[Symbol.asyncDispose]();
    await site?.close();
  });

  /** Opens a page of the site in the workbench. */
  async function openKept(page: Page, path: string): Promise<FrameLocator> {
    await signIn(page, bed);
    await page.getByRole('link', { name: 'Workbench' }).click();
    await page.getByRole('heading', { level: 1, name: 'Workbench' }).waitFor();
    await page.getByLabel('URL', { exact: true }).fill(site.url + path);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    return page.frameLocator('iframe');
  }

  /** Opens a page of the site, and picks a list with two clicks. */
  async function openList(page: Page, path = '/kettles'): Promise<FrameLocator> {
    const frame = await openKept(page, path);
    await frame.getByText('Emma').click();
    await frame.getByText('Otto').click();
    await page.getByRole('region', { name: 'Values' }).getByRole('cell', { name: 'Ada' }).waitFor();
    return frame;
  }

  /** Returns the request that the workbench stands for, as it copies it. */
  async function requestOf(page: Page) {
    await page.getByRole('button', { name: 'Save as', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Copy as JSON' }).click();
    await page.getByText('Copied to the clipboard').waitFor();
    const field = page.getByLabel('URLs of further pages');
    await field.press('Control+V');
    const request = JSON.parse(await field.inputValue());
    await field.fill('');
    return request;
  }

  /** Returns the values in the table, row by row and without their numbers. */
  async function valuesOn(page: Page): Promise<string[][]> {
    const rows = await page.getByRole('region', { name: 'Values' }).getByRole('row').all();
    const cells = await Promise.all(rows.map((row) => row.locator('th, td').allTextContents()));
    return cells.map(([, ...values]) => values);
  }

  it('makes a list of a link in four clicks, with the values that the service returns', async () => {
    await using opened = await openPage(browser, bed.stack.url);
    const { page, problems } = opened;
    await signIn(page, bed);
    const frame = page.frameLocator('iframe');
    await page.getByRole('link', { name: 'Workbench' }).click();
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await frame.getByText('Middlemarch', { exact: true }).click();
    await frame.getByText('Moby-Dick', { exact: true }).click();
    await page.getByText('12 records with 6 columns').waitFor();

    const values = await valuesOn(page);
    const { demoUrl } = bed.stack;
    expect(values.slice(0, 3)).toEqual([
      ['title', 'titleUrl', 'author', 'price', 'stock', 'coverImage'],
      [
        ...['Middlemarch', `${demoUrl}books/middlemarch`, 'George Eliot', '£12.99', 'In stock (4)'],
        `${demoUrl}covers/middlemarch.svg`,
      ],
      [
        ...['Moby-Dick', `${demoUrl}books/moby-dick`, 'Herman Melville', '£10.99', 'In stock (12)'],
        `${demoUrl}covers/moby-dick.svg`,
      ],
    ]);
    const { json } = await bed.ask('/v1/scrape', await requestOf(page));
    expect(values.slice(1)).toEqual(json.data.items.map((item: object) => Object.values(item)));
    expect(problems).toEqual([]);
  });

  it('marks in the page what the selectors match, and shows how many records have each value', async () => {
    await using opened = await openPage(browser, bed.stack.url);
    const { page } = opened;
    const frame = await openList(page);
    const marked = frame.locator('[data-gl-mark=record]');
    await marked.nth(2).waitFor();
    expect(await marked.count()).toBe(3);
    const price = page.getByRole('group', { name: 'Field price' });
    await price.getByText('2 of 3').waitFor();
    await page.getByLabel('Type of price').selectOption('price');
    await page.getByRole('cell', { name: '{"amount":19.9,"currency":"EUR"}' }).waitFor();
    await page.getByLabel('Selector of price').fill('.none');
    await price.getByText('0 of 3').waitFor();
    await page.getByLabel('Selector of price').fill('.price::tex');
    await price.getByText('The suffix ::tex does not exist').waitFor();
    await page.getByRole('cell', { name: 'Ada' }).waitFor();
    expect(await page.getByLabel('Selector of price').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Selector of price').fill('.price::attr(class)');
    expect(await page.getByLabel('What to take for price').inputValue()).toBe('attr(class)');
    expect((await requestOf(page)).selectors.items.fields.price).toEqual({
      selector: '.price::attr(class)',
      type: 'price',
    });
  });

  it('leaves out what is not wanted, and takes single values beside the list', async () => {
    await using opened = await openPage(browser, bed.stack.url);
    const { page } = opened;
    const frame = await openList(page, '/both');
    await page.getByLabel('Selector of the records').fill('.kettle');
    await page.getByText('4 records').waitFor();
    await page.getByText('Not this', { exact: true }).click();
    await frame.getByText('A pot').click();
    await page.getByText('3 records').waitFor();
    await page.getByText('Single values', { exact: true }).click();
    await frame.getByRole('heading', { name: 'Kettles and pots' }).click();
    const values = page.getByRole('group', { name: 'Single values' });
    await values.getByText('Kettles and pots', { exact: true }).waitFor();
    const { json } = await bed.ask('/v1/scrape', await requestOf(page));
    expect(json.data.title).toBe('Kettles and pots');
    expect(json.data.items.map(({ name }: { name: string }) => name)).toEqual(['Emma', 'Otto', 'Ada']);
  });

  it('does everything by keyboard from the tree of the elements', async () => {
    await using opened = await openPage(browser, bed.stack.url);
    const { page, problems } = opened;
    await openKept(page, '/kettles');
    await page.getByText('Elements (for the keyboard)').focus();
    await page.keyboard.press('Enter');
    const tree = page.getByRole('tree', { name: 'Elements of the page' });
    await tree.getByRole('treeitem', { name: /^body/ }).waitFor();
    await tree.focus();
    const keys = async (...names: string[]) => {
      for (const name of names) await page.keyboard.press(name);
    };
    // html, head, body, h1, ul
    await keys('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight');
    await tree.getByRole('treeitem', { name: /^li.kettle Emma/ }).waitFor();
    await keys('ArrowDown', 'Enter');
    await page.getByRole('button', { name: /List of/ }).waitFor();
    await tree.focus();
    await keys('ArrowDown', 'Enter');
    await page.getByRole('region', { name: 'Values' }).getByRole('cell', { name: 'Ada' }).waitFor();
    expect(await tree.getByRole('treeitem', { selected: true }).count()).toBe(2);
    expect(await findFlaws(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('tests the fields on further pages, which are scraped once', async () => {
    await using opened = await openPage(browser, bed.stack.url);
    const { page } = opened;
    await openList(page);
    await page.getByLabel('URLs of further pages').fill(`${site.url}/more\n${site.url}/status/404`);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    const more = page.getByRole('article', { name: `${site.url}/more` });
    await more.getByText('2 records').waitFor();
    await more.getByText('19,90 € · 29,90 €').waitFor();
    await page.getByRole('article', { name: /404/ }).getByText('NOT_FOUND').waitFor();
    await page.getByLabel('Type of price').selectOption('price');
    await more.getByText('"amount":19.9').waitFor();
    expect(site.requestsTo('/more')).toHaveLength(1);
    expect(await findFlaws(page)).toEqual([]);
  });

  it('goes on elsewhere', async () => {
    await using opened = await openPage(browser, bed.stack.url);
    const { page } = opened;
    await openList(page);
    for (const [item, heading, field, value] of [
      ['Open in the playground', 'Playground', 'Selector of field 1', /"selector":"\.kettle"/],
      ['Create a job', 'New job', 'URLs', /kettles/],
      [
        'Crawl pages like this one',
        'New job',
        'Crawl (JSON)',
        /"match": "\/kettles\*".*"selector": "\.kettle".*"keep": false/s,
      ],
      ['Create a schedule', 'New schedule', 'Selector of field 1', /"selector":"\.kettle"/],
    ] as const) {
      await page.getByRole('button', { name: 'Save as', exact: true }).click();
      await page.getByRole('menuitem', { name: item }).click();
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      expect(await page.getByLabel(field).first().inputValue()).toMatch(value);
      await page.getByRole('link', { name: 'Workbench' }).click();
      await page.getByText('3 records').waitFor();
    }
  });

  it('starts from the answer of the playground, with its fields and without another scrape', async () => {
    await using opened = await openPage(browser, bed.stack.url);
    const { page } = opened;
    await signIn(page, bed);
    await page.getByLabel('URL', { exact: true }).fill(`${site.url}/kettles?kept`);
    await page.getByText('Options', { exact: true }).click();
    await page.getByLabel('Snapshot').check();
    await page.getByRole('button', { name: 'Add a field' }).click();
    await page.getByLabel('Name of field').last().fill('heading');
    await page.getByLabel('Selector of field').last().fill('h1');
    await page.getByRole('button', { name: 'Scrape' }).click();
    await page.getByRole('button', { name: 'Pick elements on this page' }).click();
    const values = page.getByRole('group', { name: 'Field heading' });
    await values.getByText('Kettles', { exact: true }).waitFor();
    await page.frameLocator('iframe').locator('h1[data-gl-mark=value]').waitFor();
    expect(site.requests.filter(({ url }) => url === '/kettles?kept')).toHaveLength(1);
  });

  it('starts from the request of the playground, and survives a reload', async () => {
    await using opened = await openPage(browser, bed.stack.url);
    const { page } = opened;
    await signIn(page, bed);
    await page.getByLabel('URL', { exact: true }).fill(`${site.url}/kettles`);
    await page.getByRole('button', { name: 'Use it elsewhere' }).click();
    await page.getByRole('menuitem', { name: 'Pick elements in the workbench' }).click();
    const frame = page.frameLocator('iframe');
    await frame.getByText('Emma').click();
    await frame.getByText('Otto').click();
    await page.getByText('3 records').waitFor();
    await page.reload();
    await page.getByText('3 records').waitFor();
    await frame.locator('[data-gl-mark=record]').first().waitFor();
  });

  it('says when a page is no longer kept, and scrapes it again with the same fields', async () => {
    await using opened = await openPage(browser, bed.stack.url);
    const { page } = opened;
    await openList(page);
    const KEY = 'gleaner-workbench';
    await page.evaluate(
      `sessionStorage.setItem('${KEY}', sessionStorage.getItem('${KEY}').replace(/snp_\\w+/, 'snp_none'))`,
    );
    await page.reload();
    await page.getByRole('heading', { name: 'This page is no longer kept' }).waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Scrape it again' }).click();
    await page.getByText('3 records').waitFor();
  });

  it('names what is wrong with a page that cannot be opened', async () => {
    await using opened = await openPage(browser, bed.stack.url);
    const { page } = opened;
    await openKept(page, '/status/404');
    await page.getByRole('alert').getByText('NOT_FOUND').waitFor();
    expect(await findFlaws(page)).toEqual([]);
  });

  it('runs nothing of a hostile page, whose names shadow what the frame uses', async () => {
    await using opened = await openPage(browser, bed.stack.url);
    const { page, problems } = opened;
    const frame = await openKept(page, '/hostile');
    // Playwright itself would read the shadowed properties.
    const box = await frame.getByText('In a form').boundingBox();
    await page.mouse.click((box?.x ?? 0) + 5, (box?.y ?? 0) + 5);
    await page
      .getByRole('navigation', { name: 'Elements around the picked one' })
      .getByRole('button', { name: 'form#f' })
      .waitFor();
    await frame.locator('a').first().click();
    await page.getByRole('button', { name: 'a#parent' }).waitFor();
    expect(page.url()).toContain('/console/');
    expect(site.requestsTo(TOLD)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('takes messages from its frame alone', async () => {
    await using opened = await openPage(browser, bed.stack.url);
    const { page } = opened;
    const frame = await openList(page);
    await page.evaluate(
      `window.postMessage('gleaner-ready', '*');
       window.postMessage({ type: 'pick', path: [{ node: 1, name: 'x', text: '', hasChildren: false }] }, '*');`,
    );
    // A click after them is answered, so they have been read.
    await frame.getByText('Ada').click();
    await eventually(async () => {
      const names = await page
        .getByRole('navigation', { name: 'Elements around the picked one' })
        .getByRole('button')
        .allTextContents();
      expect(names.at(-1)).toBe('b.name');
    });
  });
});
