import { describe, expect, it } from '@jest/globals';
import type { DataOf, FormatsOf, PageOverview, RequestedData, Selectors } from './data-of.ts';
import type { Price } from './index.ts';

type Equal<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;

function typeOf<const Given extends Selectors>(
  _selectors: Given,
): <Data>(isEqual: Equal<DataOf<Given>, Data>) => true {
  return () => true;
}

describe('the types of data', () => {
  it('are read off the selectors, which the compiler checks', () => {
    const checks = [
      typeOf({ title: 'h1', tags: '.tag::attr(id)::all' })<{ title: string | null; tags: string[] }>(true),
      typeOf({ a: { selector: 'h1', required: true }, b: { selector: 'b', default: 'none' } })<{
        a: string;
        b: string;
      }>(true),
      typeOf({
        price: { selector: '.price', type: 'price' },
        prices: { selector: '.price', type: 'number', all: true },
        stock: { selector: '.stock', type: 'integer', default: 0 },
        isNew: { selector: '.new', type: 'boolean' },
        size: { selector: 'li', type: 'count' },
        grid: { selector: 'table', type: 'rows' },
        raw: { selector: 'script', json: '$.a' },
      })<{
        price: Price | null;
        prices: (number | null)[];
        stock: number;
        isNew: boolean;
        size: number;
        grid: (string | null)[][] | null;
        raw: unknown;
      }>(true),
      typeOf({
        cards: {
          selector: '.card',
          all: true,
          fields: { name: 'h2', seller: { selector: 'i', fields: { id: 'b' } } },
        },
      })<{ cards: { name: string | null; seller: { id: string | null } | null }[] }>(true),
    ];
    const overview: Equal<RequestedData<undefined, undefined>, PageOverview> = true;
    const onlyFormats: Equal<RequestedData<undefined, ['text']>, undefined> = true;
    const formats: Equal<
      FormatsOf<[{ type: 'markdown'; main: true }, 'text']>,
      { markdown: string; text: string }
    > = true;
    expect([...checks, overview, onlyFormats, formats].every(Boolean)).toBe(true);
  });
});
