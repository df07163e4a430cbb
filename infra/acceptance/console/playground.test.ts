import { expect, it } from '@jest/globals';
import { onConsole } from './on-console.ts';
import { findFlaws, openPage, signIn } from './open-browser.ts';

onConsole('the playground', (on) => {
  it('shows data two clicks after the banner', async () => {
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page, problems } = opened;
    await signIn(page, on.bed);
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
      .getByRole('button', { name: on.bed.stack.demoUrl })
      .waitFor();
    expect(problems).toEqual([]);
  });

  it('names the field that a request has wrong', async () => {
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page } = opened;
    await signIn(page, on.bed);
    await page.getByLabel('Selector of field 1').fill('h1::tex');
    await page.getByRole('button', { name: 'Scrape' }).click();
    await page.getByRole('alert').getByText('INVALID_SELECTOR').waitFor();
    expect(await page.getByLabel('Selector of field 1').getAttribute('aria-invalid')).toBe('true');
  });

  it('leaves a form alone that is in use when the example arrives', async () => {
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page } = opened;
    const arrival = Promise.withResolvers<void>();
    await page.route('**/openapi.json', async (route) => {
      await arrival.promise;
      await route.continue();
    });
    await signIn(page, on.bed);
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
});
