import { eventually } from '@gleaner/test-kit';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { TestStack } from '../../stack/test/test-stack.ts';
import { onConsole } from './on-console.ts';
import { findFlaws, go, openPage, type Scheme, signIn } from './open-browser.ts';

/** Color scheme and width at which the console is looked at. */
export type Look = readonly [scheme: Scheme, width: number];

/** Address and heading of a view. */
type View = readonly [path: string, heading: string];

const VIEWS: readonly View[] = [
  ['/', 'Playground'],
  ['/workbench', 'Workbench'],
  ['/map', 'Site map'],
  ['/search', 'Search'],
  ['/jobs', 'Jobs'],
  ['/jobs/new', 'New job'],
  ['/schedules', 'Schedules'],
  ['/schedules/new', 'New schedule'],
  ['/datasets', 'Datasets'],
  ['/recipes', 'Recipes'],
  ['/profiles', 'Profiles'],
  ['/webhooks', 'Webhooks'],
  ['/channels', 'Channels'],
  ['/usage', 'Usage'],
  ['/keys', 'API keys'],
  ['/secrets', 'Secrets'],
  ['/system', 'System'],
];

/** For jobs on a machine with much else to do. */
const LOADED = { timeoutMs: 240_000 };

/** A suite that looks at every view: of an account with nothing in it, then of one with everything. */
export function onEveryView({ empty, full }: { empty: readonly Look[]; full: readonly Look[] }): void {
  onConsole('every view of the console', (on) => {
    /** Walks through views, and returns the flaws and problems of all of them. */
    async function inspect(views: readonly View[], scheme: Scheme, width: number): Promise<string[]> {
      await using opened = await openPage(on.browser, on.bed.stack.url, { scheme, width });
      const { page, problems } = opened;
      await signIn(page, on.bed);
      const flaws: string[] = [];
      for (const [path, heading] of views) {
        await go(page, on.bed, path, heading);
        await page
          .getByRole('status')
          .getByText(/^Loading/)
          .first()
          .waitFor({ state: 'detached' });
        flaws.push(...(await findFlaws(page)).map((flaw) => `${path}: ${flaw}`));
      }
      return [...flaws, ...problems];
    }

    describe('with nothing in it', () => {
      it.each(empty)('has no flaw in %s at %d pixels', async (scheme, width) => {
        expect(await inspect(VIEWS, scheme, width)).toEqual([]);
      });
    });

    describe('with everything in it', () => {
      let details: readonly View[];

      beforeAll(async () => {
        details = await fill(on.bed);
      });

      it.each(full)('has no flaw in %s at %d pixels', async (scheme, width) => {
        expect(await inspect([...VIEWS, ...details], scheme, width)).toEqual([]);
      });
    });

    describe('of the workbench with a list', () => {
      it.each(full)('has no flaw in %s at %d pixels', async (scheme, width) => {
        await using opened = await openPage(on.browser, on.bed.stack.url, { scheme, width });
        const { page, problems } = opened;
        await signIn(page, on.bed);
        await page.goto(`${on.bed.stack.url}/console/#/workbench`);
        const frame = page.frameLocator('iframe');
        await page.getByRole('button', { name: 'Open', exact: true }).click();
        await frame.getByText('Middlemarch', { exact: true }).click();
        await page.getByRole('button', { name: /List of 12/ }).waitFor();
        expect(await findFlaws(page)).toEqual([]);
        await page.getByRole('button', { name: /List of 12/ }).click();
        await page.getByText('12 records').waitFor();
        await page.getByText('Elements (for the keyboard)').click();
        await page.getByRole('treeitem').nth(3).waitFor();
        expect([...(await findFlaws(page)), ...problems]).toEqual([]);
      });
    });
  });
}

/**
 * Makes a crawl, a partly failed job, a schedule with two runs, a key, a secret and a delivery; returns the
 * views of each.
 */
async function fill({ ask, stack: { demoUrl } }: TestStack): Promise<View[]> {
  const page = { urls: [`${demoUrl}books/emma`], selectors: { title: 'h1' } };
  const crawl = await ask('/v1/jobs', { ...page, name: 'The shop', urls: [demoUrl], crawl: { limit: 12 } });
  const partial = await ask('/v1/jobs', { ...page, name: 'Partly', urls: [...page.urls, `${demoUrl}none`] });
  const kept = await ask('/v1/jobs', { ...page, dataset: { name: 'books', key: ['title'] } });
  const schedule = await ask('/v1/schedules', { ...page, name: 'Mornings', cron: '0 7 * * 1-5' });
  const { id } = schedule.json.schedule;
  await ask('/v1/keys', { name: 'Colleague', scopes: ['scrape'] });
  await ask(
    '/v1/secrets/shop-password',
    { value: 'correct horse', origins: [new URL(demoUrl).origin] },
    'PUT',
  );
  const tests = ['Emma', 'Ivanhoe'].map((title) => ({
    name: title,
    html: '<h1>Emma</h1>',
    expect: { title },
  }));
  const recipe = await ask('/v1/recipes', { name: 'Book', options: { selectors: page.selectors }, tests });
  await ask(`/v1/recipes/${recipe.json.recipe.id}/test`, undefined, 'POST');
  await ask('/v1/profiles', { name: 'Members' });
  await ask('/v1/webhooks/test', { url: `${demoUrl}none` });
  for (const runs of [1, 2]) {
    await ask(`/v1/schedules/${id}/run`, {});
    await eventually(async () => {
      const { json } = await ask(`/v1/jobs?scheduleId=${id}&status=completed`);
      expect(json.jobs).toHaveLength(runs);
    }, LOADED);
  }
  for (const { json } of [crawl, partial, kept])
    await eventually(async () => {
      expect((await ask(`/v1/jobs/${json.job.id}`)).json.job.completedAt).toEqual(expect.any(String));
    }, LOADED);
  return [
    [`/jobs/${crawl.json.job.id}`, 'The shop'],
    [`/jobs/${partial.json.job.id}`, 'Partly'],
    [`/schedules/${id}`, 'Mornings'],
    ['/datasets/books', 'books'],
  ];
}
