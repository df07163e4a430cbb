import { expect, it } from '@jest/globals';
import { onConsole } from './on-console.ts';
import { findFlaws, go, openPage, signIn } from './open-browser.ts';

onConsole('a search in the console', (on) => {
  it('lists results, of which the chosen ones become a job', async () => {
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page, problems } = opened;
    await signIn(page, on.bed);
    await go(page, on.bed, '/search', 'Search');
    await page.getByLabel('Words').fill('the');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    const moonstone = page.getByLabel('The Moonstone');
    await moonstone.waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await moonstone.check();
    await page.getByRole('button', { name: 'Scrape 1 as a job' }).click();
    await page.getByRole('heading', { name: 'New job' }).waitFor();
    expect(await page.getByLabel('URLs').inputValue()).toBe(`${on.bed.stack.demoUrl}books/the-moonstone`);
    expect(problems).toEqual([]);
  });
});
