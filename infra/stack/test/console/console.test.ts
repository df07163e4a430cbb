import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { buildConsole } from '../../console/build-console.ts';
import { HAS_BROWSER, startTestStack, type TestStack } from '../test-stack.ts';
import { findFlaws, openBrowser, openPage, type Scheme, signIn } from './open-browser.ts';

/** Reported as skipped on platforms without a bundled Chromium. */
const onBrowser = HAS_BROWSER ? describe : describe.skip;

/** Every view by its address, with its heading. */
const VIEWS = [
  ['/', 'Playground'],
  ['/workbench', 'Workbench'],
  ['/jobs', 'Jobs'],
  ['/jobs/new', 'New job'],
  ['/schedules', 'Schedules'],
  ['/schedules/new', 'New schedule'],
  ['/webhooks', 'Webhooks'],
  ['/usage', 'Usage'],
  ['/keys', 'API keys'],
  ['/system', 'System'],
] as const;

onBrowser('the console', () => {
  let bed: TestStack;
  let browser: Browser;

  beforeAll(async () => {
    bed = await startTestStack();
    const { consoleDir, logs } = bed.stack;
    expect(await buildConsole(consoleDir, join(logs, 'console.log'), () => {}).done).toBe(true);
    browser = await openBrowser(bed);
  });
  afterAll(async () => {
    await browser?.close();
    await bed?.[Symbol.asyncDispose]();
  });

  /** Opens a view and waits for its heading. */
  async function go(page: Page, path: string, heading: string) {
    await page.goto(`${bed.stack.url}/console/#${path}`);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  }

  /** Walks through views, and fails with the flaws and problems of all of them. */
  async function inspect(views: readonly (readonly [string, string])[], scheme: Scheme, width: number) {
    await using opened = await openPage(browser, bed.stack.url, { scheme, width });
    const { page, problems } = opened;
    await signIn(page, bed);
    const flaws: string[] = [];
    for (const [path, heading] of views) {
      await go(page, path, heading);
      await page
        .getByRole('status')
        .getByText(/^Loading/)
        .first()
        .waitFor({ state: 'detached' });
      flaws.push(...(await findFlaws(page)).map((flaw) => `${path} ${scheme} ${width}: ${flaw}`));
    }
    expect([...flaws, ...problems]).toEqual([]);
  }

  describe('with nothing in it', () => {
    it.each([
      ['light', 1280],
      ['dark', 360],
    ] as const)('has no flaw in %s at %d pixels', async (scheme, width) => {
      await inspect(VIEWS, scheme, width);
    });
  });

  it('shows data two clicks after the banner', async () => {
    await using opened = await openPage(browser, bed.stack.url);
    const { page, problems } = opened;
    await signIn(page, bed);
    expect(page.url()).not.toContain('code=');
    await page.getByRole('button', { name: 'Scrape' }).click();
    await page.getByRole('figure', { name: 'Data' }).getByText('"title": "All books"').waitFor();
    await page.getByRole('tab', { name: 'Table' }).click();
    await page.getByRole('region', { name: 'links' }).getByRole('row').nth(3).waitFor();
    await page.getByRole('tab', { name: 'Attempts' }).click();
    const attempt = page.getByRole('list', { name: 'Attempts' }).getByRole('listitem').first();
    await attempt.getByText('success').waitFor();
    await attempt
      .getByRole('list', { name: 'Stages' })
      .getByText(/^first byte/)
      .waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Use it elsewhere' }).click();
    await page.getByRole('menuitem', { name: 'Copy as curl' }).click();
    await page.getByText('Copied to the clipboard').waitFor();
    await page
      .getByRole('region', { name: 'History' })
      .getByRole('button', { name: bed.stack.demoUrl })
      .waitFor();
    expect(problems).toEqual([]);
  });

  it('names the field that a request has wrong', async () => {
    await using opened = await openPage(browser, bed.stack.url);
    const { page } = opened;
    await signIn(page, bed);
    await page.getByLabel('Selector of field 1').fill('h1::tex');
    await page.getByRole('button', { name: 'Scrape' }).click();
    await page.getByRole('alert').getByText('INVALID_SELECTOR').waitFor();
    expect(await page.getByLabel('Selector of field 1').getAttribute('aria-invalid')).toBe('true');
  });

  it('leaves a form alone that is in use when the example arrives', async () => {
    await using opened = await openPage(browser, bed.stack.url);
    const { page } = opened;
    const arrival = Promise.withResolvers<void>();
    await page.route('**/openapi.json', async (route) => {
      await arrival.promise;
      await route.continue();
    });
    await signIn(page, bed);
    const url = page.getByLabel('URL', { exact: true });
    await url.focus();
    const arrived = page.waitForResponse('**/openapi.json');
    arrival.resolve();
    await arrived;
    // The options are made of the same document.
    await page.getByText('Options', { exact: true }).click();
    await page.getByLabel('Snapshot').waitFor();
    expect(await url.inputValue()).toBe('');
  });

  it('signs in by key, and out', async () => {
    await using opened = await openPage(browser, bed.stack.url);
    const { page } = opened;
    await page.goto(`${bed.stack.url}/console/`);
    await page.getByLabel('API key', { exact: true }).fill('gl_wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('The API key is not known.').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByLabel('API key', { exact: true }).fill(bed.stack.apiKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Playground' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  it('goes everywhere by keyboard', async () => {
    await using opened = await openPage(browser, bed.stack.url);
    const { page, problems } = opened;
    await signIn(page, bed);
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.getByRole('heading', { level: 1, name: 'Schedules' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('usa');
    await page.getByRole('option', { name: 'Go to Usage' }).waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('follows a crawl to its end, and exports its results', async () => {
    await using opened = await openPage(browser, bed.stack.url);
    const { page, problems } = opened;
    await signIn(page, bed);
    await go(page, '/jobs/new', 'New job');
    await page.getByLabel('Name', { exact: true }).fill('The shop');
    await page.getByLabel('URLs').fill(bed.stack.demoUrl);
    await page.getByLabel('Crawl', { exact: true }).check();
    await page.getByText('Options', { exact: true }).click();
    await page.getByLabel('Crawl (JSON)').fill('{"limit": 12, "include": ["/books/*"]}');
    await page.getByRole('button', { name: 'Add a field' }).click();
    await page.getByLabel('Name of field 1').fill('title');
    await page.getByLabel('Selector of field 1').fill('h1');
    await page.getByRole('button', { name: 'Start the crawl' }).click();
    await page.getByRole('heading', { level: 1, name: 'The shop' }).waitFor();
    await page.getByText('completed', { exact: true }).waitFor();
    const results = page.getByRole('region', { name: 'Results' });
    await results.getByRole('cell', { name: 'All books' }).first().waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'CSV' }).click();
    const csv = await readFile(await (await download).path(), 'utf8');
    expect(csv).toContain('All books');
    expect(csv.trim().split('\n')).toHaveLength(13);
    expect(problems).toEqual([]);
  });

  it('makes a plain job after all when the crawl is unchecked', async () => {
    await using opened = await openPage(browser, bed.stack.url);
    const { page } = opened;
    await signIn(page, bed);
    await go(page, '/jobs/new', 'New job');
    await page.getByLabel('Name', { exact: true }).fill('One page');
    await page.getByLabel('URLs').fill(bed.stack.demoUrl);
    await page.getByLabel('Crawl', { exact: true }).check();
    await page.getByText('Options', { exact: true }).click();
    await page.getByLabel('Crawl (JSON)').fill('{"limit": 12}');
    await page.getByLabel('Crawl', { exact: true }).uncheck();
    await page.getByRole('button', { name: 'Create the job' }).click();
    await page.getByRole('heading', { level: 1, name: 'One page' }).waitFor();
    await page.getByText('completed', { exact: true }).waitFor();
    const { json } = await bed.ask('/v1/jobs');
    const { id, totalUrls } = json.jobs.find(({ name }: Named) => name === 'One page');
    expect(totalUrls).toBe(1);
    expect((await bed.ask(`/v1/jobs/${id}`)).json.job).not.toHaveProperty('crawl');
  });

  it('groups the errors of a job, and runs the failed pages again', async () => {
    const urls = ['books/emma', 'none', 'no'].map((path) => bed.stack.demoUrl + path);
    const { json } = await bed.ask('/v1/jobs', { name: 'Partly', urls, selectors: { title: 'h1' } });
    await using opened = await openPage(browser, bed.stack.url);
    const { page } = opened;
    await signIn(page, bed);
    await go(page, `/jobs/${json.job.id}`, 'Partly');
    await page.getByText('partial', { exact: true }).waitFor();
    const group = page.getByRole('region', { name: 'Errors' }).getByRole('group');
    await group.getByText('NOT_FOUND').click();
    expect(await group.count()).toBe(1);
    await group.getByRole('button', { name: urls[1] ?? '' }).click();
    const failed = page.getByRole('dialog', { name: 'Page' });
    await failed.getByRole('list', { name: 'Attempts' }).getByText('status 404').waitFor();
    await failed.getByRole('figure', { name: 'The same request with curl' }).waitFor();
    await failed.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.getByRole('menuitem', { name: 'The 2 that failed' }).click();
    await page.getByText('Runs again').waitFor();
  });

  it('shows the pages of a job one by one, and extracts other data from those that it kept', async () => {
    const urls = ['books/emma', 'books/dracula'].map((path) => bed.stack.demoUrl + path);
    const body = { name: 'Kept', urls, selectors: { title: 'h1' }, snapshot: true };
    const { json } = await bed.ask('/v1/jobs', body);
    await using opened = await openPage(browser, bed.stack.url);
    const { page, problems } = opened;
    await signIn(page, bed);
    await go(page, `/jobs/${json.job.id}`, 'Kept');
    await page.getByRole('button', { name: 'Row 2: show the page' }).click();
    const dialog = page.getByRole('dialog', { name: 'Page' });
    await dialog.getByRole('link', { name: urls[1] ?? '' }).waitFor();
    await dialog.getByRole('figure', { name: 'Data' }).getByText('"title": "Dracula"').waitFor();
    await dialog.getByRole('list', { name: 'Attempts' }).getByText('status 200').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Pick elements on this page' }).click();
    await page.getByRole('heading', { level: 1, name: 'Workbench' }).waitFor();
    await page.frameLocator('iframe').getByRole('heading', { name: 'Dracula' }).waitFor();

    await go(page, `/jobs/${json.job.id}`, 'Kept');
    await page.getByRole('button', { name: 'Run again' }).click();
    expect(await page.getByRole('menuitem', { name: /that failed/ }).count()).toBe(0);
    await page.getByRole('menuitem', { name: 'Extract other data' }).click();
    const extract = page.getByRole('dialog', { name: 'Extract other data' });
    await extract.getByLabel('Selector of field 1').fill('.price::tex');
    await extract.getByRole('button', { name: 'Extract' }).click();
    await extract.getByRole('alert').getByText('INVALID_SELECTOR').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await extract.getByLabel('Name of field 1').fill('price');
    await extract.getByLabel('Selector of field 1').fill('.price');
    await extract.getByRole('button', { name: 'Extract' }).click();
    await page.getByText('Extracts from').waitFor();
    await page.getByRole('region', { name: 'Results' }).getByRole('cell', { name: '£8.99' }).waitFor();
    expect(problems).toEqual([
      'console: Failed to load resource: the server responded with a status of 400 (Bad Request)',
    ]);
  });

  it('makes a schedule, runs it and pauses it', async () => {
    await using opened = await openPage(browser, bed.stack.url);
    const { page, problems } = opened;
    await signIn(page, bed);
    await go(page, '/schedules/new', 'New schedule');
    await page.getByLabel('Name', { exact: true }).fill('Mornings');
    await page.getByLabel('URLs').fill(`${bed.stack.demoUrl}books/emma`);
    await page.getByLabel('When').fill('0 7 * * 1-5');
    await page.getByText('At 07:00, Monday through Friday').waitFor();
    const runs = page.getByRole('region', { name: 'Next runs' }).getByRole('listitem');
    await runs.filter({ hasText: '07:00' }).nth(4).waitFor();
    await page.getByRole('button', { name: 'Create the schedule' }).click();
    await page.getByRole('heading', { level: 1, name: 'Mornings' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('paused', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByText('completed', { exact: true }).waitFor();

    const { json } = await bed.ask('/v1/schedules');
    const { id } = json.schedules.find(({ name }: Named) => name === 'Mornings');
    await bed.ask(`/v1/schedules/${id}`, { selectors: { title: '.price' } }, 'PATCH');
    await go(page, `/schedules/${id}`, 'Mornings');
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByText('completed', { exact: true }).waitFor();
    await go(page, `/schedules/${id}`, 'Mornings');
    await page.getByRole('button', { name: 'Compare' }).click();
    const changes = page.getByRole('dialog').getByRole('row', { name: /^title/ });
    await changes.getByRole('cell', { name: /Emma/ }).first().waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: 'Show in the list of jobs' }).click();
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
    await page.getByText('Of the schedule').getByRole('link', { name: id }).waitFor();
    const jobs = page.getByRole('region', { name: 'Jobs' }).getByRole('row');
    await eventually(async () => expect(await jobs.count()).toBe(3));
    await page.getByLabel('Status').selectOption('failed');
    await page.getByRole('heading', { name: 'No failed jobs' }).waitFor();
    await page.getByLabel('Status').selectOption('completed');
    await eventually(async () => expect(await jobs.count()).toBe(3));
    await page.getByRole('link', { name: 'Show all jobs' }).click();
    await eventually(async () => expect(await jobs.count()).toBeGreaterThan(3));
    expect(problems).toEqual([]);
  });

  it('creates a key once, and ends its sessions when it is revoked', async () => {
    await using opened = await openPage(browser, bed.stack.url);
    const { page } = opened;
    await signIn(page, bed);
    await go(page, '/keys', 'API keys');
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Colleague');
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    const key = (await dialog.getByRole('figure', { name: 'API key' }).getByText(/^gl_/).textContent()) ?? '';
    await dialog.getByRole('button', { name: 'I have copied it' }).click();

    await using colleague = await openPage(browser, bed.stack.url);
    await colleague.page.goto(`${bed.stack.url}/console/`);
    await colleague.page.getByLabel('API key', { exact: true }).fill(key);
    const colleagues = page.getByRole('row', { name: /Colleague/ });
    await colleagues.getByRole('cell', { name: 'never', exact: true }).first().waitFor();
    await colleague.page.getByRole('button', { name: 'Sign in' }).click();
    const views = colleague.page.getByRole('navigation', { name: 'Views' }).getByRole('link');
    await views.first().waitFor();
    expect(await views.allTextContents()).toEqual(['Playground', 'Workbench', 'Jobs']);

    await eventually(async () => {
      await page.reload();
      const lastUsed = colleagues.getByRole('cell').nth(4).locator('time');
      await lastUsed.waitFor({ timeout: 2_000 });
    });
    await colleagues.getByRole('button', { name: 'Revoke' }).click();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await colleagues.getByText('revoked').waitFor();
    await eventually(async () => {
      await colleague.page
        .getByRole('link', { name: 'Jobs' })
        .click({ timeout: 1_000 })
        .catch(() => {});
      expect(await colleague.page.getByRole('button', { name: 'Sign in' }).count()).toBe(1);
    });
  });

  it('shows each attempt of a delivery, and sends it again', async () => {
    await using opened = await openPage(browser, bed.stack.url);
    const { page, problems } = opened;
    await signIn(page, bed);
    await go(page, '/webhooks', 'Webhooks');
    await page.getByLabel('URL').fill(`${bed.stack.demoUrl}none`);
    await page.getByRole('button', { name: 'Send a test' }).click();
    const delivery = page.getByRole('region', { name: 'Deliveries' }).getByRole('group').first();
    await delivery.getByText('webhook.test').click();
    await delivery.getByRole('cell', { name: '40', exact: false }).first().waitFor();
    await delivery.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Sent again').waitFor();
    await page.getByRole('button', { name: 'Show the secret' }).click();
    await page.getByText(/^whsec_/).waitFor();
    const states = page.getByLabel('Status');
    await states.selectOption('gone');
    await page.getByRole('heading', { name: 'No gone deliveries' }).waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await states.selectOption('failed');
    await delivery.getByText('failed', { exact: true }).waitFor();
    expect(page.url()).toContain('status=failed');
    expect(problems).toEqual([]);
  });

  it('shows the processes of the service', async () => {
    await using opened = await openPage(browser, bed.stack.url);
    const { page } = opened;
    await signIn(page, bed);
    await go(page, '/system', 'System');
    const services = page.getByRole('region', { name: 'Services' }).getByRole('row', { name: /running 1$/ });
    await services.nth(4).waitFor();
    const { json } = await bed.ask('/v1/system');
    expect(json.system.queues).toContainEqual({ name: 'dead-letters', messages: 0, consumers: 0 });
    await bed.ask('/v1/scrape', { url: bed.stack.demoUrl, render: true });
    const processes = page.getByRole('region', { name: 'Processes' }).getByRole('row');
    for (const name of ['gateway', 'job-orchestrator', 'scheduler', 'scraper', 'webhook-notifier'])
      await processes.filter({ hasText: name }).getByRole('cell', { name: json.system.version }).waitFor();
    const browsers = page.getByRole('region', { name: 'Browsers' });
    await browsers
      .getByRole('cell', { name: /^Chromium \d+\./ })
      .first()
      .waitFor();
    expect(await findFlaws(page)).toEqual([]);
  });

  describe('with everything in it', () => {
    it.each([
      ['dark', 1280],
      ['light', 360],
    ] as const)('has no flaw in %s at %d pixels', async (scheme, width) => {
      const [jobs, schedules] = await Promise.all([bed.ask('/v1/jobs'), bed.ask('/v1/schedules')]);
      const details = [
        ...jobs.json.jobs.map(({ id, name }: Named) => [`/jobs/${id}`, name] as const),
        ...schedules.json.schedules.map(({ id, name }: Named) => [`/schedules/${id}`, name] as const),
      ];
      expect(details.length).toBeGreaterThan(3);
      await inspect([...VIEWS, ...details], scheme, width);
    });
  });
});

interface Named {
  readonly id: string;
  readonly name: string;
}
