import { expect, it } from '@jest/globals';
import { onConsole } from './on-console.ts';
import { findFlaws, go, openPage, signIn } from './open-browser.ts';

onConsole('recipes in the console', (on) => {
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
    expect(await findFlaws(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await row.getByText('1 of 2').waitFor();
    await row.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete the recipe' }).click();
    await page.getByText('No recipes').waitFor();
    expect(problems).toEqual([]);
  });
});
