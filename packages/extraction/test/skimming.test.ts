import { createRandom } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { Parser, html as parse5Html } from 'parse5';
import { Budget } from '../src/budget.ts';
import { type Node, NodeKind } from '../src/dom/node.ts';
import { readsNoscriptInHeadAsText } from '../src/dom/noscript-in-head.ts';
import { parseDocument } from '../src/dom/parse-document.ts';
import { createTreeAdapter, type NodeTypes, type ParseState, TextBuffer } from '../src/dom/tree-adapter.ts';
import { randomMarkup } from './random-markup.ts';

const SEEDS = Array.from({ length: 50 }, (_, index) => 7000 + index);
const DOCUMENTS_PER_SEED = 200;
/** Parses the source with parse5's own tokenizer. */
function parseSlowly(source: string): Node {
  const state: ParseState = {
    mode: parse5Html.DOCUMENT_MODE.NO_QUIRKS,
    texts: new TextBuffer(),
    openForm: () => null,
    onElement: () => {},
    parserForms: new Map(),
  };
  const parser = new Parser<NodeTypes>({ treeAdapter: createTreeAdapter(state, new Budget()) });
  state.onElement = readsNoscriptInHeadAsText(parser);
  parser.tokenizer.write(source, true);
  const root = parser.document;
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
      const source = randomMarkup(random);
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
