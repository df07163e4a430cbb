import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseDocument, planSelectors } from '@gleaner/extraction';
import { describe, expect, it } from '@jest/globals';
import { extractWithMatches, suggest } from '../src/index.ts';
import { openTwice } from './open-in-jsdom.ts';
import { shopPage } from './shop.ts';

const require = createRequire(import.meta.url);
const docs = join(dirname(require.resolve('npm-docs/package.json')), 'docs/output');

/** Real pages of documentation, and a shop. */
const PAGES = [
  ...globSync('**/*.html', { cwd: docs })
    .sort()
    .filter((_path, index) => index % 9 === 0)
    .map((path) => ({ name: path, html: readFileSync(join(docs, path), 'utf8') })),
  { name: 'shop', html: shopPage({ count: 20 }) },
  { name: 'shop with rows', html: shopPage({ count: 20, perRow: 5 }) },
  {
    name: 'quirks',
    html: '<p class=A>1<p class=a>2<ul><li class="B b">3<li class=b>4<li>5</ul><TABLE><td>1<td>2<tr><td>3<td>4',
  },
  {
    name: 'escapes',
    html: '<p id="1a">x<p class="a:b c/d">y<p class="-" title=\'"\\\'>z<b data-x="a&#10;b">n</b>',
  },
];

describe('proposed selectors', () => {
  it('are compared on real pages', () => {
    expect(PAGES.length).toBeGreaterThan(10);
  });

  it.each(PAGES)('find the same elements as the querySelectorAll of a DOM: $name', ({ html }) => {
    const { document, query } = openTwice(html);
    const plan = (selector: string) => planSelectors({ found: { selector, all: true } });
    const step = Math.max(1, Math.floor(document.elements.length / 12));
    let compared = 0;
    for (let order = 2; order < document.elements.length; order += step) {
      const ones = suggest(document, { kind: 'one', picks: [order] });
      const pair = [order, Math.min(order + 3, document.elements.length - 1)];
      const lists = suggest(document, { kind: 'list', picks: pair });
      for (const { kind, selector, matches } of [...ones, ...lists]) {
        const found = extractWithMatches(document, plan(selector), { baseUrl: 'https://a.example/' }).matches
          .found;
        expect(query(selector)).toEqual(found);
        expect(found).toHaveLength(matches);
        if (kind === 'one') expect(found).toEqual([order]);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(0);
  });
});

describe('suggest for lists on hostile pages', () => {
  it.each([
    ['100,000 levels', '<div>'.repeat(100_000)],
    ['50,000 equal siblings', `<ul>${'<li><a href=x>x</a></li>'.repeat(25_000)}</ul>`],
    [
      '50,000 different siblings',
      `<div>${Array.from({ length: 50_000 }, (_, n) => `<i class="x${n} y" id=i${n}></i>`).join('')}</div>`,
    ],
    [
      '10,000 classes on a node',
      `<p class="${Array.from({ length: 10_000 }, (_, n) => `c${n}`).join(' ')}">x</p>`.repeat(20),
    ],
    ['cards of 5,000 elements', `<ul>${`<li>${'<b>x</b>'.repeat(5000)}</li>`.repeat(8)}</ul>`],
    ['lists in lists', '<ul><li>a'.repeat(5000)],
  ])('ends within the budget: %s', (_name, html) => {
    const document = parseDocument(html);
    const size = document.elements.length;
    for (const picks of [[size - 1], [size - 1, size - 2], [4, size >> 1], [5, 7]]) {
      for (const kind of ['one', 'list'] as const) {
        const [first] = picks;
        const candidates = suggest(document, { kind, picks: kind === 'one' ? [first as number] : picks });
        for (const { matches } of candidates) expect(matches).toBeGreaterThan(0);
      }
    }
  });
});
