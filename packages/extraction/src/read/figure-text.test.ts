import type { Selector } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { parseDocument } from '../dom/parse-document.ts';
import { extract } from '../extract.ts';
import { compileSelectors } from '../plan/compile-selectors.ts';

function read(html: string, spec: Omit<Extract<Selector, object>, 'selector'>) {
  const plan = compileSelectors({ v: { selector: 'p', ...spec } as Selector });
  const document = parseDocument(`<p>${html}</p>`, { projection: plan.projection });
  const { data, warnings } = extract(document, plan, { baseUrl: 'https://shop.example/' });
  return { value: data.v, codes: warnings.map(({ code }) => code) };
}

const price = (html: string, locale = 'en-US') => read(html, { type: 'price', locale });
const number = (html: string) => read(html, { type: 'number', locale: 'en' });

describe('raised figures', () => {
  it.each([
    ['100<sup>2</sup>=10000 nodes', 100],
    ['52<sup>1</sup>', 52],
    ['8,804,190<sup><a href="#n2">2</a></sup>', 8_804_190],
    ['10<sup>6</sup>', 10],
    ['10<sup>−6</sup>', 10],
    ['7<span style="vertical-align: super; font-size: 60%">3</span>', 7],
    ['7<span class="footnote-ref">3</span>', 7],
    ['12<sup>1,2</sup>', 12],
    ['5<sup>1)</sup>', 5],
    ['3<sub>2</sub>', 3],
    ['<math><msup><mn>9</mn><mn>2</mn></msup></math>', 9],
    [
      '<math><msup><mn>9</mn><mn>2</mn></msup><annotation encoding="application/x-tex">9^2</annotation></math>',
      9,
    ],
  ])('are left out of the number before them, with a warning: %s', (html, value) => {
    expect(number(html)).toEqual({ value, codes: ['VALUE_AMBIGUOUS'] });
  });

  it.each([
    ['20 m<sup>2</sup>', 20],
    ['1<sup>st</sup> of 3', 1],
    ['<sup>1</sup> 42', 42],
    ['<sup>7</sup>', 7],
    ['<b>4</b>2', 42],
  ])('do not disturb other numbers: %s', (html, value) => {
    expect(number(html)).toEqual({ value, codes: [] });
  });

  it('stay raised where white space is kept, and in the cells of tables', () => {
    expect(read('52<sup>1</sup> CO<sub>2</sub>', { whitespace: 'keep' }).value).toBe('52\u00b9 CO2');
    const table =
      '<table><tr><th>CO<sub>2</sub><th>a<tr><td>52<sup>1</sup><td>8,804<sup>[2]</sup> m<sup>2</sup></table>';
    expect(read(table, { selector: 'table', type: 'rows' } as never).value).toEqual([
      ['CO2', 'a'],
      ['52\u00b9', '8,804[\u00b2] m2'],
    ]);
    expect(read(table, { selector: 'table', type: 'table' } as never).value).toEqual([
      { CO2: '52\u00b9', a: '8,804[\u00b2] m2' },
    ]);
  });

  it('are cents only where the page says so', () => {
    const usd = (amount: number) => ({ amount, currency: 'USD' });
    expect(price('$19<sup>99</sup>')).toEqual({ value: usd(19), codes: ['VALUE_AMBIGUOUS'] });
    expect(price('<sup>$</sup>1327<sup>00</sup> /each').value).toEqual(usd(1327));
    expect(price('$19.<sup>99</sup>')).toEqual({ value: usd(19.99), codes: [] });
    expect(price('$19<sup>.99</sup>')).toEqual({ value: usd(19.99), codes: [] });
    expect(price('$19<sup class="price-cents">99</sup>')).toEqual({ value: usd(19.99), codes: [] });
    expect(price('$<span>19</span> <span class="a-price-fraction">99</span>').value).toEqual(usd(19.99));
    expect(price('$19<span>.</span><span class="a-price-fraction">99</span>').value).toEqual(usd(19.99));
    expect(price('1.319<span class="cents">95</span> €', 'de').value).toEqual({
      amount: 1319.95,
      currency: 'EUR',
    });
  });

  it('behind a currency are marks of notes', () => {
    expect(price('19,99 €<sup>2</sup>', 'de').value).toEqual({ amount: 19.99, currency: 'EUR' });
    expect(price('24,50&nbsp;€ <sup>1</sup>', 'de').value).toEqual({ amount: 24.5, currency: 'EUR' });
  });
});
