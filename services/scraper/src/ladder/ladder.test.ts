import { type RungName, type ScrapeRequest, totalCredits, worstCreditsOf } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { LADDER, priceOfRung, rungsFor } from './ladder.ts';

const url = 'https://shop.example/';

function shotOf({ screenshot }: Omit<ScrapeRequest, 'url'>) {
  return screenshot ? { screenshot: 'iVBO' } : {};
}

function price(name: RungName, request: Omit<ScrapeRequest, 'url'>) {
  const rung = LADDER.find((candidate) => candidate.name === name);
  if (!rung) throw new Error(`There is no rung ${name}.`);
  return priceOfRung(rung, { url, ...request }, shotOf(request));
}

describe('rungsFor', () => {
  it.each<[Omit<ScrapeRequest, 'url'>, RungName[]]>([
    [{}, ['plain']],
    [{ render: true }, ['browser']],
    [{ render: 'auto' }, ['plain', 'browser']],
    [{ render: 'auto', screenshot: true }, ['browser']],
    [{ render: 'auto', antiBot: true }, ['plain', 'chrome', 'browser', 'disguised']],
    [{ antiBot: true }, ['plain', 'chrome', 'browser', 'disguised']],
    [{ antiBot: true, waitFor: 10 }, ['browser', 'disguised']],
    [{ antiBot: true, proxy: 'us' }, ['plain', 'chrome', 'browser', 'disguised', 'next-proxy']],
    [{ antiBot: true, screenshot: true, proxy: 'us' }, ['browser', 'disguised', 'next-proxy']],
    [{ antiBot: true, maxCredits: 15 }, ['plain', 'chrome', 'browser', 'disguised']],
    [{ antiBot: true, maxCredits: 14 }, ['plain', 'chrome']],
    [{ antiBot: true, maxCredits: 10 }, ['plain']],
    [{ antiBot: true, render: 'auto', maxCredits: 10 }, ['plain', 'browser']],
    [{ antiBot: true, screenshot: true, maxCredits: 15 }, ['browser']],
    [{ render: 'auto', maxCredits: 4 }, ['plain']],
  ])('returns for %j the rungs %j', (options, names) => {
    expect(rungsFor({ url, ...options }).map(({ name }) => name)).toEqual(names);
  });
});

describe('priceOfRung', () => {
  it('charges the rung that worked, and antiBot only for rungs that it adds', () => {
    expect(price('plain', { antiBot: true })).toEqual({ base: 1 });
    expect(price('chrome', { antiBot: true })).toEqual({ base: 1, antiBot: 10 });
    expect(price('browser', { antiBot: true })).toEqual({ base: 1, render: 4, antiBot: 10 });
    expect(price('browser', { antiBot: true, render: true })).toEqual({ base: 1, render: 4 });
    expect(price('browser', { antiBot: true, render: 'auto' })).toEqual({ base: 1, render: 4 });
    expect(price('chrome', { antiBot: true, render: 'auto' })).toEqual({ base: 1, antiBot: 10 });
    expect(price('disguised', { antiBot: true, render: true })).toEqual({ base: 1, render: 4, antiBot: 10 });
    expect(price('next-proxy', { antiBot: true, proxy: 'us', screenshot: true })).toEqual({
      base: 1,
      render: 4,
      screenshot: 1,
      proxy: 5,
      antiBot: 10,
    });
  });

  it.each<Omit<ScrapeRequest, 'url'>>([
    {},
    { render: true },
    { render: 'auto' },
    { screenshot: true },
    { proxy: 'us' },
    { proxy: 'us', screenshot: true },
    { proxy: 'us', maxCredits: 17 },
    { screenshot: true, maxCredits: 6 },
  ])('never asks for more than was held for %j with antiBot', (options) => {
    const request = { url, antiBot: true, ...options };
    const most = worstCreditsOf(request);
    for (const rung of rungsFor(request)) {
      expect(totalCredits(priceOfRung(rung, request, shotOf(request)))).toBeLessThanOrEqual(most);
    }
  });
});
