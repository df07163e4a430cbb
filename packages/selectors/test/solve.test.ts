import type { ExtractedData } from '@gleaner/contracts';
import {
  Budget,
  checkAnswer,
  compileShape,
  extract,
  parseDocument,
  planSelectors,
  readForModel,
} from '@gleaner/extraction';
import { createRandom, readShop, SHOP_SCHEMA, writeShop } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { type Solution, solve } from '../src/index.ts';

const BASE = 'https://shop.example/';
const open = (html: string) => ({ document: parseDocument(html, { kind: 'html' }), baseUrl: BASE });

/** Solves a page by an answer of a model. */
function solveBy(html: string, schema: object, answer: object, others: readonly string[] = []): Solution {
  const compiled = compileShape(schema, 'required');
  if ('errors' in compiled) throw new Error(JSON.stringify(compiled.errors));
  const { shape } = compiled;
  const at = open(html);
  const { evidence } = readForModel(at.document, { baseUrl: BASE, budget: new Budget(), maxBytes: 100_000 });
  const checked = checkAnswer({ answer: JSON.stringify(answer), shape, rule: 'required', evidence });
  const { data, elements } = checked;
  return solve(at, others.map(open), { shape, data: data as ExtractedData, elements }, new Budget());
}

const of = (value: unknown, quote: unknown = value) => ({ value, quote });
const objectOf = (properties: object) => ({ type: 'object', properties });
const TEXT = { type: 'string' };

const PAGE = `<html lang="en"><body><main class="product"><h1>Kettle</h1><p class="price">Only £1,020.50</p>
<p class="day">3 March 2026</p><a class="maker" href="/makers/7">Maker</a><p class="about">Made by Anna in Ulm.</p>
<ul class="tags"><li>steel<li>red<li>new</ul></main></body></html>`;

describe('solve', () => {
  it('finds selectors of single values, of their types', () => {
    const schema = objectOf({
      title: TEXT,
      price: { type: 'number' },
      day: { type: 'string', format: 'date' },
      maker: objectOf({ url: { type: 'string', format: 'uri' } }),
      tags: { type: 'array', items: TEXT },
    });
    const answer = {
      title: of('Kettle'),
      price: of(1020.5, '£1,020.50'),
      day: of('2026-03-03', '3 March 2026'),
      maker: { url: of(`${BASE}makers/7`) },
      tags: [of('steel'), of('red'), of('new')],
    };
    const { selectors, data, unsolved } = solveBy(PAGE, schema, answer);
    expect(unsolved).toEqual([]);
    expect(selectors).toMatchObject({
      title: 'h1',
      price: { selector: '.price', type: 'number' },
      day: { selector: '.day', type: 'date' },
      maker: { selector: ':root', fields: { url: { selector: '.maker::attr(href)', type: 'url' } } },
      tags: { all: true },
    });
    expect(data).toEqual({
      title: 'Kettle',
      price: 1020.5,
      day: '2026-03-03',
      maker: { url: `${BASE}makers/7` },
      tags: ['steel', 'red', 'new'],
    });
  });

  it('keeps no selector that gives something else, and says which fields have none', () => {
    const schema = objectOf({ name: TEXT, stock: TEXT, list: { type: 'array', items: TEXT } });
    const { selectors, unsolved } = solveBy(PAGE, schema, {
      name: of('Anna'),
      stock: of('7 left'),
      list: [],
    });
    expect(selectors).toEqual({});
    expect(unsolved).toEqual([
      { field: 'name', message: expect.stringContaining('No selector gives') },
      { field: 'stock', message: expect.stringContaining('found no value') },
      { field: 'list', message: expect.stringContaining('found no value') },
    ]);
  });

  it('finds the records of many shops, whose selectors give what stands on them', () => {
    let solved = 0;
    for (let seed = 0; seed < 40; seed += 1) {
      const { html, items } = writeShop(createRandom(seed));
      const { selectors, data } = solveBy(html, SHOP_SCHEMA, readShop(html));
      expect(data.heading).toBe('Our offers');
      const again = extract(open(html).document, planSelectors(selectors), { baseUrl: BASE });
      expect(again.data).toEqual(data);
      const products = (data.products ?? []) as readonly ExtractedData[];
      const rows = products.map((product) => JSON.stringify(product));
      if (!('products' in selectors)) continue;
      solved += 1;
      // No shop has a record without values, such as the head of its table.
      expect(products).toHaveLength(items.length);
      for (const { name, amount } of items) {
        const row = { name, price: amount };
        const known = Object.keys(products[0] ?? {});
        const shown = Object.entries(row).filter(([key]) => known.includes(key));
        expect(rows).toContain(JSON.stringify(Object.fromEntries(shown)));
      }
    }
    expect(solved).toBeGreaterThan(30);
  });

  it('counts the other pages on which a field has a value', () => {
    const schema = objectOf({ title: TEXT, price: { type: 'number' } });
    const answer = { title: of('Kettle'), price: of(1020.5, '£1,020.50') };
    const others = [PAGE.replace('Kettle', 'Lamp'), '<h1>Sold out</h1>'];
    expect(solveBy(PAGE, schema, answer, others).stableOn).toEqual({ title: '2 of 2', price: '1 of 2' });
  });
});
