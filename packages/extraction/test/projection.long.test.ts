import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@gleaner/contracts';
import { createRandom, type Random } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { parseProjection } from '../src/dom/parse-projection.ts';
import {
  Budget,
  type ExtractionPlan,
  extract,
  parseDocument,
  planSelectors,
  type SelectorMap,
} from '../src/index.ts';
import { readCorpus } from './browser/corpus.ts';
import { SELECTORS } from './browser/selectors.ts';
import { randomMarkup } from './random-markup.ts';

const BASE = { baseUrl: 'https://shop.test/a/b' };

/** Selectors in groups, as requests have them. */
const REQUESTS: readonly SelectorMap[] = [
  {
    title: 'title',
    heading: 'h1',
    lead: 'p',
    links: 'a::attr(href)::all',
    charset: 'meta[charset]::attr(charset)',
  },
  { rows: { selector: 'tr', all: true, fields: { cells: 'td::text::all', link: 'a[href]::attr(href)' } } },
  { items: { selector: 'li, option', all: true, fields: { own: ':scope', bold: ':scope b::text::all' } } },
  { links: { selector: 'a::attr(href)', all: true, absolute: true }, text: 'body', page: 'html' },
  { marked: '.x::text::all', named: '#main::text::all', attributes: '[title]::attr(title)::all' },
  {
    inside: 'div p b::text::all',
    children: 'div > *::text::all',
    siblings: 'p + p::text::all',
    bold: 'b ~ i::text::all',
  },
  {
    all: '*::text::all',
    plain: 'p:not(.x)::text::all',
    holds: 'div:has(b)::text::all',
    one: ':is(p, b)::text::all',
  },
  {
    second: 'p:nth-child(2)::text::all',
    only: 'b:only-child::text::all',
    last: 'td:nth-last-of-type(1)::text::all',
  },
  {
    code: 'script::text::all',
    style: 'style::text::all',
    template: 'template::text::all',
    raw: 'svg title::text::all',
  },
  { link: 'svg a::attr(xlink:href)::all', box: 'svg::attr(viewBox)::all', images: 'img::attr(src)::all' },
  { classes: 'body::attr(class)::all', language: 'html::attr(lang)', field: 'input::attr(type)::all' },
  {
    price: { selector: 'p', type: 'price', all: true },
    number: { selector: 'li', type: 'number' },
    date: { selector: 'time, td', type: 'date', all: true },
    url: { selector: 'a::attr(href)', type: 'url', all: true },
    count: { selector: 'p b', type: 'count' },
  },
  {
    prices: { selector: 'p, h1, li', type: 'price', all: true },
    numbers: { selector: 'div, a', type: 'number', all: true },
    kept: { selector: 'section', whitespace: 'keep', all: true },
    raised: 'sup::text::all',
  },
  {
    plain: { selector: 'div', exclude: 'b, .x', whitespace: 'keep', all: true },
    found: { selector: 'p', pattern: 'wor(d)', default: 'none' },
    has: { selector: 'h1', type: 'boolean' },
    must: { selector: 'html', required: true },
  },
];

/** Pieces with attributes that affect parsing or occur in selectors. */
const PIECES = [
  ...[
    '<p class=x>',
    '<p CLASS="x y">',
    '<div id=main>',
    '<div id="&amp;main">',
    '<a href=/1 href=/2>',
    '<a href = "/3" >',
  ],
  ...[
    "<a\nhref='/4'class=x>",
    '<a href=/5/>',
    '<a/href=/6>',
    '<a href>',
    '<a href=>',
    '<a href="/7\r\n8">',
    '<a ="x" href=/9>',
  ],
  ...[
    '<b title=1>',
    '<b title=2>',
    '<i><i><i><i>',
    '<font color=red>',
    '<input type=hidden>',
    '<input type="TEXT" value=1>',
  ],
  ...[
    '<svg viewBox="0 0 1 1">',
    '<svg><a xlink:href="/s">',
    '<annotation-xml encoding="text/html">',
    '<foreignObject>',
  ],
  ...[
    '<template shadowrootmode=open>',
    '<template class=x>',
    '<image src=/i.png>',
    '<img src="/j.png" alt>',
    '<base href=/base/>',
  ],
  ...[
    '<html lang=en class=x>',
    '<body class=y>',
    '<meta charset=utf-8>',
    '<h1>',
    '</h1>',
    '<h2>',
    '</h2>',
    '<li>',
    '</ul>',
  ],
  ...[
    '<option>',
    '<time datetime=2024-05-06>',
    '1.234,5 €',
    '<time>May 6, 2024',
    '<html lang=de>',
    '<td title=t>',
    '<tr class=x>',
    '<A HREF="/UP">',
    '<a href="x',
    '\n   \n\t ',
    '</p >',
    '</b/>',
    '</div class=x>',
  ],
];

