import { describe, expect, it } from '@jest/globals';
import { parse, html as parse5Html } from 'parse5';
import { Budget } from '../src/budget.ts';
import { type Node, NodeKind } from '../src/dom/node.ts';
import { parseDocument } from '../src/dom/parse-document.ts';
import { TextBuffer } from '../src/dom/text-buffer.ts';
import { createTreeAdapter, type ParseState } from '../src/dom/tree-adapter.ts';
import { createRandom, type Random } from './random.ts';

const SEEDS = Array.from({ length: 50 }, (_, index) => 7000 + index);
const DOCUMENTS_PER_SEED = 200;
const MAX_PIECES = 40;

const PIECES = [
  ...['word', 'two words', ' ', '  ', '\n', '\r', '\r\n', '\t', '\f', '\u0000', '\u007f', '\u0085', '\u00a0'],
  ...[
    'ü',
    '€',
    '\ud83d\ude00',
    '\ud83d',
    '\ude00',
    '\ufdd0',
    '\uffff',
    '&',
    '&amp;',
    '&am',
    '&#13;',
    '&notit;',
    '&#x20;',
  ],
  ...[
    '<',
    '>',
    '/',
    '=',
    '"',
    "'",
    '-',
    '--',
    '!',
    '?',
    ']]>',
    '<!--',
    '-->',
    '--!>',
    '<!---',
    '<![CDATA[',
    '<?php x',
  ],
  ...[
    '<p>',
    '</p>',
    '<P CLASS=A>',
    '<div data-some-long-name="a b&lt;c">',
    '</div>',
    '<a href="x?a=1&b=2&copy=3">',
  ],
  ...[
    "<a href='q\r\nw' HREF=2 title>",
    '</a>',
    '<b',
    ' x',
    ' a-very-long-attribute-name=value',
    '<b><i>',
    '</b>',
  ],
  ...[
    '<pre>',
    '<pre>\n\n',
    '</pre>',
    '<textarea>\n a b',
    '</textarea>',
    '<title>',
    '</title>',
    '<script>',
    '</script>',
  ],
  ...[
    '<style>',
    '</style >',
    '<xmp>',
    '<plaintext>',
    '<table>',
    '<tr>',
    '<td>',
    '<caption>',
    '<colgroup>',
    '</table>',
  ],
  ...[
    '<select>',
    '<option>',
    '</select>',
    '<svg>',
    '<svg><title>',
    '</svg>',
    '<math><mi>',
    '</math>',
    '<template>',
  ],
  ...[
    '</template>',
    '<frameset>',
    '</frameset>',
    '<html>',
    '<head>',
    '</head>',
    '<body class=x>',
    '</body>',
    '</html>',
  ],
  ...[
    '<!doctype html>',
    '<!DOCTYPE>',
    '<noscript>',
    '</noscript>',
    '<custom-element2>',
    '<tag\u0000name>',
    '<ÄÖ>',
  ],
];

function randomDocument(random: Random): string {
  return Array.from({ length: random.below(MAX_PIECES) }, () => random.pick(PIECES)).join('');
}

/** Parses the source with parse5's own tokenizer. */
function parseSlowly(source: string): Node {
  const state: ParseState = {
    mode: parse5Html.DOCUMENT_MODE.NO_QUIRKS,
    texts: new TextBuffer(),
    openForm: () => null,
    parserForms: new Map(),
  };
  const root = parse(source, {
    scriptingEnabled: false,
    treeAdapter: createTreeAdapter(state, new Budget()),
  });
  state.texts.flush();
  return root;
}

/** Returns everything in a tree, for comparison. */
function describeTree(node: Node): unknown {
  const children: unknown[] = [];
  for (let child = node.first; child !== null; child = child.next) children.push(describeTree(child));
  const { kind, name, namespace, value, attributes, content } = node;
  if (kind === NodeKind.text) return value;
  return { kind, name, namespace, value, attributes, children, content: content && describeTree(content) };
}

describe('SkimmingTokenizer', () => {
  it.each(SEEDS)("builds the same trees as parse5's tokenizer (seed %i)", (seed) => {
    const random = createRandom(seed);
    for (let count = 0; count < DOCUMENTS_PER_SEED; count++) {
      const source = randomDocument(random);
      const tree = { source, tree: describeTree(parseDocument(source).root) };
      expect(tree).toEqual({ source, tree: describeTree(parseSlowly(source)) });
    }
  });

  it('reads texts, values, comments and names of any length', () => {
    const long = 'abc def '.repeat(30_000);
    const name = 'n'.repeat(70_000);
    const source = `<p title="${long}" ${name}='${long}'>${long}<!--${long}--><x${name}>${long}\r\n${long}`;
    expect(describeTree(parseDocument(source).root)).toEqual(describeTree(parseSlowly(source)));
  });
});
