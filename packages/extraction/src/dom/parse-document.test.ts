import { describe, expect, it } from '@jest/globals';
import { Budget } from '../budget.ts';
import { htmlOf } from '../read/html-of.ts';
import { type Node, NodeKind, nextInside } from './node.ts';
import { parseDocument } from './parse-document.ts';

function namesOf(html: string): string[] {
  return parseDocument(html).elements.map(({ name }) => name);
}

function rawTextOf(root: Node): string {
  let text = '';
  for (let node = nextInside(root, root); node !== null; node = nextInside(root, node)) {
    if (node.kind === NodeKind.text) text += node.value;
  }
  return text;
}

describe('parseDocument', () => {
  it('has no element of a noscript in the head, which has one text, as in a browser with scripts', () => {
    const pixel = '<noscript><img src="/pixel?a=1&b=2"></noscript><title>t</title><p>x';
    const document = parseDocument(pixel);
    expect(document.elements.map(({ name }) => name)).toEqual([
      'html',
      'head',
      'noscript',
      'title',
      'body',
      'p',
    ]);
    expect(htmlOf(document.elements[1] as Node, new Budget())).toContain(
      pixel.slice(0, pixel.indexOf('<p>')),
    );
    // Before a head is open, and after it is closed.
    expect(namesOf('<noscript><p>x</p></noscript>')).toEqual(['html', 'head', 'noscript', 'body']);
    expect(namesOf('<head></head><noscript><p>x')).toEqual(['html', 'head', 'body', 'noscript', 'p']);
  });

  it('parses noscript in the body as markup and keeps template contents out of the document', () => {
    expect(namesOf('<body><noscript><p>x</noscript><template><i>y</template>')).toEqual([
      'html',
      'head',
      'body',
      'noscript',
      'p',
      'template',
    ]);
  });

  it('puts the content of an open declarative shadow root into its host', () => {
    const shadow = '<template shadowrootmode=open><h2>x</h2><slot></slot></template>';
    expect(namesOf(`<body><my-card>${shadow}<b>y</b></my-card><i>z`)).toEqual([
      ...['html', 'head', 'body', 'my-card', 'template', 'h2', 'slot', 'b', 'i'],
    ]);
    expect(namesOf(`<body>${shadow.replace('open', 'closed')}`)).not.toContain('h2');
  });

  it.each([
    'a <b>c</b> &amp; </pre>\r\n  <!-- d -->',
    '\nbegins with a line break',
    '{"a":"<h1>x</h1>"}',
    '',
  ])('keeps the text %j unchanged', (text) => {
    for (const kind of ['text', 'json'] as const) {
      const { root, elements, isQuirks } = parseDocument(text, { kind });
      expect(elements.map(({ name }) => name)).toEqual(['html', 'head', 'body', 'pre']);
      expect(rawTextOf(root)).toBe(text.replaceAll('\r\n', '\n'));
      expect(isQuirks).toBe(false);
    }
  });

  it('keeps the source of JSON documents, also of those sent as HTML, and of no others', () => {
    const source = ' {"a": "<b>\r\n</b>"}\n';
    for (const kind of ['json', 'html'] as const) {
      expect(parseDocument(source, { kind }).jsonSource).toBe(source);
    }
    for (const kind of ['text', 'xml'] as const) {
      expect(parseDocument(source, { kind }).jsonSource).toBeNull();
    }
    for (const page of ['{broken} <p>a</p>', '<p>{"a": 1}</p>', '{', '']) {
      expect(parseDocument(page).jsonSource).toBeNull();
    }
  });

  it('parses long texts to the end', () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `${index} <i> & ü\0\n`).join('');
    expect(rawTextOf(parseDocument(lines, { kind: 'text' }).root)).toBe(lines.replaceAll('\0', '\ufffd'));
  });

  it('indexes elements in document order with their parents, siblings and ends', () => {
    const { parents, previous, ends } = parseDocument('<body><ul><li>a<!-- --><li>b</ul><p>c');
    expect([...parents]).toEqual([-1, 0, 0, 2, 3, 3, 2]);
    expect([...previous]).toEqual([-1, -1, 1, -1, -1, 4, 3]);
    expect([...ends]).toEqual([7, 2, 7, 6, 5, 6, 7]);
  });

  it('detects quirks mode', () => {
    expect(parseDocument('<p>').isQuirks).toBe(true);
    expect(parseDocument('<!doctype html><p>').isQuirks).toBe(false);
  });

  it('keeps the links between nodes consistent in misnested and foster-parented markup', () => {
    const html =
      '<table>a<b><tr><td>c</b><i>d<p>e</i>f<table>g<a><a></table></table><html id=x><body class=y>z';
    const { root } = parseDocument(html);
    for (let node = nextInside(root, root); node !== null; node = nextInside(root, node)) {
      expect(node.next === null ? node.parent?.last : node.next.previous).toBe(node);
      expect(node.previous === null ? node.parent?.first : node.previous.next).toBe(node);
    }
  });

  it('adds attributes of a second html or body tag that the first lacks', () => {
    const { elements } = parseDocument('<html a=1><body b=1><html a=2 c=3><body b=2 d=4>');
    expect(elements[0]?.attributes.map(({ name, value }) => name + value)).toEqual(['a1', 'c3']);
    expect(elements[2]?.attributes.map(({ name, value }) => name + value)).toEqual(['b1', 'd4']);
  });

  it('stops at the budget when a page multiplies its elements', () => {
    const formatting = Array.from({ length: 2000 }, (_, index) => `<b id=${index}>`).join('');
    const html = `<p>${formatting}${'<p>x'.repeat(2000)}`;
    expect(() => parseDocument(html, { budget: new Budget({ maxSteps: 1_000_000 }) })).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_CONTENT' }),
    );
  });
});
