import { describe, expect, it } from '@jest/globals';
import {
  Budget,
  type DocumentKind,
  extract,
  parseDocument,
  planSelectors,
  type SelectorMap,
} from '../src/index.ts';

/** Factor by which other work with as many steps may be slower than dates, which take their nominal time. */
const TOLERANCE = 12;

const MAX_STEPS = 4_000_000;

/** Returns a page of many equal parts. */
function page(part: string, count = 5000): string {
  return part.repeat(count);
}

/** Returns the selectors of as many equal fields as a request takes. */
function fields(selector: SelectorMap[string]): SelectorMap {
  return Object.fromEntries(Array.from({ length: 99 }, (_, index) => [`field${index}`, selector]));
}

const each = { selector: 'i', all: true };

const CASES: readonly [what: string, kind: DocumentKind, page: string, selector: SelectorMap[string]][] = [
  ['texts', 'html', page('<i>x</i>'), each],
  ['long texts', 'html', page(`<i>${'lorem ipsum '.repeat(200)}</i>`, 500), each],
  ['attributes', 'html', page('<i id=x class="y z">'), 'i.y::attr(id)::all'],
  ['markup', 'html', page('<i>a <b>b</b></i>'), 'i::html::all'],
  ['selectors with :has()', 'html', page('<div><i>a<b>c</b></i></div>'), 'div:has(i > b) ~ div i::all'],
  ['numbers', 'html', page('<i>12</i>'), { ...each, type: 'number' }],
  ['numbers in texts', 'html', page('<i>from 1.234,56 per 100 units</i>'), { ...each, type: 'number' }],
  ['texts without a number', 'html', page('<i>abc</i>'), { ...each, type: 'number' }],
  ['prices', 'html', page('<i>$1,234.50</i>'), { ...each, type: 'price' }],
  [
    'prices in texts',
    'html',
    page('<i>a 1.234,50 EUR inkl. MwSt. statt 12 kr</i>'),
    { ...each, type: 'price' },
  ],
  ['dates', 'html', page('<i>6 May 2024</i>'), { ...each, type: 'date' }],
  ['texts without a date', 'html', page('<i>lorem ipsum dolor</i>'), { ...each, type: 'date' }],
  ['patterns', 'html', page('<i>SKU-1234</i>'), { ...each, pattern: '(?i)\\bsku-(\\d+)\\b' }],
  ['markdown', 'html', page('<i>a <b>b</b> <a href=/x>c_*</a></i>'), { ...each, type: 'markdown' }],
  ['tables', 'html', `<table>${page('<tr><td>a<td>b', 2000)}</table>`, { selector: 'table', type: 'table' }],
  ['JSON', 'json', `[${page('{"a":{"b":[1,{"c":"x"}]}},')}0]`, { json: '$..c', all: true }],
  [
    'filters of JSON',
    'json',
    `[${page('{"a":1,"b":"x"},')}0]`,
    { json: '$[?@.a==1 && @.b=="x"].b', all: true },
  ],
  ['numbers in JSON', 'json', `[${page('{"a":"1,5"},')}0]`, { json: '$[*].a', all: true, type: 'number' }],
];

/** Returns the CPU time that this process needs for all steps of a budget, once its code is compiled. */
function timeOf(kind: DocumentKind, source: string, selector: SelectorMap[string]): number {
  const document = parseDocument(source, { kind });
  const plan = planSelectors(fields(selector));
  const times = Array.from({ length: 3 }, () => {
    const budget = new Budget({ maxSteps: MAX_STEPS, maxOutputBytes: Number.MAX_SAFE_INTEGER });
    const before = process.cpuUsage();
    expect(() => extract(document, plan, { baseUrl: 'https://shop.example/', budget })).toThrow('more work');
    return process.cpuUsage(before).user;
  });
  return Math.min(...times);
}

describe('the steps of the budget', () => {
  it.each(CASES)('count the time of %s', (_what, kind, source, selector) => {
    const nominal = timeOf('html', page('<i>2024-05-06</i>'), { ...each, type: 'date' });
    expect(timeOf(kind, source, selector)).toBeLessThan(TOLERANCE * nominal);
  });
});
