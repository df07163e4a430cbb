import { eventually, type Origin, routesOf, startOrigin } from '@gleaner/test-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { onConsole, type TestConsole } from './on-console.ts';
import { findFlaws, go, openPage, signIn } from './open-browser.ts';

/** Amounts that the console has to show. */
export interface Scale {
  /** Records of one result. */
  readonly records: number;
  /** Elements of a list of a page, two of which stand beside each. */
  readonly rows: number;
  /** Jobs of an account; more than fit on a page of 50. */
  readonly jobs: number;
}

/** A suite of the console with as much to show as the scale says, and more tests of the same console. */
export function onStrainedConsole(scale: Scale, more: (on: TestConsole) => void = () => {}): void {
  onConsole(`the console with ${scale.records} records, ${scale.rows} rows and ${scale.jobs} jobs`, (on) => {
    let site: Origin;

    beforeAll(async () => {
      const records = Array.from({ length: scale.records }, (_, at) => `<li><b>Record ${at}</b>`);
      const rows = '<li class=row><b>x</b>'.repeat(scale.rows);
      const pages = { '/records': `<ul>${records.join('')}`, '/rows': `<title>Rows</title><ol>${rows}</ol>` };
      site = await startOrigin({ routes: routesOf(pages) });
    });
    afterAll(() => site?.close());

    // Before the others, which make jobs, too.
    it('lists many jobs by pages', async () => {
      const names = Array.from({ length: scale.jobs }, (_, at) => `Job ${at}`);
      const work = async () => {
        for (let name = names.pop(); name; name = names.pop()) await createJob(on, name);
      };
      await Promise.all(Array.from({ length: 8 }, work));
      await using opened = await openPage(on.browser, on.bed.stack.url);
      const { page: tab, problems } = opened;
      await signIn(tab, on.bed);
      await go(tab, on.bed, '/jobs', 'Jobs');
      const rows = tab.getByRole('region', { name: 'Jobs' }).getByRole('row');
      const pages = tab.getByRole('navigation', { name: 'Pages' });
      await pages.getByText(`1–50 of ${scale.jobs}`, { exact: true }).waitFor();
      expect(await rows.count()).toBe(51);
      await pages.getByRole('button', { name: 'Older' }).click();
      await pages.getByText(`51–${Math.min(100, scale.jobs)} of ${scale.jobs}`, { exact: true }).waitFor();
      expect(tab.url()).toContain('offset=50');
      expect([...(await findFlaws(tab)), ...problems]).toEqual([]);
    });

    it('shows records of which few are in the document', async () => {
      const selectors = { records: { selector: 'li', all: true, fields: { name: 'b' } } };
      const { json } = await on.bed.ask('/v1/jobs', {
        name: 'Many',
        urls: [`${site.url}/records`],
        selectors,
      });
      await using opened = await openPage(on.browser, on.bed.stack.url);
      const { page: tab, problems } = opened;
      await signIn(tab, on.bed);
      await go(tab, on.bed, `/jobs/${json.job.id}`, 'Many');
      await tab.getByText('completed', { exact: true }).waitFor();
      await tab.getByRole('radiogroup', { name: 'Rows' }).getByText('records').click();
      const results = tab.getByRole('region', { name: 'Results' });
      await results.getByRole('cell', { name: 'Record 0', exact: true }).waitFor();
      expect(await results.getByRole('table').getAttribute('aria-rowcount')).toBe(String(scale.records + 1));
      expect(await results.getByRole('row').count()).toBeLessThan(100);
      await results.focus();
      await tab.keyboard.press('End');
      await results.getByRole('cell', { name: `Record ${scale.records - 1}`, exact: true }).waitFor();
      expect(await results.getByRole('row').count()).toBeLessThan(100);
      expect([...(await findFlaws(tab)), ...problems]).toEqual([]);
    });

    it('picks a list on a page of many elements', async () => {
      await using opened = await openPage(on.browser, on.bed.stack.url);
      const { page: tab, problems } = opened;
      await signIn(tab, on.bed);
      await go(tab, on.bed, '/workbench', 'Workbench');
      await tab.getByLabel('URL', { exact: true }).fill(`${site.url}/rows`);
      await tab.getByRole('button', { name: 'Open', exact: true }).click();
      await tab.frameLocator('iframe').locator('li').nth(0).click();
      await tab.getByRole('button', { name: new RegExp(`List of ${scale.rows}`) }).click();
      await tab.getByText(`${scale.rows.toLocaleString('en-US')} records`).waitFor();
      expect(await tab.getByRole('region', { name: 'Values' }).getByRole('row').count()).toBeLessThan(100);
      expect(problems).toEqual([]);
    });

    more(on);
  });
}

/** Creates a job of one page, again for as long as the service has no room. */
async function createJob({ bed: { stack } }: TestConsole, name: string): Promise<void> {
  const headers = {
    authorization: `Bearer ${stack.apiKey}`,
    'content-type': 'application/json',
    'idempotency-key': name.replace(' ', '-'),
  };
  const body = JSON.stringify({ name, urls: [stack.demoUrl] });
  await eventually(async () => {
    expect((await fetch(`${stack.url}/v1/jobs`, { method: 'POST', headers, body })).status).toBe(202);
  });
}