/** Returns markup most of which is misnested. */
function mixedMarkup(random: Random): string {
  return Array.from({ length: 4 }, () => randomMarkup(random).slice(0, 200) + random.pick(PIECES)).join('');
}

/** Numbers with raised figures, cents or formulas beside them. */
const FIGURES = [
  ...[
    '19',
    '5,00 €',
    '19<sup>99</sup>',
    '19,99 €<sup>2</sup>',
    '3<sub>2</sub>',
    '7<small class=cents>50</small>',
  ],
  '10<span style="vertical-align: super">6</span>',
  '<math><msup><mi>9</mi><mn>2</mn></msup><annotation encoding="application/x-tex">9^2</annotation></math>',
  '<span class=MathJax_Preview>1</span><script type="math/tex">2</script>',
  '<noscript>3</noscript>',
];

/** Returns markup with properly nested tags, fit for a projection. */
function nestedMarkup(random: Random, depth = 0): string {
  return Array.from({ length: random.below(6) }, () => {
    if (depth > 5 || random.below(3) === 0)
      return random.pick([
        'word',
        ' ',
        '\n  ',
        'a &amp; b',
        '<!-- no -->',
        '<br>',
        '<img src=x>',
        ...FIGURES,
      ]);
    const name = random.pick([
      'div',
      'p',
      'b',
      'a',
      'li',
      'ul',
      'h1',
      'h2',
      'section',
      'svg',
      'template',
      'script',
      'custom-one',
      'span',
      'sup',
    ]);
    const attributes = random.pick([
      '',
      ' class=x',
      ' id="main"',
      ' href="/1?a=1&b=2"',
      " title='t'",
      ' CLASS="x y" href=/2',
      ' class=cents',
      ' aria-hidden=true',
      ' class=katex-mathml',
      ' class=MathJax',
    ]);
    return `<${name}${attributes}>${nestedMarkup(random, depth + 1)}</${name}>`;
  }).join('');
}

