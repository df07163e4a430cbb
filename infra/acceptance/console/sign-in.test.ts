import { eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { HAS_BROWSER, type TestStack } from '../../stack/test/test-stack.ts';
import { joinStack } from '../join-stack.ts';
import { findFlaws, go, openBrowser, openPage, signIn } from './open-browser.ts';

/** Reported as skipped on platforms without a bundled Chromium. */
const onBrowser = HAS_BROWSER ? describe : describe.skip;

onBrowser('signing in to the console', () => {
  let bed: TestStack;
  let browser: Browser;

  beforeAll(async () => {
    bed = await joinStack();
    browser = await openBrowser(bed);
  });
  afterAll(async () => {
    await browser?.close();
    await bed?.[Symbol.asyncDispose]();
  });

  it('signs in by key, and out', async () => {
    await using opened = await openPage(browser, bed.stack.url);
    const { page } = opened;
    await page.goto(`${bed.stack.url}/console/`);
    await page.getByLabel('API key', { exact: true }).fill('gl_wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('The API key is not known.').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByLabel('API key', { exact: true }).fill(bed.stack.apiKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Playground' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  it('creates a key once, and ends its sessions when it is revoked', async () => {
    await using opened = await openPage(browser, bed.stack.url);
    const { page } = opened;
    await signIn(page, bed);
    await go(page, bed, '/keys', 'API keys');
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Colleague');
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    const key = (await dialog.getByRole('figure', { name: 'API key' }).getByText(/^gl_/).textContent()) ?? '';
    await dialog.getByRole('button', { name: 'I have copied it' }).click();

    await using colleague = await openPage(browser, bed.stack.url);
    await colleague.page.goto(`${bed.stack.url}/console/`);
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
    await using opened = await openPage(browser, bed.stack.url);
    const { page, problems } = opened;
    await signIn(page, bed);
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
