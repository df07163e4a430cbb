import { eventually } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { onConsole } from './on-console.ts';
import { findFlaws, go, openPage, signIn } from './open-browser.ts';

onConsole('signing in to the console', (on) => {
  it('signs in by key, and out', async () => {
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page } = opened;
    await page.goto(`${on.bed.stack.url}/console/`);
    await page.getByLabel('API key', { exact: true }).fill('gl_wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('The API key is not known.').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByLabel('API key', { exact: true }).fill(on.bed.stack.apiKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Playground' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  it('creates a key once, and ends its sessions when it is revoked', async () => {
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page } = opened;
    await signIn(page, on.bed);
    await go(page, on.bed, '/keys', 'API keys');
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Colleague');
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    const key = (await dialog.getByRole('figure', { name: 'API key' }).getByText(/^gl_/).textContent()) ?? '';
    await dialog.getByRole('button', { name: 'I have copied it' }).click();

    await using colleague = await openPage(on.browser, on.bed.stack.url);
    await colleague.page.goto(`${on.bed.stack.url}/console/`);
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

  it('goes everywhere by keyboard', async () => {
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page, problems } = opened;
    await signIn(page, on.bed);
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
});