/** Returns the plan of valid selectors that a projection serves; an empty list for all others. */
function planProjected(selectors: SelectorMap): ExtractionPlan[] {
  try {
    const plan = planSelectors(selectors);
    return plan.projection === null ? [] : [plan];
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

/** Each selector is tried on every so many pages, and each page with every so many selectors. */
const EVERY = 10;

describe('parseDocument with a projection', () => {
  it('leads to the values of the whole document, for all recorded pages and selectors', () => {
    const requests = SELECTORS.map((selector) => ({
      text: `${selector}::text::all`,
      id: `${selector}::attr(id)`,
    }));
    const plans = [...requests, ...REQUESTS].flatMap(planProjected);
    expect(plans.length).toBeGreaterThan(100);
    for (const [page, { name, html }] of readCorpus().entries()) {
      const whole = parseDocument(html);
      for (const [index, plan] of plans.entries()) {
        if ((page + index) % EVERY !== 0) continue;
        const projected = extract(parseDocument(html, { projection: plan.projection }), plan, BASE);
        const expected = extract(whole, plan, BASE);
        if (!isDeepStrictEqual(projected, expected))
          expect({ name, plan, projected }).toEqual({ name, plan, projected: expected });
      }
    }
  });

  it.each(Array.from({ length: 20 }, (_, index) => 9000 + index))(
    'leads to the values of the whole document, for random markup (seed %i)',
    (seed) => {
      const random = createRandom(seed);
      for (let count = 0; count < 40; count++) {
        for (const html of [
          mixedMarkup(random),
          nestedMarkup(random),
          `<!doctype html>${nestedMarkup(random)}`,
        ]) {
          const whole = parseDocument(html);
          for (const plan of REQUESTS.flatMap(planProjected)) {
            const projected = extract(parseDocument(html, { projection: plan.projection }), plan, BASE);
            const expected = extract(whole, plan, BASE);
            if (!isDeepStrictEqual(projected, expected))
              expect({ html, plan, projected }).toEqual({ html, plan, projected: expected });
          }
        }
      }
    },
  );

  const READ_IN_LANGUAGE: SelectorMap = {
    number: { selector: 'b', type: 'number' },
    price: { selector: 'li', type: 'price' },
    date: { selector: 'time', type: 'date' },
  };

  const IN_GERMAN = { number: 1234, price: { amount: 1234 }, date: '2024-05-06' };
  const IN_ENGLISH = { number: 1.234, price: { amount: 1.234 }, date: '2024-06-05' };

  it.each([
    ['<html lang=de>', IN_GERMAN],
    ['<html lang=en-US>', IN_ENGLISH],
    ['<html LANG=" en-US " class=x>', IN_ENGLISH],
    ['<html class=x><body><html lang=en-US>', IN_ENGLISH],
    ['<html lang=de><body><html lang=en-US>', IN_GERMAN],
    ['<html lang=""><body lang=en-US>', {}],
    ['<html xml:lang=en-US>', {}],
    ['<!-- no language -->', {}],
  ])('reads numbers, prices and dates in the language of the page: %s', (start, values) => {
    const html = `${start}<div lang=fr><b>1.234</b><ul><li>1.234 €</ul><time>06.05.2024</time></div>`;
    const { projection, ...plan } = planSelectors(READ_IN_LANGUAGE);
    expect(projection).not.toBeNull();
    const projected = extract(parseDocument(html, { projection }), { ...plan, projection }, BASE);
    expect(projected).toEqual(extract(parseDocument(html), { ...plan, projection }, BASE));
    expect(projected.data).toMatchObject(values);
  });

  it('leaves out what no selector can see', () => {
    const { projection } = planSelectors({ title: 'h1', links: 'a::attr(href)::all' });
    const html = '<body class=x><div><h1 id=1>Title</h1><p>Text</p></div><a href=/1 class=x>One</a>';
    const { elements } = parseDocument(html, { projection });
    expect(elements.map(({ name }) => name)).toEqual(['html', 'head', 'h1', 'a']);
    expect(elements.map(({ attributes }) => attributes)).toEqual([
      [],
      [],
      [],
      [{ name: 'href', value: '/1' }],
    ]);
    expect(elements.map(({ first }) => first?.value)).toEqual(['', undefined, 'Title', undefined]);
  });

  it.each(['<b><p>text</b>', '<table><p>text', '<p><frameset>', '<title>a</title></head> <title>b</title>'])(
    'is the whole document where the parser does not append in order: %s',
    (html) => {
      const { projection } = planSelectors({ text: 'html' });
      expect(projection && parseProjection(html, projection, new Budget())).toBeNull();
      expect(parseDocument(html, { projection }).elements).toHaveLength(parseDocument(html).elements.length);
    },
  );

  it.each<SelectorMap>([
    { a: '.x' },
    { a: 'p', b: '#main b' },
    { a: 'ul > li' },
    { a: 'li:nth-child(2)' },
    { a: 'p:has(> b)' },
    { a: '*' },
    { a: 'p::html' },
    { a: 'p:empty' },
    { a: ':checked' },
    { a: 'p:lang(de)' },
    { a: 'p:not(:lang(de))', b: 'h1' },
    { a: { selector: 'p', exclude: ':lang(de)' } },
    { a: { selector: 'table', type: 'rows' } },
  ])('is the whole document for %j', (selectors) => expect(planSelectors(selectors).projection).toBeNull());
});
