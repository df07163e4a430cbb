import { describe, expect, it } from '@jest/globals';
import { Budget } from '../budget.ts';
import { type DocumentKind, type ParsedDocument, parseDocument } from '../dom/parse-document.ts';
import { collapse, isUnseen, keptText, pageText, textOf } from './text-of.ts';

const bodyOf = ({ elements, root }: ParsedDocument) => elements.find(({ name }) => name === 'body') ?? root;
const text = (html: string): string => textOf(bodyOf(parseDocument(html)), new Budget());
const kept = (html: string): string => keptText(bodyOf(parseDocument(html)), isUnseen, new Budget());

describe('textOf', () => {
  it('keeps words apart at line breaks and at the borders of blocks, items and cells', () => {
    expect(text('<p>Main St 5<br>12345 Berlin</p>')).toBe('Main St 5 12345 Berlin');
    expect(text('<ul><li>one<li>two</ul>three')).toBe('one two three');
    expect(text('<table><caption>c</caption><tr><th>a<td>b<tr><td>c</table>')).toBe('c a b c');
    expect(text('<dl><dt>a<dd>b</dl><select><option>c<option>d</select>')).toBe('a b c d');
    expect(text('a<div></div>b<hr>c<xmp>d</xmp>e')).toBe('a b c d e');
    expect(text('<svg><title>Logo</title><text>a</text><text>b<tspan>c</tspan></text></svg>d')).toBe(
      'Logo a bc d',
    );
  });

  it('adds no space around elements inside a line', () => {
    expect(text('w<b>o</b><i>r</i><a href=/>d</a><span>s</span><wbr>!<img><button>?</button>')).toBe(
      'words!?',
    );
    expect(text('<math><mi>x</mi><mo>+</mo></math>')).toBe('x+');
  });

  it('reads a formula once, as its TeX where the page has that', () => {
    const math =
      '<math><msup><mi>c</mi><mn>2</mn></msup><annotation encoding="application/x-tex">c^2</annotation></math>';
    const katex = `<span class=katex-mathml>${math}</span><span class=katex-html aria-hidden=true>c2</span>`;
    expect(text(`<p>so <span>${katex}</span>.`)).toBe('so c^2.');
    expect(text('<p>so <span class=MathJax>c2</span><script type="math/tex">c^2</script>.')).toBe('so c^2.');
    expect(text('<p>so <math><msup><mi>c</mi><mn>2</mn></msup></math>.')).toBe('so c2.');
  });

  it('keeps elements of XML apart unless there is text between them', () => {
    const root = parseDocument('<r><a><n>X</n><m>Y</m></a><t>The <i>E. coli</i>-strain</t></r>', {
      kind: 'xml',
    }).root;
    expect(textOf(root, new Budget())).toBe('X Y The E. coli-strain');
  });
});

describe('keptText', () => {
  it('has a line break for each br, and one at the borders of blocks', () => {
    expect(kept('a<br>b<br><br>c')).toBe('a\nb\n\nc');
    expect(kept('<div>a</div><div>b</div><p>c</p>d')).toBe('a\nb\nc\nd');
    expect(kept('<table><tr><td>a<td>b<tr><td>c</table>')).toBe('a\nb\nc');
    expect(kept('<pre>  if\n    x</pre>')).toBe('  if\n    x');
  });

  it('adds none where the source has one, and none around the text', () => {
    expect(kept('<p>a<br>\n  b</p>')).toBe('a\n  b');
    expect(kept('<ul>\n<li>a\n<li>b</ul>')).toBe('\na\nb');
    expect(kept('<div><div>a</div></div>')).toBe('a');
    expect(kept('<p>a </p> <p>b</p>')).toBe('a \n b');
    expect(kept('<br>a<br>')).toBe('\na\n');
  });
});

describe('pageText', () => {
  it('has each block on a line of its own', () => {
    const read = (source: string, kind: DocumentKind) =>
      pageText(parseDocument(source, { kind }), new Budget());
    expect(read('<title>t</title><h1>a</h1><p>b <b>c</b><script>d</script>', 'html')).toBe('a\nb c');
    expect(read('<a><b>1</b><c>2</c></a>', 'xml')).toBe('1\n2');
  });
});

describe('collapse', () => {
  it('replaces each run of white space by one space and trims the ends', () => {
    expect(collapse(' \t\na \u00A0\r\nb\f')).toBe('a b');
    expect(collapse(' \n ')).toBe('');
    expect(collapse('')).toBe('');
  });

  it('does the same for long texts, wherever they have white space', () => {
    for (const text of [`${'ab \n'.repeat(50_000)}x`, ` ${' '.repeat(140_000)}x${'\n'.repeat(70_000)}y `]) {
      expect(collapse(text)).toBe(text.replace(/\s+/g, ' ').trim());
    }
  });
});
