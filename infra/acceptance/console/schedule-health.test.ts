import {
  createContent,
  createDesign,
  createRandom,
  eventually,
  renderShop,
  startSite,
} from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { onConsole } from './on-console.ts';
import { findFlaws, go, openPage, signIn } from './open-browser.ts';

onConsole('the health of a schedule in the console', (on) => {
  it('shows the fields and both pages, and accepts a suggestion with one click', async () => {
    const random = createRandom(7);
    const before = createDesign(random);
    const after = { ...before, names: createDesign(random).names };
    const content = createContent(random);
    let design = before;
    const shop = await startSite(({ response }) => {
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(renderShop(content, design));
    });
    const { json } = await on.bed.ask('/v1/schedules', {
      url: `${shop.origin}/kettle`,
      name: 'Kettle',
      cron: '0 0 1 1 *',
      selectors: { title: 'h1', price: `.${before.names.facts} .${before.names.price}` },
    });
    const path = `/v1/schedules/${json.schedule.id}`;
    const run = async () => {
      const started = await on.bed.ask(`${path}/run`, {});
      await eventually(async () => {
        const { json: found } = await on.bed.ask(`/v1/jobs/${started.json.job.id}?resultsLimit=0`);
        expect(found.job.completedAt).toEqual(expect.any(String));
      });
    };
    for (let count = 0; count < 4; count += 1) await run();
    design = after;
    for (let count = 0; count < 2; count += 1) await run();

    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page, problems } = opened;
    await signIn(page, on.bed);
    await go(page, on.bed, '/schedules', 'Schedules');
    await page.getByRole('row').filter({ hasText: 'Kettle' }).getByText('broken').waitFor();
    await go(page, on.bed, `/schedules/${json.schedule.id}`, 'Kettle');
    const health = page.getByRole('region', { name: 'Health' });
    const price = health.getByRole('row').filter({ hasText: 'price' });
    await price.getByText('100 % filled').waitFor();
    await price.getByText('Verified on both pages').waitFor();
    await health.getByRole('button', { name: 'Show /kettle before and now' }).click();
    for (const name of ['Last good page', 'First bad page']) {
      const frame = page.frameLocator(`iframe[title^="${name}"]`);
      await frame.getByRole('heading', { name: content.title }).waitFor();
    }
    expect(await findFlaws(page)).toEqual([]);
    await price.getByRole('button', { name: 'Accept the suggestion for price' }).click();
    await eventually(async () => {
      const { json: stored } = await on.bed.ask(path);
      expect(stored.schedule.selectors.price).not.toBe(`.${before.names.facts} .${before.names.price}`);
    });
    await run();
    expect((await on.bed.ask(path)).json.schedule.health).toBe('ok');
    expect(problems).toEqual([]);
    await shop.close();
  });
});
