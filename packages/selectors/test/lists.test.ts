import { parseDocument } from '@gleaner/extraction';
import { describe, expect, it } from '@jest/globals';
import { suggest } from '../src/index.ts';
import { openTwice } from './open-in-jsdom.ts';
import { shopPage } from './shop.ts';

const page = openTwice(shopPage({ count: 20 }));
const cards = page.query('.card');

/** Returns the elements that the best proposal for the list matches. */
function listOf(picks: readonly number[], not: readonly number[] = [], from = page): number[] {
  const [best] = suggest(from.document, { kind: 'list', picks, not });
  return from.query(best?.selector ?? 'nothing');
}

const at = (css: string, ...places: readonly number[]) =>
  places.map((place) => page.query(css)[place] as number);

describe('suggest for a list', () => {
  it.each([
    ['the cards', '.card'],
    ['their titles', '.card h3 a'],
    ['their prices', '.price_color'],
    ['their covers', '.cover img'],
    ['values that some lack', '.stock'],
  ])('finds the cards from two of %s, without the banners between them', (_what, css) => {
    for (const [left, right] of [
      [0, 1],
      [2, 7],
      [5, 11],
    ] as const) {
      const found = listOf(at(css, left, right));
      const expected = css === '.stock' ? page.query('.card:has(.stock), .stock') : cards;
      for (const order of found) expect(expected).toContain(order);
      expect(found).toHaveLength(css === '.stock' ? page.query('.stock').length : cards.length);
    }
  });

  it('finds the items of one list, and not those of others', () => {
    expect(listOf(at('.categories a', 0, 2))).toEqual(page.query('.categories li'));
    expect(listOf(at('.menu li', 0, 1))).toEqual(page.query('.menu li'));
  });

  it('finds the rows of a table from two cells of a column, without its head', () => {
    const [best] = suggest(page.document, { kind: 'list', picks: at('.facts td:nth-of-type(2)', 0, 2) });
    expect(page.query(best?.selector ?? '')).toEqual(page.query('.facts tbody tr'));
    expect(best?.columns).toMatchObject([
      { name: 'name', selector: expect.any(String), values: ['Paper', 'Ink', 'Glue'], isPicked: false },
      { name: 'unitPrice', values: ['£1', '£2', '£3'], isPicked: true },
    ]);
  });

  it('finds the cards of all rows from two of the first', () => {
    const rows = openTwice(shopPage({ count: 24, perRow: 6 }));
    expect(listOf(rows.query('.card').slice(0, 2), [], rows)).toEqual(rows.query('.card'));
  });

  it('finds the cards from one that is picked, and says how many there are', () => {
    const [best, second] = suggest(page.document, { kind: 'one', picks: at('.price_color', 3) });
    expect(best).toMatchObject({ kind: 'list', matches: cards.length });
    expect(best?.reasons[0]).toBe(`${cards.length} elements of like shape.`);
    expect(page.query(best?.selector ?? '')).toEqual(cards);
    expect(second?.kind).toBe('one');
  });

  it('proposes no list for an element that stands alone', () => {
    const alone = suggest(page.document, { kind: 'one', picks: at('h1', 0) });
    expect(alone.every(({ kind }) => kind === 'one')).toBe(true);
    expect(suggest(page.document, { kind: 'list', picks: at('h1', 0) })).toEqual([]);
  });

  it('leaves out what must not be selected', () => {
    const html = `<ul>${['a', 'a', 'a promo', 'a', 'a promo'].map((names) => `<li class="${names}"><b>x</b></li>`).join('')}</ul>`;
    const items = openTwice(html);
    const all = items.query('li');
    const promo = items.query('.promo');
    expect(listOf(all.slice(0, 2), [], items)).toEqual(all);
    expect(listOf(all.slice(0, 2), promo.slice(0, 1), items)).toEqual(
      all.filter((order) => !promo.includes(order)),
    );
  });

  it('proposes columns with names, fill rates and numbers of different values', () => {
    const [best] = suggest(page.document, { kind: 'list', picks: at('.card h3 a', 0, 3) });
    const columns = new Map(best?.columns?.map((column) => [column.name, column]));
    expect(columns.get('title')).toMatchObject({
      take: 'text',
      filled: 1,
      distinct: cards.length,
      isPicked: true,
    });
    expect(columns.get('titleUrl')).toMatchObject({
      take: 'attr(href)',
      values: ['/book/0', '/book/1', '/book/2'],
    });
    expect(columns.get('priceColor')).toMatchObject({ selector: '.price_color', take: 'text', filled: 1 });
    expect(columns.get('date')).toMatchObject({ take: 'attr(datetime)' });
    expect(columns.get('stock')).toMatchObject({ filled: page.query('.stock').length / cards.length });
    expect(best?.columns?.at(-1)).toMatchObject({ name: 'buy', distinct: 1 });
  });

  it('keeps to selectors that also find lists on other pages', () => {
    const alsoOn = [12, 30].map((count) => parseDocument(shopPage({ count })));
    const [best] = suggest(page.document, { kind: 'list', picks: cards.slice(0, 2), alsoOn });
    expect(best).toMatchObject({ stableOn: '2 of 2' });
  });
});

describe('suggest for a field', () => {
  it.each([
    ['.price_color', '.price_color'],
    ['h3 a', 'h3 a'],
    ['time', 'time'],
    ['.cover img', 'img'],
  ])('takes %s from every record', (css, selector) => {
    const [pick] = at(`.card ${css}`, 2);
    const [best] = suggest(page.document, { kind: 'field', picks: [pick as number], within: cards });
    expect(best).toMatchObject({ kind: 'field', selector, matches: cards.length });
  });

  it('takes a single record for all that look like it', () => {
    const [best] = suggest(page.document, {
      kind: 'field',
      picks: at('.price_color', 1),
      within: cards[1] as number,
    });
    expect(best).toMatchObject({ selector: '.price_color', matches: cards.length });
  });

  it('says how many records have one', () => {
    const [best] = suggest(page.document, { kind: 'field', picks: at('.stock', 0), within: cards });
    expect(best?.reasons[0]).toBe(`${page.query('.stock').length} of ${cards.length} records have one.`);
  });

  it('takes the record itself, and distinguishes values by their place where names are missing', () => {
    const rows = page.query('.facts tbody tr');
    const [own] = suggest(page.document, { kind: 'field', picks: rows.slice(0, 1), within: rows });
    expect(own?.selector).toBe(':scope');
    const [second] = suggest(page.document, { kind: 'field', picks: at('.facts td', 1), within: rows });
    expect(second?.values).toEqual(['£1', '£2', '£3']);
  });

  it('rejects picks outside of the records', () => {
    expect(() => suggest(page.document, { kind: 'field', picks: at('h1', 0), within: cards })).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST' }),
    );
    expect(() => suggest(page.document, { kind: 'field', picks: at('h1', 0) })).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST' }),
    );
  });
});
