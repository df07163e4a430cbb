import { Budget, type ParsedDocument, parseDocument } from '@gleaner/extraction';
import { describe, expect, it } from '@jest/globals';
import { suggest } from '../src/index.ts';
import { openTwice } from './open-in-jsdom.ts';

const PRODUCT = `<!DOCTYPE html><html><head><title>Shop</title><meta property="og:title" content="A Light in the Attic"></head>
<body><header id="top"><nav class="menu"><a href="/">Home</a><a href="/books">Books</a></nav></header>
<main><div class="css-1x2y3z product"><h1>A Light in the Attic</h1>
<p class="price_color mt-4">£51.77</p><p class="Card_stock__x7Gh2"><b>22</b> available</p>
<img class="cover" src="data:image/gif;base64,R0" data-src="/cover.png" alt="Cover">
<time datetime="2026-01-02">yesterday</time><a class="buy" href="/buy/1"><svg></svg></a></div>
<table><tr><th>UPC</th><td>a897</td></tr><tr><th>Tax</th><td>£0.00</td></tr></table></main></body></html>`;

/** Returns the proposals for the element alone, without the list that it may be in. */
const onesOf = (document: ParsedDocument, order: number, alsoOn: readonly ParsedDocument[] = []) =>
  suggest(document, { kind: 'one', picks: [order], alsoOn }).filter(({ kind }) => kind === 'one');

const first = (html: string, css: string) => {
  const page = openTwice(html);
  return onesOf(page.document, page.place(css))[0];
};

describe('suggest for one element', () => {
  it.each([
    ['h1', 'h1'],
    ['.price_color', '.price_color'],
    ['meta', '[property="og:title"]'],
    ['.menu', '.menu'],
    ['.product', '.product'],
    ['header', '#top'],
  ])('proposes the name that says what %s is', (css, selector) => {
    expect(first(PRODUCT, css)).toMatchObject({ selector, matches: 1 });
  });

  it('never proposes a generated class, and proposes the part of it that its author wrote', () => {
    const page = openTwice(PRODUCT);
    for (const order of page.document.elements.keys()) {
      for (const { selector } of onesOf(page.document, order)) {
        expect(selector).not.toMatch(/x7Gh2|css-/);
      }
    }
    expect(first(PRODUCT, '[class^=Card]')?.selector).toBe('[class*="Card_stock__"]');
  });

  it.each([
    ['h1', 'text', 'A Light in the Attic'],
    ['meta', 'attr(content)', 'A Light in the Attic'],
    ['img', 'attr(data-src)', '/cover.png'],
    ['time', 'attr(datetime)', '2026-01-02'],
    ['.buy', 'attr(href)', '/buy/1'],
    ['.menu', 'text', 'HomeBooks'],
  ])('takes the value that users mean from %s', (css, take, value) => {
    expect(first(PRODUCT, css)).toMatchObject({ take, values: [value] });
  });

  it('proposes several kinds of selectors with a score and reasons, the best first', () => {
    const page = openTwice(PRODUCT);
    const candidates = onesOf(page.document, page.place('.price_color'));
    expect(candidates.length).toBeGreaterThan(1);
    expect(new Set(candidates.map(({ selector }) => selector)).size).toBe(candidates.length);
    expect(candidates.map(({ score }) => score)).toEqual(
      candidates.map(({ score }) => score).sort((a, b) => b - a),
    );
    expect(candidates[0]?.reasons).toEqual(['Relies on the class .price_color.']);
    for (const { score, reasons } of candidates) {
      expect(score).toBeGreaterThan(0);
      expect(score).toBeLessThan(1);
      expect(reasons.length).toBeGreaterThan(0);
    }
  });

  it('ranks selectors by the other pages on which they hold', () => {
    const page = (id: string, price: string) =>
      `<div id="${id}"><p>x</p><p class="price ${id}">${price}</p></div>`;
    const { document, place } = openTwice(page('a', '£1'));
    const alsoOn = ['b', 'c'].map((id) => parseDocument(page(id, '£2')));
    const [best, ...rest] = onesOf(document, place('.price'), alsoOn);
    expect(best).toMatchObject({ selector: '.price', stableOn: '2 of 2' });
    expect(rest.some(({ stableOn }) => stableOn === '0 of 2')).toBe(true);
  });

  it('rejects elements that the page does not have', () => {
    const document = parseDocument('<p>x');
    for (const picks of [[], [99], [-1], [1.5], [3, 2]]) {
      expect(() => suggest(document, { kind: 'one', picks })).toThrow(
        expect.objectContaining({
          code: 'INVALID_REQUEST',
          details: [expect.objectContaining({ path: 'picks' })],
        }),
      );
    }
  });

  it('is exact in quirks mode, in XML, and inside drawings', () => {
    const quirks = openTwice('<p class="A">1</p><p class="a b">2</p><P ID="X">3');
    expect(quirks.document.isQuirks).toBe(true);
    for (const css of ['.b', '#X']) {
      const [candidate] = onesOf(quirks.document, quirks.place(css));
      expect(quirks.query(candidate?.selector ?? '')).toEqual([quirks.place(css)]);
    }
    const feed = parseDocument(
      '<rss><channel><pubDate>1</pubDate><item><pubDate>2</pubDate></item></channel></rss>',
      { kind: 'xml' },
    );
    expect(onesOf(feed, 4)[0]?.values).toEqual(['2']);
    const drawing = openTwice(
      '<svg><linearGradient id=g><stop/></linearGradient><foreignObject><p>x</p></foreignObject></svg>',
    );
    const [candidate] = onesOf(drawing.document, drawing.place('stop'));
    expect(drawing.query(candidate?.selector ?? '')).toEqual([drawing.place('stop')]);
  });
});

describe('suggest on hostile pages', () => {
  it.each([
    ['100,000 levels', `${'<div>'.repeat(100_000)}x`],
    ['50,000 equal siblings', `<ul>${'<li><a>x</a></li>'.repeat(25_000)}</ul>`],
    [
      '10,000 classes on an element',
      `<p class="${Array.from({ length: 10_000 }, (_, n) => `c${n}`).join(' ')}">x</p>`.repeat(20),
    ],
    ['10,000 attributes', `<p ${Array.from({ length: 10_000 }, (_, n) => `data-a${n}=v`).join(' ')}>x`],
    [
      '50,000 ids inside',
      `<div>${Array.from({ length: 50_000 }, (_, n) => `<i id=x${n}></i>`).join('')}</div>`,
    ],
    ['an id that is CSS', '<p id="#a .b:has(*),">x'],
    ['a class that is CSS', '<p class="a{} .b\\ :not(*)">x<p>'],
  ])('ends within the budget: %s', (_name, html) => {
    const document = parseDocument(html);
    const size = document.elements.length;
    for (const order of [3, size >> 1, size - 1]) {
      const candidates = onesOf(document, Math.min(order, size - 1));
      for (const { matches } of candidates) expect(matches).toBe(1);
    }
  });

  it('stops at a small budget', () => {
    const document = parseDocument('<div>'.repeat(50_000));
    expect(() =>
      suggest(document, { kind: 'one', picks: [40_000] }, { budget: new Budget({ maxSteps: 10_000 }) }),
    ).toThrow(expect.objectContaining({ code: 'UNSUPPORTED_CONTENT' }));
  });
});
