import { html, InsertionMode, Parser, TokenizerMode } from 'parse5';
import { Budget } from '../budget.ts';
import { type Node, NodeKind, nextInside } from './node.ts';
import { SkimmingTokenizer } from './skimming-tokenizer.ts';
import { TextBuffer } from './text-buffer.ts';
import { createTreeAdapter, type NodeTypes, type ParseState } from './tree-adapter.ts';
import { parseXml } from './xml/parse-xml.ts';
import { XmlFault } from './xml/xml-fault.ts';

/** A parsed page, with its elements numbered in document order; template contents are not among them. */
export interface ParsedDocument {
  readonly root: Node;
  readonly elements: readonly Node[];
  /** For each element the order of its parent element, -1 for the outermost. */
  readonly parents: Int32Array;
  /** For each element the order of the element sibling before it, -1 for the first. */
  readonly previous: Int32Array;
  /** For each element the order of the first element after its subtree. */
  readonly ends: Int32Array;
  /** Form controls that came while a form was open, and that form, which need not be around them. */
  readonly parserForms: ReadonlyMap<Node, Node>;
  /** Class names and ids compare without case in quirks mode. */
  readonly isQuirks: boolean;
  /** Names of elements and attributes compare as they are written, and markup is serialised as XML. */
  readonly isXml: boolean;
  /** Why a document that should be XML was read as HTML; null for every other. */
  readonly xmlFault: string | null;
}

/** What a source is to a browser: one of two kinds of markup, or text that it shows as it stands. */
export type DocumentKind = 'html' | 'xml' | 'text';

/** What the source is (HTML unless given), and what `parseDocument` may spend. */
export interface ParseOptions {
  readonly kind?: DocumentKind;
  readonly budget?: Budget;
}

/**
 * Parses as a browser with scripts off does: noscript is markup, and a text stands in a `pre`
 * (https://html.spec.whatwg.org/#navigate-text). XML that is not well-formed, of which a browser shows the fault, is read
 * as HTML. Throws UNSUPPORTED_CONTENT when the tree outgrows the budget.
 */
export function parseDocument(
  source: string,
  { kind = 'html', budget = new Budget() }: ParseOptions = {},
): ParsedDocument {
  return kind === 'xml' ? readXml(source, budget) : readHtml(source, kind, budget);
}

function readXml(source: string, budget: Budget): ParsedDocument {
  try {
    const root = parseXml(source, budget);
    const nature = { parserForms: new Map(), isQuirks: false, isXml: true, xmlFault: null };
    return { root, ...nature, ...indexElements(root) };
  } catch (error) {
    if (!(error instanceof XmlFault)) throw error;
    return { ...readHtml(source, 'html', budget), xmlFault: error.message };
  }
}

function readHtml(source: string, kind: 'html' | 'text', budget: Budget): ParsedDocument {
  const state: ParseState = {
    mode: html.DOCUMENT_MODE.NO_QUIRKS,
    texts: new TextBuffer(),
    openForm: () => null,
    parserForms: new Map(),
  };
  const root = parse(source, kind, { state, budget });
  state.texts.flush();
  const { mode, parserForms } = state;
  const isQuirks = kind === 'html' && mode === html.DOCUMENT_MODE.QUIRKS;
  return { root, parserForms, isQuirks, isXml: false, xmlFault: null, ...indexElements(root) };
}

/** Where words and the white space between them are inserted alike. */
const WORD_JOINING_MODES: ReadonlySet<InsertionMode> = new Set([
  InsertionMode.IN_BODY,
  InsertionMode.IN_CELL,
  InsertionMode.IN_CAPTION,
  InsertionMode.TEXT,
]);

/** A text stands behind this, and no tag in it counts. The parser drops the line break. */
const BEFORE_TEXT = '<pre>\n';

function parse(
  source: string,
  kind: 'html' | 'text',
  { state, budget }: { readonly state: ParseState; readonly budget: Budget },
): Node {
  const treeAdapter = createTreeAdapter(state, budget);
  const parser = new Parser<NodeTypes>({ scriptingEnabled: false, treeAdapter });
  state.openForm = () => parser.formElement;
  const joinsWords = () => WORD_JOINING_MODES.has(parser.insertionMode);
  parser.tokenizer = new SkimmingTokenizer(parser, { joinsWords });
  if (kind === 'text') {
    parser.tokenizer.write(BEFORE_TEXT, false);
    parser.tokenizer.state = TokenizerMode.PLAINTEXT;
  }
  parser.tokenizer.write(source, true);
  return parser.document;
}

function indexElements(root: Node): Pick<ParsedDocument, 'elements' | 'parents' | 'previous' | 'ends'> {
  const elements: Node[] = [];
  for (let node: Node | null = root; node !== null; node = nextInside(root, node)) {
    if (node.kind === NodeKind.element) node.order = elements.push(node) - 1;
  }
  const parents = new Int32Array(elements.length);
  const previous = new Int32Array(elements.length).fill(-1);
  const ends = new Int32Array(elements.length);
  for (const { order, parent, next } of elements) {
    parents[order] = parent?.order ?? -1;
    let sibling = next;
    while (sibling !== null && sibling.kind !== NodeKind.element) sibling = sibling.next;
    if (sibling !== null) previous[sibling.order] = order;
  }
  for (let order = elements.length - 1; order >= 0; order--) {
    const end = Math.max(ends[order] as number, order + 1);
    ends[order] = end;
    const parent = parents[order] as number;
    if (parent >= 0 && end > (ends[parent] as number)) ends[parent] = end;
  }
  return { elements, parents, previous, ends };
}
