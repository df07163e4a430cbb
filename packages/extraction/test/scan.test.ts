import { describe, expect, it } from '@jest/globals';
import { type Node, nextInside } from '../src/dom/node.ts';
import { parseProjection } from '../src/dom/projection/parse-projection.ts';
import type { Projection } from '../src/dom/projection/projection.ts';
import { scanPage } from '../src/dom/scan/scan-page.ts';
import { Budget } from '../src/index.ts';
import { readCorpus } from './browser/corpus.ts';
import { createRandom, type Random } from './random.ts';

/** Everything, the usual fields of a page, and elements with an attribute. */
const PROJECTIONS: readonly Projection[] = [
  { names: null, markers: new Set(), attributes: new Set(['href', 'class', 'title', 'lang']), texts: null },
  {
    names: new Set(['title', 'h1', 'p', 'meta', 'h2', 'a', 'script', 'style']),
    markers: new Set(),
    attributes: new Set(['content', 'href']),
    texts: new Set(['title', 'h1', 'p', 'h2']),
  },
  {
    names: new Set(['td', 'li', 'option', 'script', 'style']),
    markers: new Set(['class', 'id']),
    attributes: new Set(['class', 'id', 'href']),
    texts: new Set(['td', 'li', 'select', 'svg', 'pre', 'textarea']),
  },
];

/** Returns the nodes in document order, each with its depth. */
function outline(root: Node): unknown[] {
  const lines: unknown[] = [];
  for (let node: Node | null = root; node !== null; node = nextInside(root, node)) {
    let depth = 0;
    for (let parent = node.parent; parent !== null; parent = parent.parent) depth++;
    const { kind, name, namespace, value, attributes } = node;
    lines.push({ depth, kind, name, namespace, value, attributes });
  }
  return lines;
}

function scan(html: string, projection: Projection) {
  const found = scanPage(html, projection, new Budget());
  return found && { nodes: outline(found.root), isQuirks: found.mode === 'quirks' };
}

function parse(html: string, projection: Projection) {
  const found = parseProjection(html, projection, new Budget());
  return found && { nodes: outline(found.root), isQuirks: found.mode === 'quirks' };
}

/** Compares the scan with parse5, unless the scan leaves the page to it; returns the number of comparisons. */
function compare(html: string): number {
  let compared = 0;
  for (const projection of PROJECTIONS) {
    const scanned = scan(html, projection);
    if (scanned === null) continue;
    compared++;
    const parsed = parse(html, projection);
    if (JSON.stringify(scanned) !== JSON.stringify(parsed))
      expect({ html, projection, ...scanned }).toEqual({ html, projection, ...parsed });
  }
  return compared;
}

const NAMES = [
  ...'div p section ul ol dl article h1 h2 h3 pre form blockquote nav main address center button'.split(' '),
  ...'a b i em code span strong u font small label custom-x sub ruby s big noscript'.split(' '),
  ...'br img hr input meta link wbr source base li dd dt select option optgroup'.split(' '),
  ...'table tbody tr td th caption colgroup col thead tfoot svg path g title desc'.split(' '),
  ...'textarea script style iframe template nobr image html head body frameset object dialog rt DIV Td'.split(
    ' ',
  ),
];
const ATTRIBUTES = [
  ...['', '', '', ' class=x', ' id="a b"', " href='/x?a=1&b=2&copy=3'", ' href=/x/', ' CLASS="Y" title', '/'],
  ...[' href="a&amp;b"', ' class=x class=y', ' =x', ' a/b=c', ' href="x\r\ny"', ' title="a>b"', ' href="&"'],
  ...[' href=&amp', ' href="&not=x&notx&not"', ' content="&lt;&#39;&quot&gt"', ' lang=de', ' xlink:href=x'],
];
const TEXTS = [
  ...[
    'word',
    ' ',
    '\n',
    'a &amp; b',
    '&copy;x',
    '&#65;',
    '&ampx',
    'x < y',
    '<',
    '&',
    '&nbsp;',
    'é',
    '&notit;',
  ],
  ...[
    '\r\n',
    '&#13;',
    '&#x80;',
    '\t\f',
    '&lt',
    '&#0;',
    '\0',
    '</',
    '</>',
    '<a',
    '<!-- c -->',
    '<!-->',
    '<?pi ?>',
  ],
  ...[
    '<!--->',
    '<!--a--!>b-->',
    '<!bogus>',
    '<!-- <!-- x -->',
    '<![CDATA[x]]>',
    '<!doctype html>',
    '<!--x--',
    '<!--!>-->',
    '<!---!>-->',
    '<!----!>',
    '<pre>&NewLine;x</pre>',
    '<pre></>\nx</pre>',
    '<textarea>&NewLine;</textarea>',
  ],
  ...[
    '<script><!--<script></script>--></script>',
    '<style>a > b { } </style >',
    '<title>a &amp; <b> c</title>',
  ],
  ...['<textarea>\nx</textarea>', '<pre>\n\ny', '</p>', '</br>', '</body>', '</html>', '<svg/>'],
  ...['<svg viewBox="0 0 1 1"><title>t &amp; u</title><linearGradient id=g /></svg>'],
  ...['<table><thead><th>x</thead><tbody><tr><td>1<td>2<tr><td>3</table>', '<h1>x<h2>y</h1>'],
  ...[
    '<table><caption>c</caption><col><colgroup><col></colgroup><tr></tr></table>',
    '<dl><dt>a<dd>b<dt>c</dl>',
  ],
];
const STARTS = [
  ...[
    '',
    '<!doctype html>',
    '<html><title>x</title>',
    '<!doctype html><body>',
    '<title>x</title> y ',
    '<meta><p>',
  ],
  '<!DOCTYPE html>\n<html lang=en class=x>\n<head>\n<meta charset=utf-8><title>T</title>\n</head>\n<body class=y>\n',
  ' <!-- x --><!doctype html><html><head><link><noscript><link></noscript><script>1</script></head> <body>',
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">',
  '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">',
  '<!doctype html SYSTEM "about:legacy-compat">',
];

