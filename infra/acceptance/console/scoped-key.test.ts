import { eventually } from '@gleaner/test-kit';
import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { onConsole } from './on-console.ts';
import { findFlaws, openPage } from './open-browser.ts';

onConsole('the console for a key that may only scrape', (on) => {
  let key: string;

  beforeAll(async () => {
    const { json } = await on.bed.ask('/v1/keys', { name: 'Scripts', scopes: ['scrape'] });
    key = json.key.key;
  });

  async function signInByKey(tab: Page) {
    await tab.goto(`${on.bed.stack.url}/console/`);
    await tab.getByLabel('API key', { exact: true }).fill(key);
    await tab.getByRole('button', { name: 'Sign in' }).click();
    await tab.getByRole('heading', { level: 1, name: 'Playground' }).waitFor();
  }

  it('offers what the key may do, by menu, command and key', async () => {
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page: tab, problems } = opened;
    await signInByKey(tab);
    await tab.getByRole('button', { name: 'Use it elsewhere' }).click();
    await tab.getByRole('menuitem', { name: 'Pick elements in the workbench' }).waitFor();
    expect(await tab.getByRole('menuitem', { name: /job|schedule/ }).count()).toBe(0);
    await tab.keyboard.press('Escape');
    await tab.getByRole('heading', { level: 1, name: 'Playground' }).click();

    await tab.keyboard.press('Control+K');
    const commands = tab.getByRole('dialog').getByRole('option');
    await commands.filter({ hasText: 'Go to Workbench' }).waitFor();
    expect(await commands.filter({ hasText: /Jobs|New/ }).count()).toBe(0);
    await tab.keyboard.press('Escape');
    await tab.getByRole('dialog').waitFor({ state: 'detached' });

    await tab.keyboard.press('?');
    const help = tab.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.getByText('Go to Workbench').waitFor();
    expect(await help.getByText('Go to Jobs').count()).toBe(0);
    await tab.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });

    await tab.keyboard.press('g');
    await tab.keyboard.press('j');
    // The second key has to follow soon.
    await eventually(async () => {
      await tab.keyboard.press('g');
      await tab.keyboard.press('w');
      await tab.getByRole('heading', { level: 1, name: 'Workbench' }).waitFor({ timeout: 10_000 });
    });
    await tab.goBack();
    await tab.getByRole('heading', { level: 1, name: 'Playground' }).waitFor();
    expect([...(await findFlaws(tab)), ...problems]).toEqual([]);
  });

  it('says which scope a view lacks that is opened by its address', async () => {
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page: tab } = opened;
    await signInByKey(tab);
    await tab.goto(`${on.bed.stack.url}/console/#/jobs`);
    await tab.getByRole('alert').getByText('lacks the scope "jobs"').waitFor();
    expect(await findFlaws(tab)).toEqual([]);
  });
});
