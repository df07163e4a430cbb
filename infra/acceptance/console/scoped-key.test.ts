import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { HAS_BROWSER, type TestStack } from '../../stack/test/test-stack.ts';
import { joinStack } from '../join-stack.ts';
import { findFlaws, openBrowser, openPage } from './open-browser.ts';

/** Reported as skipped on platforms without a bundled Chromium. */
const onBrowser = HAS_BROWSER ? describe : describe.skip;

onBrowser('the console for a key that may only scrape', () => {
  let bed: TestStack;
  let browser: Browser;
  let key: string;

  beforeAll(async () => {
    bed = await joinStack();
    browser = await openBrowser(bed);
    const { json } = await bed.ask('/v1/keys', { name: 'Scripts', scopes: ['scrape'] });
    key = json.key.key;
  });
  afterAll(async () => {
    await browser?.close();
    await bed?.[Symbol.asyncDispose]();
  });

  async function signInByKey(on: Page) {
    await on.goto(`${bed.stack.url}/console/`);
    await on.getByLabel('API key', { exact: true }).fill(key);
    await on.getByRole('button', { name: 'Sign in' }).click();
    await on.getByRole('heading', { level: 1, name: 'Playground' }).waitFor();
  }

  it('offers what the key may do, by menu, command and key', async () => {
    await using opened = await openPage(browser, bed.stack.url);
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
    await tab.keyboard.press('g');
    await tab.keyboard.press('w');
    await tab.getByRole('heading', { level: 1, name: 'Workbench' }).waitFor();
    await tab.goBack();
    await tab.getByRole('heading', { level: 1, name: 'Playground' }).waitFor();
    expect([...(await findFlaws(tab)), ...problems]).toEqual([]);
  });

  it('says which scope a view lacks that is opened by its address', async () => {
    await using opened = await openPage(browser, bed.stack.url);
    const { page: tab } = opened;
    await signInByKey(tab);
    await tab.goto(`${bed.stack.url}/console/#/jobs`);
    await tab.getByRole('alert').getByText('lacks the scope "jobs"').waitFor();
    expect(await findFlaws(tab)).toEqual([]);
  });
});