function nested(random: Random, depth = 0): string {
  return Array.from({ length: random.below(5) }, () => {
    if (depth > 6 || random.below(3) === 0) return random.pick(TEXTS);
    const name = random.pick(NAMES);
    const end = random.below(6) > 0 ? `</${name}>` : '';
    return `<${name}${random.pick(ATTRIBUTES)}>${nested(random, depth + 1)}${end}`;
  }).join('');
}

function flat(random: Random): string {
  return Array.from({ length: random.below(12) }, () => {
    const tag = `<${random.pick(['', '/'])}${random.pick(NAMES)}${random.pick(ATTRIBUTES)}>`;
    return random.below(3) === 0 ? random.pick(TEXTS) : tag;
  }).join('');
}

const ROWS = [
  '<tr>',
  '<tr>\n',
  '',
  '</tr>',
  '<tbody>',
  '</tbody>',
  '</thead>',
  '<col>',
  '</caption>',
  '</td>',
  '<tfoot>',
];

function table(random: Random): string {
  const cell = () =>
    random.pick(['<td>', '<th class=x>']) + nested(random, 5) + random.pick(['', '</td>', '\n', '</b>']);
  const row = () => random.pick(ROWS) + cell() + cell() + random.pick(['', '</th>', '</tr>', '</tbody>']);
  return `<table>${row()}${row()}${row()}${random.pick(['</table>', ''])}`;
}

describe('scanPage', () => {
  it('builds the projections of parse5, for all recorded pages', () => {
    let compared = 0;
    for (const { html } of readCorpus()) compared += compare(html);
    expect(compared).toBeGreaterThan(50);
  });

  it('reads each character of comments a bounded number of times', () => {
    // Far beyond the time limit of a test if every comment is searched to the end of the page.
    const html = `${'<!----!>'.repeat(500_000)}<p>x</p>-->`;
    expect(compare(html)).toBe(PROJECTIONS.length);
  });

  it.each(Array.from({ length: 10 }, (_, index) => 300 + index))(
    'builds the projections of parse5, for random markup (seed %i)',
    (seed) => {
      const random = createRandom(seed);
      let compared = 0;
      for (let count = 0; count < 1000; count++) {
        const content = random.pick([nested, flat, table, table])(random);
        compared += compare(
          random.pick(STARTS) + content + random.pick(['', '</body></html>\n', '</body> x']),
        );
      }
      expect(compared).toBeGreaterThan(300);
    },
  );

  it.each([
    '<!doctype html><html lang=en><head><title>T</title></head><body><p>One<p>Two</body></html>',
    '<p>without <b>head</b> or <i>body</i>',
    '<ul><li>1<li>2<ul><li>3</ul></ul><dl><dt>a<dd>b</dl>',
    '<table><tr><td>1<td><b>2</b><table><tr><td>3</table></table>',
    '<form><select><option>1<option>2</select><textarea><p></textarea></form>',
    '<a href="/?a=1&amp;b=2"><svg><path d="M0"/><title>t</title></svg></a>',
    '<script>if (a < b) "</p>"</script><style>a > b {}</style><!-- <p> -->',
  ])('reads %s', (html) => expect(scan(html, PROJECTIONS[1] as Projection)).not.toBeNull());

  it.each([
    ['misnested formatting', '<p><b>one</p>two'],
    ['formatting around a block that ends inside', '<b><p>one</b>two'],
    ['a link in a link', '<a>one<a>two'],
    ['text in a table', '<table>text<tr><td>'],
    ['a template', '<template><p></template>'],
    ['MathML', '<math><mi>x</mi></math>'],
    ['a frameset', '<frameset><frame></frameset>'],
    ['an element of HTML in SVG', '<svg><p>text</svg>'],
    ['a second body', '<body><p>one<body class=x>'],
    ['metadata behind the head', '<head></head><style></style><p>'],
    ['a null', '<p>\0'],
    ['a doctype in quirks mode', '<!doctype html public "-//W3C//DTD HTML 3.2 Final//EN"><p>'],
    ['a tag without an end', '<p>text<a href="x'],
    ['a script that hides its end', '<script><!--<script></script>--></script>'],
    ['many open elements', '<div>'.repeat(200)],
  ])('leaves %s to parse5', (_what, html) => expect(scan(html, PROJECTIONS[1] as Projection)).toBeNull());

  it('charges each element to the budget', () => {
    const html = '<p><br>'.repeat(1000);
    expect(() => scanPage(html, PROJECTIONS[1] as Projection, new Budget({ maxSteps: 5000 }))).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_CONTENT' }),
    );
  });
});
