import { type RungName, type ScrapeRequest, totalCredits, worstPriceOf } from '@gleaner/contracts';
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
      ...{ base: 1, render: 4, screenshot: 1, proxy: 5, antiBot: 10 },
    });
  });

  it.each<Omit<ScrapeRequest, 'url'>>([
    {},
    { render: true },
    { render: 'auto' },
    { screenshot: true },
    { proxy: 'us' },
    { proxy: 'us', screenshot: true },
  ])('never asks for more than was held for %j with antiBot', (options) => {
    const request = { url, antiBot: true, ...options };
    const most = totalCredits(worstPriceOf(request));
    for (const rung of rungsFor(request)) {
      expect(totalCredits(priceOfRung(rung, request, shotOf(request)))).toBeLessThanOrEqual(most);
    }
  });
});
