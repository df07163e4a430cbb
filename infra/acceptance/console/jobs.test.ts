import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { onConsole } from './on-console.ts';
import { findFlaws, go, openPage, signIn } from './open-browser.ts';

onConsole('jobs in the console', (on) => {
  it('follows a crawl to its end, and exports its results', async () => {
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page, problems } = opened;
    await signIn(page, on.bed);
    await go(page, on.bed, '/jobs/new', 'New job');
    await page.getByLabel('Name', { exact: true }).fill('The shop');
    await page.getByLabel('URLs').fill(on.bed.stack.demoUrl);
    await page.getByLabel('Crawl', { exact: true }).check();
    await page.getByLabel('Limit', { exact: true }).fill('12');
    await page.getByText('At most 12 credits.').waitFor();
    await page.getByLabel('Include', { exact: true }).fill('/books/*');
    await page.getByText('All options as JSON').click();
    expect(JSON.parse(await page.getByLabel('Crawl (JSON)').inputValue())).toEqual({
      limit: 12,
      include: ['/books/*'],
    });
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add a field' }).click();
    await page.getByLabel('Name of field 1').fill('title');
    await page.getByLabel('Selector of field 1').fill('h1');
    await page.getByRole('button', { name: 'Start the crawl' }).click();
    await page.getByRole('heading', { level: 1, name: 'The shop' }).waitFor();
    await page.getByText('completed', { exact: true }).waitFor();
    const results = page.getByRole('region', { name: 'Results' });
    await results.getByRole('cell', { name: 'Middlemarch' }).first().waitFor();
    // The start page is followed, and no result.
    await page.getByText('11 of 11').first().waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'CSV' }).click();
    const csv = await readFile(await (await download).path(), 'utf8');
    expect(csv).toContain('Middlemarch');
    expect(csv).not.toContain('All books');
    expect(csv.trim().split('\n')).toHaveLength(12);

    await on.bed.ask('/v1/jobs', { name: 'Another', urls: [on.bed.origin.url] });
    await go(page, on.bed, '/jobs', 'Jobs');
    await page.getByRole('row', { name: /Another/ }).waitFor();
    await page.getByLabel('Search jobs by name or host').fill('SHOP 127.0');
    await page.getByRole('row', { name: /Another/ }).waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /The shop.*127\.0\.0\.1.*Crawl/ }).waitFor();
    await page.getByLabel('Search jobs by name or host').fill('nothing');
    await page.getByText('No jobs found').waitFor();
    expect(problems).toEqual([]);
  });

  it('makes a plain job after all when the crawl is unchecked', async () => {
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page } = opened;
    await signIn(page, on.bed);
    await go(page, on.bed, '/jobs/new', 'New job');
    await page.getByLabel('Name', { exact: true }).fill('One page');
    await page.getByLabel('URLs').fill(on.bed.stack.demoUrl);
    await page.getByLabel('Crawl', { exact: true }).check();
    await page.getByLabel('Limit', { exact: true }).fill('12');
    await page.getByLabel('Crawl', { exact: true }).uncheck();
    await page.getByRole('button', { name: 'Create the job' }).click();
    await page.getByRole('heading', { level: 1, name: 'One page' }).waitFor();
    await page.getByText('completed', { exact: true }).waitFor();
    const { json } = await on.bed.ask('/v1/jobs');
    const { id, totalUrls } = json.jobs.find(({ name }: Named) => name === 'One page');
    expect(totalUrls).toBe(1);
    expect((await on.bed.ask(`/v1/jobs/${id}`)).json.job).not.toHaveProperty('crawl');
  });

  it('shows the ends of URLs that begin alike', async () => {
    const alike = `${on.bed.stack.demoUrl}books/emma?session=${'x'.repeat(200)}&page=`;
    const urls = [1, 2].map((number) => alike + number);
    const { json } = await on.bed.ask('/v1/jobs', { name: 'Alike', urls, selectors: { title: 'h1' } });
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page } = opened;
    await signIn(page, on.bed);
    await go(page, on.bed, `/jobs/${json.job.id}`, 'Alike');
    const results = page.getByRole('region', { name: 'Results' });
    for (const url of urls) {
      const cell = results.getByTitle(url, { exact: true }).and(page.getByRole('cell'));
      await cell.waitFor();
      const [head, tail] = await cell.locator('span > span').evaluateAll((parts) =>
        parts.map((part) => ({
          text: part.textContent,
          isCut: part.scrollWidth > part.clientWidth,
          isInside: part.getBoundingClientRect().right <= part.closest('td').getBoundingClientRect().right,
        })),
      );
      expect([head?.text, head?.isCut]).toEqual([url.slice(0, -18), true]);
      expect(tail).toEqual({ text: url.slice(-18), isCut: false, isInside: true });
    }
  });

  it('groups the errors of a job, and runs the failed pages again', async () => {
    const urls = ['books/emma', 'none', 'no'].map((path) => on.bed.stack.demoUrl + path);
    const { json } = await on.bed.ask('/v1/jobs', { name: 'Partly', urls, selectors: { title: 'h1' } });
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page } = opened;
    await signIn(page, on.bed);
    await go(page, on.bed, `/jobs/${json.job.id}`, 'Partly');
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
    await page.getByText('Rerun of', { exact: true }).waitFor();
  });

  it('counts the kinds of the pages of a job, and shows the results of one kind', async () => {
    const urls = ['/suspect/short', '/asked/0', '/asked/4'].map((path) => on.bed.origin.url + path);
    const { json } = await on.bed.ask('/v1/jobs', { name: 'Kinds', urls, selectors: { title: 'title' } });
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page, problems } = opened;
    await signIn(page, on.bed);
    await go(page, on.bed, `/jobs/${json.job.id}`, 'Kinds');
    const kinds = page.getByRole('list', { name: 'Results by the kind of their pages' });
    await kinds.getByRole('link', { name: '1 wall' }).waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await kinds.getByRole('link', { name: '1 login' }).click();
    await page.getByRole('heading', { name: 'Results of pages of the kind “login”' }).waitFor();
    const results = page.getByRole('region', { name: 'Results' });
    await results.getByRole('cell', { name: 'OK', exact: true }).waitFor({ state: 'detached' });
    await results.getByRole('cell', { name: 'login', exact: true }).waitFor();
    expect(await results.getByRole('cell', { name: 'wall', exact: true }).count()).toBe(0);
    await page.getByRole('link', { name: 'Show all results' }).click();
    await results.getByRole('cell', { name: 'OK', exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  it('shows the pages of a job one by one, and extracts other data from those that it kept', async () => {
    const urls = ['books/emma', 'books/dracula'].map((path) => on.bed.stack.demoUrl + path);
    const body = { name: 'Kept', urls, selectors: { title: 'h1' }, snapshot: true };
    const { json } = await on.bed.ask('/v1/jobs', body);
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page, problems } = opened;
    await signIn(page, on.bed);
    await go(page, on.bed, `/jobs/${json.job.id}`, 'Kept');
    await page.getByRole('button', { name: 'Row 2: show the page' }).click();
    const dialog = page.getByRole('dialog', { name: 'Page' });
    await dialog.getByRole('link', { name: urls[1] ?? '' }).waitFor();
    await dialog.getByRole('figure', { name: 'Data' }).getByText('"title": "Dracula"').waitFor();
    await dialog.getByRole('list', { name: 'Attempts' }).getByText('status 200').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Pick elements on this page' }).click();
    await page.getByRole('heading', { level: 1, name: 'Workbench' }).waitFor();
    await page.frameLocator('iframe').getByRole('heading', { name: 'Dracula' }).waitFor();

    await go(page, on.bed, `/jobs/${json.job.id}`, 'Kept');
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
    await page.getByText('Extracted from').waitFor();
    await page.getByRole('region', { name: 'Results' }).getByRole('cell', { name: '£8.99' }).waitFor();
    expect(problems).toEqual([
      'console: Failed to load resource: the server responded with a status of 400 (Bad Request)',
    ]);
  });
});

interface Named {
  readonly id: string;
  readonly name: string;
}
