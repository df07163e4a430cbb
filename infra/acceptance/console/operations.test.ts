import { eventually } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { onConsole } from './on-console.ts';
import { findFlaws, go, openPage, signIn } from './open-browser.ts';

onConsole('schedules, webhooks and the system in the console', (on) => {
  it('makes a schedule, runs it and pauses it', async () => {
    await on.bed.ask('/v1/jobs', { name: 'Of no schedule', urls: [on.bed.stack.demoUrl] });
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page, problems } = opened;
    await signIn(page, on.bed);
    await go(page, on.bed, '/schedules/new', 'New schedule');
    await page.getByLabel('Name', { exact: true }).fill('Mornings');
    await page.getByLabel('URLs').fill(`${on.bed.stack.demoUrl}books/emma`);
    await page.getByLabel('When').fill('0 7 * * 1-5');
    await page.getByText('At 07:00, Monday through Friday').waitFor();
    const runs = page.getByRole('region', { name: 'Next runs' }).getByRole('listitem');
    await runs.filter({ hasText: '7:00' }).nth(4).waitFor();
    await page.getByRole('button', { name: 'Create the schedule' }).click();
    await page.getByRole('heading', { level: 1, name: 'Mornings' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('paused', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Run now' }).click();
    // Only the view of a job has it: the titles of both views are the same.
    const progress = page.getByRole('region', { name: 'Progress' });
    await progress.waitFor();
    await page.getByText('completed', { exact: true }).waitFor();

    const { json } = await on.bed.ask('/v1/schedules');
    const { id } = json.schedules.find(({ name }: Named) => name === 'Mornings');
    await on.bed.ask(`/v1/schedules/${id}`, { selectors: { title: '.price' } }, 'PATCH');
    await go(page, on.bed, `/schedules/${id}`, 'Mornings');
    await page.getByRole('button', { name: 'Run now' }).click();
    await progress.waitFor();
    await page.getByText('completed', { exact: true }).waitFor();
    await go(page, on.bed, `/schedules/${id}`, 'Mornings');
    const pastRuns = page.getByRole('region', { name: 'Runs', exact: true });
    await pastRuns.getByRole('button', { name: 'Compare' }).click();
    const changes = page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'title' });
    await changes.getByText(/Emma/).first().waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    const ofSchedule = (await on.bed.ask(`/v1/jobs?scheduleId=${id}`)).json.jobs;
    await go(page, on.bed, `/jobs/${ofSchedule[0].id}`, 'Mornings');
    await progress.waitFor();
    await page.getByRole('button', { name: /^Compare/ }).click();
    await page.getByRole('dialog').getByRole('listitem').first().waitFor();
    // The changes belong to the job: another one does not show them.
    await go(page, on.bed, `/jobs/${ofSchedule[1].id}`, 'Mornings');
    await go(page, on.bed, `/schedules/${id}`, 'Mornings');
    await page.getByRole('link', { name: 'Show in the list of jobs' }).click();
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
    await page.getByText('Of the schedule').getByRole('link', { name: id }).waitFor();
    const jobs = page.getByRole('region', { name: 'Jobs' }).getByRole('row');
    await eventually(async () => expect(await jobs.count()).toBe(3));
    await page.getByLabel('Status').selectOption('failed');
    await page.getByRole('heading', { name: 'No failed jobs' }).waitFor();
    await page.getByLabel('Status').selectOption('completed');
    await eventually(async () => expect(await jobs.count()).toBe(3));
    await page.getByRole('link', { name: 'Show all jobs' }).click();
    await eventually(async () => expect(await jobs.count()).toBeGreaterThan(3));
    expect(problems).toEqual([]);
  });

  it('shows each attempt of a delivery, and sends it again', async () => {
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page, problems } = opened;
    await signIn(page, on.bed);
    await go(page, on.bed, '/webhooks', 'Webhooks');
    await page.getByLabel('URL').fill(`${on.bed.stack.demoUrl}none`);
    await page.getByRole('button', { name: 'Send a test' }).click();
    const delivery = page.getByRole('region', { name: 'Deliveries' }).getByRole('group').first();
    await delivery.getByText('webhook.test').click();
    await delivery.getByRole('cell', { name: '40', exact: false }).first().waitFor();
    await delivery.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Sent again').waitFor();
    await page.getByRole('button', { name: 'Show the secret' }).click();
    await page.getByText(/^whsec_/).waitFor();
    const states = page.getByLabel('Status');
    await states.selectOption('gone');
    await page.getByRole('heading', { name: 'No gone deliveries' }).waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await states.selectOption('failed');
    await delivery.getByText('failed', { exact: true }).waitFor();
    expect(page.url()).toContain('status=failed');
    expect(problems).toEqual([]);
  });

  it('shows the addresses of the feed of a schedule, and replaces them', async () => {
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page, problems } = opened;
    await signIn(page, on.bed);
    const body = { url: on.bed.stack.demoUrl, name: 'Fed', cron: '0 0 1 1 *' };
    const { json } = await on.bed.ask('/v1/schedules', body);
    await go(page, on.bed, `/schedules/${json.schedule.id}`, 'Fed');
    const card = page.getByRole('region', { name: 'Feed' });
    await card.getByRole('button', { name: 'Show the addresses' }).click();
    const link = card.getByRole('link', { name: 'Atom' });
    const open = async () => (await fetch((await link.getAttribute('href')) ?? '')).status;
    const before = (await link.getAttribute('href')) ?? '';
    expect(await open()).toBe(200);
    expect(await findFlaws(page)).toEqual([]);
    await card.getByRole('button', { name: 'Replace' }).click();
    await page.getByRole('button', { name: 'Replace the addresses' }).click();
    await eventually(async () => expect(await link.getAttribute('href')).not.toBe(before));
    expect([await open(), (await fetch(before)).status]).toEqual([200, 401]);
    expect(problems).toEqual([]);
  });

  it('stores, replaces and deletes a secret, and never shows its value', async () => {
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page, problems } = opened;
    await signIn(page, on.bed);
    await go(page, on.bed, '/secrets', 'Secrets');
    await page.getByRole('button', { name: 'New secret' }).first().click();
    const dialog = page.getByRole('dialog');
    const store = dialog.getByRole('button', { name: 'Store the secret' });
    await dialog.getByLabel('Name').fill('shop password');
    await dialog.getByRole('textbox', { name: 'Value' }).fill('correct horse');
    await store.click();
    await dialog
      .getByText(/a name of 1 to 64 letters/)
      .first()
      .waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await dialog.getByLabel('Name').fill('shop-password');
    await dialog.getByLabel('Origins').fill('https://shop.example https://login.shop.example');
    await store.click();
    const row = page.getByRole('row', { name: /shop-password/ });
    await row.getByText('https://shop.example, https://login.shop.example').waitFor();
    await row.getByRole('button', { name: 'Replace' }).click();
    await dialog.getByRole('textbox', { name: 'Value' }).fill('battery staple');
    await dialog.getByLabel('Origins').fill('');
    await store.click();
    await row.getByText('that of the page that is scraped').waitFor();
    expect(await page.content()).not.toMatch(/correct horse|battery staple/);
    expect(await findFlaws(page)).toEqual([]);
    await row.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete the secret' }).click();
    await page.getByRole('heading', { name: 'No secrets' }).waitFor();
    expect((await on.bed.ask('/v1/secrets')).json.secrets).toEqual([]);
    expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
  });

  it('shows the processes of the service', async () => {
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page } = opened;
    await signIn(page, on.bed);
    await go(page, on.bed, '/system', 'System');
    const services = page.getByRole('region', { name: 'Services' }).getByRole('row', { name: /running 1$/ });
    await services.nth(4).waitFor();
    const { json } = await on.bed.ask('/v1/system');
    expect(json.system.queues).toContainEqual({ name: 'dead-letters', messages: 0, consumers: 0 });
    await on.bed.ask('/v1/scrape', { url: on.bed.stack.demoUrl, render: true });
    const processes = page.getByRole('region', { name: 'Processes' }).getByRole('row');
    for (const name of ['gateway', 'job-orchestrator', 'scheduler', 'scraper', 'webhook-notifier'])
      await processes.filter({ hasText: name }).getByRole('cell', { name: json.system.version }).waitFor();
    const browsers = page.getByRole('region', { name: 'Browsers' });
    await browsers
      .getByRole('cell', { name: /^Chromium \d+\./ })
      .first()
      .waitFor();
    expect(await findFlaws(page)).toEqual([]);
  });
});

interface Named {
  readonly id: string;
  readonly name: string;
}
