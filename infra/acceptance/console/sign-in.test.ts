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
    expect(await views.allTextContents()).toEqual([
      'Playground',
      'Workbench',
      'Site map',
      'Search',
      'Jobs',
      'Datasets',
      'Recipes',
    ]);

    await eventually(async () => {
      await page.reload();
      const lastUsed = colleagues.getByRole('cell').nth(4);
      await lastUsed.waitFor();
      expect(await lastUsed.locator('time').count()).toBe(1);
    });
    await colleagues.getByRole('button', { name: 'Revoke' }).click();
    // The name of the dialog comes after the dialog.
    await page.getByRole('dialog', { name: 'Revoke' }).waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await colleagues.getByText('revoked').waitFor();
    await eventually(async () => {
      await colleague.page
        .getByRole('link', { name: 'Jobs' })
        .click({ timeout: 10_000 })
        .catch(() => {});
      expect(await colleague.page.getByRole('button', { name: 'Sign in' }).count()).toBe(1);
    });
  });

  it('asks before the link of another key replaces a session, and names both', async () => {
    const { ask, stack } = on.bed;
    const { json: made } = await ask('/v1/keys', { name: 'Stranger', scopes: ['scrape', 'usage'] });
    const linkOfStranger = async () => {
      const headers = { authorization: `Bearer ${made.key.key}` };
      const answer = await fetch(`${stack.url}/v1/session/codes`, { method: 'POST', headers });
      const { code } = (await answer.json()) as { code: string };
      return `${stack.url}/console/#code=${code}`;
    };
    await using opened = await openPage(on.browser, stack.url);
    const { page, problems } = opened;
    await signIn(page, on.bed);
    const nameOfKey = await page.getByRole('button', { name: 'Sign out' }).locator('..').innerText();

    // In the tab of the console itself, where the fragment alone changes.
    await page.goto(await linkOfStranger());
    await page.getByRole('heading', { name: 'Switch to another key?' }).waitFor();
    const question = await page.getByRole('main').innerText();
    expect(question).toContain('Stranger');
    expect(question).toContain(made.key.id);
    expect(question).toContain(nameOfKey.trim());
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Stay signed in' }).click();
    await page.getByRole('link', { name: 'API keys' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'API keys' }).waitFor();

    // In another tab, which shares the session of the first one.
    const other = await page.context().newPage();
    await other.goto(await linkOfStranger());
    await other.getByRole('heading', { name: 'Switch to another key?' }).waitFor();
    await page.getByRole('link', { name: 'API keys' }).waitFor();
    await other.getByRole('button', { name: 'Switch', exact: true }).click();
    await other.getByText('Stranger').waitFor();
    await page.getByText('Stranger').waitFor();
    expect(problems).toEqual([]);
  });

  it('shares a session with further tabs, and shows it to no other port of the host', async () => {
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page } = opened;
    await signIn(page, on.bed);
    const second = await page.context().newPage();
    await second.goto(`${on.bed.stack.url}/console/#/usage`);
    await second.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();

    const stranger = await page.context().newPage();
    await stranger.goto(`${on.bed.origin.url}/product/1`);
    expect(await stranger.evaluate('[document.cookie, sessionStorage.length, localStorage.length]')).toEqual([
      ...['', 0, 0],
    ]);
    const seen = on.bed.origin.requestsTo('/product/1').map(({ headers }) => headers);
    expect(seen.length).toBeGreaterThan(0);
    expect(JSON.stringify(seen)).not.toMatch(/gls_|"cookie"|"authorization"/);
    expect(await page.context().cookies()).toEqual([]);

    await second.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  it('goes everywhere by keyboard', async () => {
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page, problems } = opened;
    await signIn(page, on.bed);
    // The second key has to follow soon.
    await eventually(async () => {
      await page.keyboard.press('g');
      await page.keyboard.press('s');
      await page.getByRole('heading', { level: 1, name: 'Schedules' }).waitFor({ timeout: 10_000 });
    });
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
