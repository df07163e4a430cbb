import { describe, expect, it } from '@jest/globals';
import { Budget } from '../budget.ts';
import { compileJsonPath } from './compile-json-path.ts';
import { findJson } from './find-json.ts';
import type { JsonValue } from './visit-json.ts';

describe('findJson', () => {
  const shop: JsonValue = {
    name: 'Shop',
    limit: 10,
    offers: [
      { id: 1, price: 8, tags: ['new'] },
      { id: 2, price: 12, tags: [] },
      { id: 3, tags: ['new'], seller: { name: 'B', price: 1 } },
    ],
  };

  it.each<[path: string, values: JsonValue[]]>([
    ['$', [shop]],
    ['$.name', ['Shop']],
    ['$.nothing.name', []],
    ['$.name[0]', []],
    ['$.offers[*].id', [1, 2, 3]],
    ['$.offers[-1].id', [3]],
    ['$.offers[9]', []],
    ['$.offers.length', []],
    ['$.offers[0, 0].id', [1, 1]],
    ['$.offers[1:].id', [2, 3]],
    ['$.offers[::-1].id', [3, 2, 1]],
    ['$.offers[2:0:-1].id', [3, 2]],
    ['$.offers[::0].id', []],
    ['$..price', [8, 12, 1]],
    ['$..tags[*]', ['new', 'new']],
    ['$.offers[?@.price].id', [1, 2]],
    ['$.offers[?!@.price].id', [3]],
    ['$.offers[?@.price < $.limit].id', [1]],
    ['$.offers[?@.price >= 12 || @.seller.name == "B"].id', [2, 3]],
    ['$.offers[?@.tags == $.offers[0].tags && @.id != 1].id', [3]],
    ['$.offers[?@..[?@ == "B"]].id', [3]],
    ['$.offers[?@.tags[?@ == $.offers[0].tags[0]]].id', [1, 3]],
    ['$.offers[?@.none == @.nothing].id', [1, 2, 3]],
    ['$.offers[?@.seller == $.offers[2].seller].id', [3]],
    ['$.toString', []],
    ['$.__proto__', []],
  ])('evaluates %s', (path, values) => {
    expect(find(path, shop)).toEqual(values);
  });

  it('compares texts by code points', () => {
    const texts = ['\u{1f600}', '\uffee', 'a'];
    expect(find('$[?@ < "\u{1f600}"]', texts)).toEqual(['\uffee', 'a']);
    expect(find('$[?@ <= "ab"]', ['a', 'ab', 'abc', 'b'])).toEqual(['a', 'ab']);
  });

  it('finds a member named __proto__ as any other', () => {
    const value: JsonValue = JSON.parse('{"__proto__": {"a": 1}}');
    expect(find('$.__proto__.a', value)).toEqual([1]);
    expect(find('$..a', value)).toEqual([1]);
  });

  it('does not recurse over the depth of the value', () => {
    const deep: JsonValue = JSON.parse(`${'['.repeat(100_000)}1${']'.repeat(100_000)}`);
    expect(find('$..*', deep)).toHaveLength(100_000);
    expect(find('$[?@ == $[0]][?@ == 1]', deep)).toEqual([]);
  });

  it.each([
    ['results', '$..*..*..*'],
    ['repeated selectors', `$${'[0,0]'.repeat(40)}`],
    ['nested filters', '$..[?@..[?@..a]]'],
    ['filters from the root', '$..[?$..[?$..[?$..a]]]'],
    ['comparisons of large values', '$..[?@ == $[0]]'],
  ])('throws when %s need too many steps', (_, path) => {
    const deep: JsonValue = JSON.parse(`${'['.repeat(3000)}1${']'.repeat(3000)}`);
    expect(() => find(path, deep, new Budget({ maxSteps: 1_000_000 }))).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_CONTENT' }),
    );
  });
});

function find(text: string, value: JsonValue, budget = new Budget()): JsonValue[] {
  const path = compileJsonPath(text);
  if (typeof path === 'string') throw new Error(path);
  return findJson(path, value, budget);
}
