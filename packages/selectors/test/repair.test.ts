import type { ExtractedData, ExtractedValue, Selector, SelectorMap } from '@gleaner/contracts';
import { Budget, extract, parseDocument, planSelectors } from '@gleaner/extraction';
import {
  createContent,
  createDesign,
  createRandom,
  editContent,
  REDESIGNS,
  type Redesign,
  redesign,
  renderShop,
  selectorsFor,
  valuesOf,
} from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { repair } from '../src/index.ts';

const at = (html: string) => ({ document: parseDocument(html), baseUrl: 'https://shop.test/' });
const dataOf = (html: string, selectors: SelectorMap): ExtractedData =>
  extract(parseDocument(html), planSelectors(selectors), { baseUrl: 'https://shop.test/' }).data;
const pairOf = (good: string, bad: string) => ({ good: at(good), bad: at(bad) });

/** Returns the proposal for a field, and what it returns for the page as it is. */
function repaired(good: string, bad: string, selectors: SelectorMap, path: readonly string[]) {
  const found = repair([pairOf(good, bad)], { selectors, path });
  if (found.selector === undefined) return { note: found.note };
  const [name = ''] = path;
  return { ...found, returns: dataOf(bad, { [name]: found.selector })[name] };
}

describe('a selector of one value', () => {
  const good = '<main><h1 class="t">Kettle</h1><dl><dt>Price</dt><dd class="price">£12.50</dd></dl></main>';

  it('is found by the value on the page as it is, and matches the page as it was, too', () => {
    const bad = '<main><div><h1>Kettle</h1><p>Price</p><p><b class="cost">£12.50</b></p></div></main>';
    expect(repaired(good, bad, { price: '.price' }, ['price'])).toMatchObject({
      isVerified: true,
      before: ['£12.50'],
      now: ['£12.50'],
      returns: '£12.50',
      selector: expect.stringContaining('.price, '),
    });
  });

  it('keeps its options and its suffix', () => {
    const [before, after] = ['a', 'b'].map((name) => `<a class="${name}" href="/kettle">More about it</a>`);
    const link = { selector: '.a::attr(href)', absolute: true, default: 'none' };
    expect(repaired(before ?? '', after ?? '', { link }, ['link'])).toMatchObject({
      isVerified: true,
      selector: { absolute: true, default: 'none', selector: expect.stringMatching(/::attr\(href\)$/) },
      returns: 'https://shop.test/kettle',
    });
  });

  it('is not proposed where the value is gone, although others look like it', () => {
    const bad = '<main><h1>Kettle</h1><aside>Delivery <b class="offer">£3.99</b></aside></main>';
    expect(repaired(good, bad, { price: '.price' }, ['price'])).toEqual({
      note: expect.stringContaining('None of its values was found'),
    });
  });

  it('is not verified where another place of the page had the same value before, and only that is left', () => {
    const other = '<aside><h2>Others</h2><p>Mug</p><p class="o">£12.50</p></aside>';
    const bad = `<main><h1>Kettle</h1></main><aside><h2>Others</h2><p>Mug</p><p class="p">£12.50</p></aside>`;
    const found = repaired(good + other, bad, { price: '.price' }, ['price']);
    expect(found).not.toMatchObject({ isVerified: true });
  });

  it('has nothing to repair where it works', () => {
    expect(repaired(good, good, { price: '.price' }, ['price'])).toEqual({
      note: expect.stringContaining('finds its values'),
    });
  });

  it.each([
    [{ other: 'h1' }, ['price'], 'not among the selectors'],
    [{ price: '.never' }, ['price'], 'had a value'],
    [{ price: { json: '$.price' } }, ['price'], 'JSON'],
  ] as const)('is not proposed for %j', (selectors, path, note) => {
    expect(repaired(good, good, selectors as SelectorMap, path)).toEqual({
      note: expect.stringContaining(note),
    });
  });
});

describe('a selector of records', () => {
  const names = ['Kettle', 'Teapot', 'Lantern', 'Basket'];
  const cards = (render: (name: string, index: number) => string) =>
    `<main><div class="grid">${names.map(render).join('')}</div></main>`;
  const good = cards(
    (name, index) => `<div class="card"><h3>${name}</h3><i class="p">£${index + 1}</i></div>`,
  );
  const books: Selector = { selector: '.card', all: true, fields: { name: 'h3', price: '.p' } };

  it('is found with those of its fields', () => {
    const bad = cards(
      (name, index) =>
        `<article class="tile"><b class="n">${name}</b><div><u class="cost">£${index + 1}</u></div></article>`,
    );
    expect(repaired(good, bad, { books }, ['books'])).toMatchObject({
      isVerified: true,
      returns: names.map((name, index) => ({ name, price: `£${index + 1}` })),
    });
  });

  it('whose records are found has a field repaired in them', () => {
    const bad = cards(
      (name, index) => `<div class="card"><h3>${name}</h3><u class="cost">£${index + 1}</u></div>`,
    );
    const found = repair([pairOf(good, bad)], { selectors: { books }, path: ['books', 'price'] });
    expect(found).toMatchObject({ isVerified: true, now: ['£1', '£2', '£3'] });
  });
});

describe('pages of a shop that was redesigned', () => {
  it.each(REDESIGNS)('%s', (kind) => {
    const score = scoreOf(kind, [1, 2, 3, 4]);
    expect(score.wrong).toEqual([]);
    expect(score.right).toBeGreaterThanOrEqual(0.9 * score.fallen);
  });
});

/** Counts the fields with another value after a redesign, and the fields with the right proposed selector. */
function scoreOf(kind: Redesign, seeds: readonly number[]) {
  const score = { fallen: 0, right: 0, wrong: [] as string[], missed: [] as string[] };
  for (const seed of seeds) {
    const random = createRandom(seed * 97 + REDESIGNS.indexOf(kind));
    const design = createDesign(random);
    const content = createContent(random);
    const selectors = selectorsFor(design, kind) as SelectorMap;
    const next = redesign(design, kind, random);
    const after = editContent(content, random);
    const [good, bad] = [renderShop(content, design), renderShop(after, next)];
    const truth = valuesOf(after, next) as unknown as Record<string, ExtractedValue>;
    const old = valuesOf(content, design) as unknown as Record<string, ExtractedValue>;
    expect(dataOf(good, selectors)).toEqual(old);
    const now = dataOf(bad, selectors);
    for (const name of Object.keys(selectors)) {
      if (JSON.stringify(now[name]) === JSON.stringify(truth[name])) continue;
      const found = repair([pairOf(good, bad)], { selectors, path: [name] }, new Budget());
      const isThere =
        truth[name] !== null &&
        (name === 'products' || JSON.stringify(truth[name]) === JSON.stringify(old[name]));
      if (isThere) score.fallen += 1;
      const returned = found.selector && dataOf(bad, { [name]: found.selector })[name];
      const isRight =
        found.selector !== undefined && JSON.stringify(returned) === JSON.stringify(truth[name]);
      if (isRight && isThere) score.right += 1;
      if (isThere && !isRight) score.missed.push(`${seed} ${name} ${JSON.stringify(found).slice(0, 300)}`);
      if (!isRight && found.selector !== undefined && found.isVerified)
        score.wrong.push(
          `${seed} ${name} ${JSON.stringify(found.selector)} ${JSON.stringify(returned).slice(0, 300)} ${JSON.stringify(truth[name]).slice(0, 300)}`,
        );
    }
  }
  return score;
}
