import { eventually, type Origin, startOrigin } from '@gleaner/test-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import type { TestStack } from '../../stack/test/test-stack.ts';
import { joinStack } from '../join-stack.ts';
import { findFlaws, onBrowser, openBrowser, openPage, signIn } from './open-browser.ts';

const PHONE = 360;
const DESKTOP = 1280;
const SELECTORS = { title: 'title', heading: 'h1', price: '.price', words: 'p:last-of-type' };

/** Address of a view, and one of its tables. */
type View = readonly [path: string, table: string];

onBrowser('tables of the console', () => {
  let bed: TestStack;
  let busy: Origin;
  let browser: Browser;
  let views: readonly View[];

  beforeAll(async () => {
    busy = await startOrigin();
    bed = await joinStack();
    browser = await openBrowser(bed);
    views = await fill();
  });
  afterAll(async () => {
    await browser?.close();
    await bed?.[Symbol.asyncDispose]();
    await busy?.close();
  });

  /** Makes what the tables show, and returns the views with one of the tables in each. */
  async function fill(): Promise<View[]> {
    const page = { urls: [`${bed.origin.url}/redesign`], selectors: SELECTORS };
    const { json } = await bed.ask('/v1/jobs', { name: 'Several columns', ...page });
    const scheduled = await bed.ask('/v1/schedules', { name: 'Mornings', cron: '0 7 * * 1-5', ...page });
    const { id } = scheduled.json.schedule;
    await bed.ask(`/v1/schedules/${id}/run`, {});
    await bed.ask('/v1/jobs', {
      name: 'At a busy host',
      urls: [`${busy.url}/rate-limited?seconds=600`],
      selectors: SELECTORS,
    });
    return [
      ['/jobs', 'Jobs'],
      [`/jobs/${json.job.id}`, 'Results'],
      ['/schedules', 'Schedules'],
      [`/schedules/${id}`, 'Runs'],
      ['/keys', 'API keys'],
      ['/usage', 'By operation'],
      ['/system', 'Paused hosts'],
    ];
  }

  async function open(on: Page, [path, table]: View) {
    await on.goto(`${bed.stack.url}/console/#${path}`);
    const region = on.getByRole('region', { name: table, exact: true });
    await region.getByRole('row').nth(1).waitFor();
    return region;
  }

  it('scroll nowhere sideways on a phone', async () => {
    await using opened = await openPage(browser, bed.stack.url, { width: PHONE });
    const { page: tab, problems } = opened;
    await signIn(tab, bed);
    for (const view of views) {
      await open(tab, view);
      expect({ view, wide: await wideIn(tab), flaws: await findFlaws(tab) }).toEqual({
        view,
        wide: [],
        flaws: [],
      });
    }
    expect(problems).toEqual([]);
  });

  it('have cards on a phone, with the roles and names of a table', async () => {
    await using opened = await openPage(browser, bed.stack.url, { width: PHONE });
    const { page: tab } = opened;
    await signIn(tab, bed);
    for (const [path, label] of [views[0], views[1]] as View[]) {
      const table = (await open(tab, [path, label])).getByRole('table');
      const heads = await table.getByRole('columnheader').allTextContents();
      const row = table.getByRole('row').nth(1);
      expect(await row.getByRole('cell').count()).toBe(heads.length);
      expect(await linesOf(row)).toBeGreaterThan(2);
    }
    const results = tab.getByRole('region', { name: 'Results' });
    await results.getByRole('cell', { name: '19.90', exact: true }).waitFor();
  });

  it('have columns where there is room', async () => {
    await using opened = await openPage(browser, bed.stack.url, { width: DESKTOP });
    const { page: tab } = opened;
    await signIn(tab, bed);
    for (const view of views) {
      const row = (await open(tab, view)).getByRole('row').nth(1);
      expect({ view, lines: await linesOf(row) }).toEqual({ view, lines: 1 });
    }
  });

  it('of jobs take one line for each, and three on a phone, with names of any length', async () => {
    const name = 'A name that is long '.repeat(10).trim();
    await bed.ask('/v1/jobs', { name, urls: [`${bed.origin.url}/redesign`], selectors: SELECTORS });
    for (const [width, mostHeight] of [
      [DESKTOP, 40],
      [PHONE, 90],
    ] as const) {
      await using opened = await openPage(browser, bed.stack.url, { width });
      const { page: tab } = opened;
      await signIn(tab, bed);
      const rows = (await open(tab, ['/jobs', 'Jobs'])).getByRole('row');
      await rows.filter({ hasText: name }).waitFor();
      const [, ...boxes] = await Promise.all((await rows.all()).map((row) => row.boundingBox()));
      const heights = boxes.map((box) => box?.height ?? Number.NaN);
      expect(Math.max(...heights)).toBeLessThanOrEqual(mostHeight);
    }
  });

  it('list a host that is paused, and the tabs of a browser that renders', async () => {
    await using opened = await openPage(browser, bed.stack.url);
    const { page: tab } = opened;
    await signIn(tab, bed);
    const hosts = await open(tab, ['/system', 'Paused hosts']);
    const paused = hosts.getByRole('row', { name: new RegExp(`127\\.0\\.0\\.1:${busy.port} in \\d+ min`) });
    await paused.waitFor();
    const rendered = { urls: [`${bed.origin.url}/stall/before-headers`], render: true, timeout: 120_000 };
    const { json } = await bed.ask('/v1/jobs', { name: 'In a browser', ...rendered });
    const browsers = tab.getByRole('region', { name: 'Browsers' });
    const inUse = async () => {
      const rows = await browsers.getByRole('row').allInnerTexts();
      return rows.filter((row) => /\s[1-9]\d*\s+\d+ MB/.test(row));
    };
    const rendering = [expect.stringMatching(/Chromium [\d.]+\s+1\s+\d+ MB/)];
    await eventually(async () => expect(await inUse()).toEqual(rendering));
    await bed.ask(`/v1/jobs/${json.job.id}`, undefined, 'DELETE');
    await eventually(async () => expect(await inUse()).toEqual([]));
  });
});

/** Returns the number of lines on which the cells of a row stand. */
async function linesOf(row: Locator): Promise<number> {
  const cells = await row.getByRole('cell').all();
  const boxes = await Promise.all(cells.map((cell) => cell.boundingBox()));
  return new Set(boxes.map((box) => box?.y)).size;
}

/** Returns the labels of what scrolls sideways. */
function wideIn(tab: Page): Promise<string[]> {
  return tab.evaluate(`[...document.querySelectorAll('main *')]
    .filter((element) => element.scrollWidth > element.clientWidth && /auto|scroll/.test(getComputedStyle(element).overflowX))
    .map((element) => element.getAttribute('aria-label') ?? element.className)`);
}
