import { expect, it } from '@jest/globals';
import { describeWithBrowser } from './browser-tests.ts';
import { startFocusFight } from './focus-fight.ts';

await describeWithBrowser('a page that fights for the focus', (settings) => {
  it('gets no key of a secret in another origin, in a thousand fields', async () => {
    await using site = await startFocusFight(settings);
    expect(await site.fight(1000)).toEqual({ right: 1000, wrong: 0 });
    expect(site.stolen()).toEqual([]);
  }, 1_200_000);
});
