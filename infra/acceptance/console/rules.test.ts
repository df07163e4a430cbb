import { eventually } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { onConsole } from './on-console.ts';
import { findFlaws, go, openPage, signIn } from './open-browser.ts';

onConsole('the rules of a schedule in the console', (on) => {
  it('are made, changed and removed by a form that reads as a sentence', async () => {
    const { ask, stack } = on.bed;
    const channel = await ask('/v1/channels', {
      type: 'webhook',
      name: 'Buyers',
      url: 'https://hooks.example/x',
    });
    expect(channel.status).toBe(201);
    const { json } = await ask('/v1/schedules', {
      url: 'https://shop.example/kettle',
      name: 'Kettle',
      cron: '0 0 1 1 *',
      selectors: { title: 'h1', price: { selector: '.price', type: 'price' } },
    });
    const path = `/v1/schedules/${json.schedule.id}`;
    const rulesOf = async () => (await ask(path)).json.schedule.notify ?? [];

    await using opened = await openPage(on.browser, stack.url);
    const { page, problems } = opened;
    await signIn(page, on.bed);
    await go(page, on.bed, `/schedules/${json.schedule.id}`, 'Kettle');
    const rules = page.getByRole('region', { name: 'Rules' }).first();
    await rules.getByRole('button', { name: 'Add a rule' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Cheap kettle');
    await dialog.getByLabel('Buyers').check();
    await dialog.getByLabel('Field').fill('prise.amount');
    await dialog.getByLabel('Value').fill('20');
    await dialog.getByText('Tells when prise.amount falls below 20.').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Add the rule' }).click();
    await dialog.getByText('price.amount', { exact: false }).first().waitFor();
    await dialog.getByLabel('Field').fill('price.amount');
    await dialog.getByRole('button', { name: 'Add the rule' }).click();
    await rules.getByText('Tell when price.amount falls below 20.').waitFor();
    const rule = {
      name: 'Cheap kettle',
      when: { field: 'price.amount', below: 20 },
      to: [channel.json.channel.id],
    };
    expect(await rulesOf()).toEqual([rule]);

    await rules.getByRole('button', { name: 'Change' }).click();
    await dialog.getByRole('button', { name: 'Add a condition' }).click();
    const second = dialog.getByRole('group', { name: 'Condition 2' });
    await second.getByLabel('Field').fill('title');
    await second.getByLabel('What it does').selectOption('changed');
    await dialog.getByLabel('Number of conditions that must hold').selectOption('any');
    await dialog.getByLabel('How often').selectOption('every');
    await dialog.getByRole('button', { name: 'Save the rule' }).click();
    await rules.getByText('Tell when price.amount falls below 20 or title changes.').waitFor();
    expect(await rulesOf()).toEqual([
      { ...rule, when: { any: [rule.when, { changed: ['title'] }] }, every: true },
    ]);
    expect(await findFlaws(page)).toEqual([]);

    await rules.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove the rule' }).click();
    await eventually(async () => expect(await rulesOf()).toEqual([]));
    // The wrong name of a field.
    expect(problems).toEqual([expect.stringContaining('400')]);
  });
});
