import { startMembersSite } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { onConsole } from './on-console.ts';
import { findFlaws, go, openPage, signIn } from './open-browser.ts';

onConsole('profiles in the console', (on) => {
  it('are made by steps, shown with their state, given a session, signed in again and deleted', async () => {
    await using site = await startMembersSite();
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page, problems } = opened;
    await signIn(page, on.bed);
    await go(page, on.bed, '/profiles', 'Profiles');
    await page.getByRole('button', { name: 'New profile' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Members');
    await dialog.getByLabel('Page with the form').fill(`${site.origin}/members/login`);
    await dialog.getByLabel('Sign of a page that is signed in').fill('.account');
    for (const [number, verb, target, value] of [
      [1, 'fill', '[type=password]', site.rules.password],
      [2, 'click', 'button', undefined],
    ] as const) {
      await dialog.getByRole('button', { name: 'Add a step' }).click();
      await dialog.getByLabel(`Verb of step ${number}`).selectOption(verb);
      await dialog.getByLabel(`Target of step ${number}`).fill(target);
      if (value !== undefined) await dialog.getByLabel(`Value of step ${number}`).fill(value);
    }
    expect(await findFlaws(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create the profile' }).click();
    const row = page
      .getByRole('region', { name: 'Profiles' })
      .getByRole('row')
      .filter({ hasText: 'Members' });
    await row.getByText('ready', { exact: true }).waitFor();
    await row.getByRole('cell', { name: '1', exact: true }).waitFor();

    await row.getByRole('button', { name: 'Sign in again' }).click();
    await row.getByRole('cell', { name: '2', exact: true }).waitFor();
    await row.getByRole('button', { name: 'Upload a session' }).click();
    await dialog.getByLabel('Session', { exact: true }).fill('{"cookies":');
    await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
    await dialog.getByRole('alert').getByText('The session is not JSON').waitFor();
    await dialog.getByLabel('Session', { exact: true }).fill('{"cookies": [], "origins": []}');
    await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
    await row.getByRole('cell', { name: '3', exact: true }).waitFor();
    expect(site.counts.logins).toBe(2);
    expect(await findFlaws(page)).toEqual([]);

    await row.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete the profile' }).click();
    await page.getByText('No profiles').waitFor();
    expect(problems).toEqual([]);
  });
});
