import type { Format } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { Budget } from '../budget.ts';
import { parseDocument } from '../dom/parse-document.ts';
import { extractFormats } from './extract-formats.ts';
import { planFormats } from './plan-formats.ts';

const baseUrl = 'https://shop.example/list';

type Part = Omit<Exclude<Format, string | { readonly type: 'article' }>, 'type'>;

/** Returns formats of the page, and the codes of the warnings by their fields. */
function read(html: string, formats: readonly Format[], budget = new Budget()) {
  const document = parseDocument(html);
  const { json, warnings } = extractFormats(document, planFormats(formats), { baseUrl, budget });
  return { ...JSON.parse(json), warnings: warnings.map(({ field, code }) => `${field} ${code}`) };
}

const textOf = (html: string, part: Part) => read(html, [{ type: 'text', ...part }]);

const LIST = `<html lang=en><head><title>Shop</title><style>p{}</style></head><body>
  <header><a href=/>Shop</a></header><nav><a href=/sale>Sale</a></nav>
  <div role="dialog" aria-modal="true">We use cookies</div>
  <main><header><h1>Kettles</h1></header><script>track()</script>
  <article><h2>Emma</h2><p>A kettle of steel, which boils a litre of water in two minutes, quietly and safely, for years.</p>
    <a href=/e>19.90</a><footer>In stock</footer></article>
  <article><h2>Otto</h2><p>Glass.</p><a href=/o>24.50</a></article>
  <aside>Others bought <a href=/x>cups</a></aside></main>
  <footer>Imprint</footer></body></html>`;

