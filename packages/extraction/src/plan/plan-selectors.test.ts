import { describe, expect, it } from '@jest/globals';
import { parseDocument } from '../dom/parse-document.ts';
import { extract } from '../values/extract.ts';
import { compileSelectors } from './compile-selectors.ts';
import { planSelectors } from './plan-selectors.ts';

const SELECTORS = {
  title: 'h1, h2:not(:nth-child(2))',
  books: { selector: 'li:has(a)', all: true, fields: { link: 'a::attr(href)', whole: ':scope > a' } },
};
const PAGE = '<h1 class=a>One</h1><ul><li><a href=/b>B</a></li><li><a href=/c>C</a></li></ul>';

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  Object.values(value).forEach(deepFreeze);
}

describe('planSelectors', () => {
  it('gives what compileSelectors does, and the same plan again for the same selectors', () => {
    const plan = planSelectors(SELECTORS);
    expect(plan).toEqual(compileSelectors(SELECTORS));
    expect(planSelectors(structuredClone(SELECTORS))).toBe(plan);
  });

  it('tells maps apart that differ in an option, a name or the order of fields', () => {
    const maps = [
      { a: 'p', b: 'i' },
      { b: 'i', a: 'p' },
      { a: 'p', b: 'i::all' },
      { a: { selector: 'p', all: true }, b: 'i' },
    ];
    expect(maps.map((map) => planSelectors(map))).toEqual(maps.map((map) => compileSelectors(map)));
    expect(new Set(maps.map((map) => planSelectors(map))).size).toBe(maps.length);
  });

  it('refuses faulty selectors every time', () => {
    for (let time = 0; time < 2; time++)
      expect(() => planSelectors({ a: 'p[' })).toThrow('A selector is not valid: selectors.a');
  });

  it('remembers no more than a hundred, and none that is long', () => {
    const first = planSelectors({ first: 'p' });
    for (let index = 0; index < 100; index++) planSelectors({ [`field${index}`]: 'p' });
    expect(planSelectors({ first: 'p' })).not.toBe(first);
    const long = { long: `p${' '.repeat(9000)}b` };
    expect(planSelectors(long)).not.toBe(planSelectors(long));
  });
});

it('running a plan changes nothing in it', () => {
  const plan = compileSelectors(SELECTORS);
  const values = () => extract(parseDocument(PAGE), plan, { baseUrl: 'http://example.com/' }).data;
  const before = values();
  deepFreeze(plan);
  expect(values()).toEqual(before);
  expect(before.books).toEqual([
    { link: '/b', whole: 'B' },
    { link: '/c', whole: 'C' },
  ]);
});
