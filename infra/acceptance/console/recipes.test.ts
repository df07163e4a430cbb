import { expect, it } from '@jest/globals';
import { onConsole } from './on-console.ts';
import { findFlaws, go, openPage, signIn } from './open-browser.ts';

onConsole('recipes in the console', (on) => {
  it('are saved in the workbench, with the page as their first test', async () => {
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page, problems } = opened;
    const { demoUrl } = on.bed.stack;
    await signIn(page, on.bed);
    await go(page, on.bed, '/workbench', 'Workbench');
    await page.getByLabel('URL', { exact: true }).fill(demoUrl);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    const frame = page.frameLocator('iframe');
    await frame.getByText('Middlemarch', { exact: true }).click();
    await frame.getByText('Moby-Dick', { exact: true }).click();
    await page.getByText('12 records with 6 columns').waitFor();
    await page.getByRole('button', { name: 'Save as recipe' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Pages').inputValue()).toBe(`${demoUrl}*`);
    expect(await findFlaws(page)).toEqual([]);
    await dialog.getByLabel('Pages').fill('demo/*');
    await dialog.getByRole('button', { name: 'Save the recipe' }).click();
    await dialog
      .getByText(/a glob of whole URLs/)
      .first()
      .waitFor();
    await dialog.getByLabel('Pages').fill(`${demoUrl}*`);
    await dialog.getByLabel('Name').fill('Demo books');
    await dialog.getByRole('button', { name: 'Save the recipe' }).click();
    const row = page.getByRole('row', { name: /Demo books/ });
    await row.getByText('1, not run yet').waitFor();
    await row.getByRole('button', { name: 'Test' }).click();
    await page.getByRole('dialog').getByRole('region', { name: '/' }).getByText('green').waitFor();
    await page.keyboard.press('Escape');
    const { json } = await on.bed.ask('/v1/scrape', { url: demoUrl, recipe: 'auto' });
    expect(json.data.items).toHaveLength(12);
    const [{ id }] = (await on.bed.ask('/v1/recipes')).json.recipes;
    await on.bed.ask(`/v1/recipes/${id}`, undefined, 'DELETE');
    expect(problems).toEqual([expect.stringContaining('400')]);
  });

  it('are listed with green and red tests, which run at a click', async () => {
    const { ask, stack } = on.bed;
    const html = '<h1>Emma</h1>';
    const tests = ['Emma', 'Ivanhoe'].map((title) => ({ name: `is ${title}`, html, expect: { title } }));
    const options = { selectors: { title: 'h1' } };
    await ask('/v1/recipes', { name: 'Shelf', match: ['https://shop.example/*'], options, tests });

    await using opened = await openPage(on.browser, stack.url);
    const { page, problems } = opened;
    await signIn(page, on.bed);
    await go(page, on.bed, '/recipes', 'Recipes');
    const row = page.getByRole('row', { name: /Shelf/ });
    await row.getByText('2, not run yet').waitFor();
    await row.getByRole('button', { name: 'Test' }).click();
    const dialog = page.getByRole('dialog');
    const red = dialog.getByRole('region', { name: 'is Ivanhoe' });
    expect(await red.getByRole('listitem').textContent()).toBe('title is "Emma", not "Ivanhoe"');
    await dialog.getByRole('region', { name: 'is Emma' }).getByText('green').waitFor();
    await red.getByText('The page').click();
    await red.getByText('<h1>Emma</h1>').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await row.getByText('1 of 2').waitFor();
    await row.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete the recipe' }).click();
    await page.getByText('No recipes').waitFor();
    expect(problems).toEqual([]);
  });
});
