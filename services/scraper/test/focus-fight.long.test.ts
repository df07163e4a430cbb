import { expect, it } from '@jest/globals';
import { describeWithBrowser } from './browser-tests.ts';
import { startFocusFight } from './focus-fight.ts';

/** Fields that are filled: a hundred in a minute, unless FOCUS_FIGHTS says otherwise. */
const TIMES = Number(process.env.FOCUS_FIGHTS ?? 100);

await describeWithBrowser('a page that fights for the focus', (settings) => {
  it(`gets no key of a secret in another origin, in ${TIMES} fields`, async () => {
    await using site = await startFocusFight(settings);
    expect(await site.fight(TIMES)).toEqual({ right: TIMES, wrong: 0 });
    expect(site.stolen()).toEqual([]);
  }, 1_200_000);
});
