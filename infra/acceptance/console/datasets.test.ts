import { eventually, startSite } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { onConsole } from './on-console.ts';
import { findFlaws, go, openPage, signIn } from './open-browser.ts';

onConsole('datasets in the console', (on) => {
  it('are tables with filters, whose records have a history, and can be deleted', async () => {
    const { ask, stack } = on.bed;
    const dataset = { name: 'shelf', rows: 'books', key: ['name'], gone: 'run' };
    const books = (fields: object) => ({ books: { selector: '.book', all: true, fields } });
    const run = async (selectors: object, urls: readonly string[]) => {
      const { json } = await ask('/v1/jobs', { urls, selectors, dataset });
      await eventually(async () => {
        expect((await ask(`/v1/jobs/${json.job.id}`)).json.job.status).toBe('completed');
      });
    };
    const shelf = '<p class="book"><b>Emma</b><i>9</i></p><p class="book"><b>Ivanhoe</b><i>8</i></p>';
    const pages = new Map([['/all', shelf]]);
    await using site = await startSiteOf(pages);
    const fields = { name: 'b', price: { selector: 'i', type: 'number' } };
    await run(books(fields), [`${site.origin}/all`]);
    pages.set('/all', '<p class="book"><b>Emma</b><i>7</i></p>');
    await run(books(fields), [`${site.origin}/all`]);

    await using opened = await openPage(on.browser, stack.url);
    const { page, problems } = opened;
    await signIn(page, on.bed);
    await go(page, on.bed, '/datasets', 'Datasets');
    await page.getByRole('link', { name: 'shelf' }).click();
    const table = page.getByRole('region', { name: 'Records' });
    await table.getByRole('cell', { name: '7', exact: true }).waitFor();
    expect(await table.getByText('Ivanhoe').count()).toBe(0);
    expect(await findFlaws(page)).toEqual([]);
    await page.getByText('Gone', { exact: true }).last().click();
    await table.getByRole('cell', { name: 'Ivanhoe' }).waitFor();
    await page.getByText('All', { exact: true }).click();
    await table.getByRole('cell', { name: 'Emma' }).waitFor();
    await page.getByLabel('Since when').selectOption('1');
    await table.getByRole('row').filter({ hasText: 'Emma' }).getByRole('button').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('"price": 7').waitFor();
    await dialog.getByText('"price": 9').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete the dataset' }).click();
    await page.getByText('No datasets').waitFor();
    expect(problems).toEqual([]);
  });
});

async function startSiteOf(pages: ReadonlyMap<string, string>) {
  const site = await startSite(({ url, response }) => {
    const html = pages.get(url.pathname);
    response.writeHead(html ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<title>Shelf</title><h1>Books on the shelf</h1>${html ?? ''}`);
  });
  return { origin: site.origin, [Symbol.asyncDispose]: () => site.close() };
}