describe('main', () => {
  it('returns a list of which the article is one teaser', () => {
    const { article, text } = read(LIST, ['article', { type: 'text', main: true }]);
    expect(article.markdown).not.toContain('Otto');
    expect(text).toContain('Emma');
    expect(text).toContain('Otto');
  });

  it('leaves out what surrounds the content, in every format that takes it', () => {
    const part = { main: true };
    const { markdown, text, links, html, warnings } = read(LIST, [
      ...[{ type: 'markdown', ...part } as const, { type: 'text', ...part } as const],
      ...[{ type: 'links', ...part } as const, { type: 'html', ...part } as const],
    ]);
    const lines = ['Kettles', 'Emma', expect.stringMatching(/^A kettle/), '19.90', 'In stock', 'Otto'];
    expect(text.split('\n')).toEqual([...lines, 'Glass.', '24.50']);
    expect(markdown).toMatch(/^# Kettles\n\n## Emma\n\n.*\n\n\[19\.90\]\(.*\/e\)\n\nIn stock\n\n## Otto/);
    expect(links).toMatchObject([{ text: '19.90' }, { text: '24.50' }]);
    expect(html).toMatch(/^<html lang="en"><body>\s*<main><header><h1>Kettles<\/h1><\/header>\s*<article>/);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['<header>out</header>in'],
    ['<footer>out</footer>in'],
    ['<nav>out</nav><search>out</search><dialog open>out</dialog>in'],
    ['<main>in<aside>out</aside></main>'],
    ['<div role=banner>out</div><div role="NAVIGATION none">out</div><ul role=contentinfo><li>out</ul>in'],
    [
      '<p role=complementary>out</p><p role=dialog>out</p><p role=" alertdialog ">out</p><p role=search>out</p>in',
    ],
    ['<div role="foo banner">out</div><div role="presentation navigation">in</div>'],
    ['<section><header>in</header></section><div><header>out</header></div>'],
    ['<div role=region><footer>in</footer></div><div role=article><header role=banner>out</header></div>'],
    ['<article><header>in</header><footer>in</footer></article>'],
    ['<aside role=note>in</aside><footer>out</footer>'],
  ])('keeps what is content of %s', (html) => {
    const { text } = textOf(html, { main: true });
    expect(new Set(text.split(/\s+/))).toEqual(new Set(['in']));
  });

  const prose =
    'Copper keeps its heat for longer than steel does, which is why old kettles were made of it. It sings.';
  const menu = '<ul><li><a href=/1>Home</a><li><a href=/2>About</a><li><a href=/3>Download</a></ul>';

  it.each([
    [
      'of sqlite.org',
      `<div class=nosearch><a href=/><img src=/logo.gif></a><div class=tagline>Small. Fast. Any three.</div>
      <div class="menu mainmenu">${menu}</div></div><div class=fancy><h1>Kettles</h1><p>${prose}</div>`,
    ],
    [
      'of PostgreSQL',
      `<div class=navheader><table><tr><th>Chapter 35</th></tr><tr><td><a href=/p>Prev</a><td>Part IV<td><a href=/n>Next</a>
      </table></div><div class=chapter><h2>Kettles</h2><p>${prose}</div><div class=navfooter><a href=/n>Next</a> The end</div>`,
    ],
    [
      'made of links',
      `<center><a href=/1>One</a> | <a href=/2>Two</a> | <a href=/3>Six</a></center><h1>Kettles</h1><p>${prose}`,
    ],
    ['with a linked name', `<h1><a href=/>The site</a></h1>${menu}<h2>Kettles</h2><p>${prose}`],
  ])('leaves out the menus of a page %s, which has no landmarks', (_, html) => {
    const lines = textOf(html, { main: true }).text.split('\n');
    expect(lines.filter((line: string) => line !== 'The site')).toEqual(['Kettles', prose]);
  });

  it.each([
    ['a list under its heading', `<h1>Kettles</h1>${menu}`],
    ['a list after a text', `<p>${prose}</p>${menu}`],
    ['a list alone', menu],
    ['a text named as a menu', `<h1>Kettles</h1><div class=menu><p>${prose} <a href=/1>Home</a></p></div>`],
    ['a page that marks its main content', `<main>${menu}<h1>Kettles</h1></main>`],
  ])('keeps %s', (_, html) => {
    expect(textOf(html, { main: true }).text).toContain('Home');
  });

  it('keeps the main element and what it is in', () => {
    const html = '<header><nav>out</nav><div><main>in</main></div><footer>out</footer></header>';
    expect(textOf(html, { main: true })).toEqual({ text: 'in', warnings: [] });
    expect(textOf('<div role=dialog>in<p role=main>in</p></div>', { main: true }).text).toBe('in\nin');
  });

  it('of a page of which nothing would be left is the whole page, with a warning', () => {
    const warnings = ['formats.text MAIN_NOT_FOUND'];
    expect(textOf('<header><p>one</p></header> <nav>two</nav>', { main: true })).toEqual({
      text: 'one\ntwo',
      warnings,
    });
    expect(textOf('<header>one<b>two', { main: true, exclude: 'b' })).toEqual({ text: 'one', warnings });
  });

  it('of a gallery is the gallery, and of an empty page nothing', () => {
    const gallery = '<header>Shop</header><main><img src=/a.png alt="A kettle"></main>';
    const { markdown, warnings } = read(gallery, [{ type: 'markdown', main: true }]);
    expect([markdown, warnings]).toEqual(['![A kettle](https://shop.example/a.png)', []]);
    expect(textOf('<header> </header>', { main: true })).toEqual({ text: '', warnings: [] });
  });
});

describe('include and exclude', () => {
  const page = `<div id=a>one <i>two</i> <b>three</b></div><p>four <a href=/4><i>x</i>go</a></p><aside class=note>five</aside>`;

  it.each<[Part, string]>([
    [{ include: 'p, i' }, 'two\nfour xgo'],
    [{ include: '#a', exclude: 'i' }, 'one three'],
    [{ exclude: 'i, p, .none' }, 'one three\nfive'],
    [{ exclude: 'body' }, ''],
    [{ include: 'i', exclude: '#a' }, 'x'],
    [{ include: ':scope' }, 'one two three\nfour xgo\nfive'],
    [{ include: 'p, .note', main: true }, 'four xgo\nfive'],
    [{ include: '#a, #a b', main: true }, 'one two three'],
  ])('%j keep and leave out elements', (part, expected) => {
    expect(textOf(page, part)).toEqual({ text: expected, warnings: [] });
  });

  it('hold for links and their texts', () => {
    expect(read(page, [{ type: 'links', exclude: 'i' }]).links).toEqual([
      { url: 'https://shop.example/4', text: 'go', rel: null },
    ]);
    expect(read(page, [{ type: 'links', include: '#a' }]).links).toEqual([]);
  });

  it('write the elements as HTML, and a document without what is left out as a document', () => {
    const htmlOf = (part: Part) =>
      read(`<!doctype html><title>T</title>${page}`, [{ type: 'html', ...part }]).html;
    expect(htmlOf({ include: 'i, .note' })).toBe('<i>two</i>\n<i>x</i>\n<aside class="note">five</aside>');
    expect(htmlOf({ exclude: 'div, aside, a' })).toBe(
      '<!DOCTYPE html><html><head><title>T</title></head><body><p>four </p></body></html>',
    );
  });

  it('give nothing and a warning when include matches nothing', () => {
    const formats: Format[] = [
      { type: 'markdown', include: '.none' },
      { type: 'html', include: '.none' },
    ];
    expect(read(page, formats)).toEqual({
      markdown: '',
      html: '',
      warnings: ['formats.markdown SELECTOR_NO_MATCH', 'formats.html SELECTOR_NO_MATCH'],
    });
  });

  it('leave out the menus and the skip links of a page with a main part, and a named menu of titles', () => {
    const tools = '<a class="md-skip" href="#x">Skip to content</a><ul role=menu><li>Light<li>Dark</ul>';
    expect(
      textOf(`${tools}<main><h1>Kettles</h1><a class=skipped href="#y">b</a></main>`, { main: true }).text,
    ).toBe('Kettles\nb');
    const menu =
      '<div class="navheader"><table><tr><th colspan=3>2.6. Joins between the tables<tr><td><a href=p>Prev</a><td>Chapter 2. The language of the kettle<td><a href=n>Next</a></table></div>';
    const text = `<h2>Joins</h2><p>${'The kettle boils, and it whistles. '.repeat(4)}</p>`;
    expect(textOf(`${menu}${text}`, { main: true }).text).not.toContain('Chapter 2');
  });

  it('leave out menus and footers beside a main part, by their links and names, and keep those inside', () => {
    const menu =
      '<div class=navbar><ul><li><a href=/>Shop</a><li><a href=/a>Teas</a><li><a href=/b>Cups</a></ul></div>';
    const main = `<div role=main><h1>Kettles</h1><p>Two of them.</p>${menu}</div>`;
    const beside = '<div class=note>Closed today</div><div class=footer>By <a href=/c>us</a></div>';
    expect(textOf(`${menu}${main}${beside}`, { main: true }).text).toBe(
      'Kettles\nTwo of them.\nShop\nTeas\nCups\nClosed today',
    );
  });

  it('are charged as other selectors are', () => {
    const budget = new Budget({ maxSteps: 20_000 });
    const items = '<p>x'.repeat(1000);
    expect(() => read(items, [{ type: 'html', exclude: 'p' }], budget)).not.toThrow();
    const costly: Format[] = [{ type: 'html', exclude: 'p:nth-child(n of p + p) ~ p:not(p + p + p)' }];
    expect(() => read(items, costly, new Budget({ maxSteps: 20_000 }))).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_CONTENT' }),
    );
  });

  it('leave elements out of XML', () => {
    const document = parseDocument('<feed><entry>one<id>1</id></entry><id/></feed>', { kind: 'xml' });
    const formats = planFormats([
      { type: 'html', exclude: 'id' },
      { type: 'text', include: 'entry', main: true },
    ]);
    expect(extractFormats(document, formats, { baseUrl }).json).toBe(
      JSON.stringify({ html: '<feed><entry>one</entry></feed>', text: 'one1' }),
    );
  });
});

describe('planFormats', () => {
  it('lists every selector that is not valid, by its path', () => {
    const formats: Format[] = ['text', { type: 'html', include: 'p[', exclude: 'h1::text' }];
    expect(() => planFormats(formats)).toThrow(
      expect.objectContaining({
        code: 'INVALID_SELECTOR',
        details: [
          { path: 'formats.1.include', message: expect.any(String) },
          { path: 'formats.1.exclude', message: expect.stringContaining('leave out ::text') },
        ],
      }),
    );
  });
});
