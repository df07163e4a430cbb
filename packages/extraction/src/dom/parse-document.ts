import { normalizeEncoding } from '@exodus/bytes/encoding.js';
import { html, Parser, TokenizerMode } from 'parse5';
import { Budget } from '../budget.ts';
import { attributeOf, isHtmlElement, Namespace, type Node, NodeKind, nextInside } from './node.ts';
import { readsNoscriptInHeadAsText } from './noscript-in-head.ts';
import type { PageFacts } from './page-facts.ts';
import { type ProjectedRoot, type Projection, parseProjection } from './parse-projection.ts';
import { SkimmingTokenizer } from './skimming-tokenizer.ts';
import { createTreeAdapter, type NodeTypes, type ParseState, TextBuffer } from './tree-adapter.ts';
import { XmlError } from './xml/document-type.ts';
import { parseXml, recoverXml } from './xml/parse-xml.ts';

/** A parsed page and its elements in document order, without those inside templates. */
export interface ParsedDocument {
  readonly root: Node;
  readonly elements: readonly Node[];
  /** For each element, the order of its parent element; -1 for the root. */
  readonly parents: Int32Array;
  /** For each element, the order of its previous element sibling; -1 for the first. */
  readonly previous: Int32Array;
  /** For each element, the order of the first element after its subtree. */
  readonly ends: Int32Array;
  /** Form controls with the open form of the parser, which need not be an ancestor. */
  readonly parserForms: ReadonlyMap<Node, Node>;
  /** True in quirks mode, in which class names and ids are compared without case. */
  readonly isQuirks: boolean;
  /** True for XML: names are compared exactly, and markup is serialized as XML. */
  readonly isXml: boolean;
  /** First error of a document that was sent as XML; null for all others. If it is a page, it was parsed as HTML. */
  readonly xmlError: string | null;
  /** Source of a JSON document, also of one that was sent as HTML; null for all others. */
  readonly jsonSource: string | null;
  /** Encoding of the queries of its URLs: for HTML that of the document, otherwise UTF-8. */
  readonly urlEncoding: string;
  /** Facts of the page, for a projection, which need not have its texts; null for all others. */
  readonly facts: PageFacts | null;
}

/** Kind of a source: one of two markup languages, or text that browsers show unchanged, which may be JSON. */
export type DocumentKind = 'html' | 'xml' | 'text' | 'json';

/** Options of `parseDocument`; the kind is HTML by default. */
export interface ParseOptions {
  readonly kind?: DocumentKind;
  readonly budget?: Budget;
  /** The part of an HTML document that is needed: others are left out where that is possible. */
  readonly projection?: Projection | null;
  /** Encoding in which the document was sent; UTF-8 by default. */
  readonly encoding?: string;
}

/**
 * Parses a source as a browser does, without running scripts: a noscript in the body is markup, and a text becomes a `pre`
 * (https://html.spec.whatwg.org/#navigate-text). Of XML that is not well-formed, for which browsers show an error,
 * pages are parsed as HTML, and all others as far as their tags tell. Throws UNSUPPORTED_CONTENT when the tree exceeds the budget.
 */
export function parseDocument(
  source: string,
  { kind = 'html', encoding = UTF_8, ...options }: ParseOptions = {},
): ParsedDocument {
  const document = readDocument(source, kind, options);
  const hasLinks = (kind === 'html' || kind === 'xml') && isHtmlPage(document);
  const urlEncoding = hasLinks ? outputEncoding(encoding) : UTF_8;
  return urlEncoding === UTF_8 ? document : { ...document, urlEncoding };
}

const UTF_8 = 'utf-8';
/** Encodings that are only read. */
const UNWRITABLE: ReadonlySet<string> = new Set(['utf-16le', 'utf-16be', 'replacement']);

/** Returns the encoding for data sent by a document (https://encoding.spec.whatwg.org/#get-an-output-encoding). */
function outputEncoding(encoding: string): string {
  const name = normalizeEncoding(encoding);
  return name === null || UNWRITABLE.has(name) ? UTF_8 : name;
}

function readDocument(
  source: string,
  kind: DocumentKind,
  { budget = new Budget(), projection = null }: Pick<ParseOptions, 'budget' | 'projection'>,
): ParsedDocument {
  if (kind === 'xml') return readXml(source, budget);
  const projected = kind === 'html' && projection && parseProjection(source, projection, budget);
  const document = projected ? documentOf(projected) : readHtml(source, kind, budget);
  return kind === 'html' && looksLikeJson(source) ? { ...document, jsonSource: source } : document;
}

/** Returns true for a source that begins and ends as objects and arrays of JSON do: its tags belong to its texts. */
function looksLikeJson(source: string): boolean {
  return /^[\s\ufeff]*[{[]/.test(source) && /[}\]]$/.test(source.trimEnd());
}

/** Returns true for HTML and XHTML, and false for feeds, drawings and other XML. */
export function isHtmlPage({ isXml, elements: [outermost] }: ParsedDocument): boolean {
  return !isXml || outermost === undefined || isHtmlElement(outermost, 'html');
}

function readXml(source: string, budget: Budget): ParsedDocument {
  try {
    return xmlDocumentOf(parseXml(source, budget), null);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    const root = recoverXml(source, budget);
    if (root !== null) return xmlDocumentOf(root, error.message);
    return { ...readHtml(source, 'html', budget), xmlError: error.message };
  }
}

function xmlDocumentOf(root: Node, xmlError: string | null): ParsedDocument {
  return {
    root,
    parserForms: new Map(),
    isQuirks: false,
    isXml: true,
    xmlError,
    jsonSource: null,
    urlEncoding: UTF_8,
    facts: null,
    ...indexElements(root),
  };
}

function readHtml(source: string, kind: Exclude<DocumentKind, 'xml'>, budget: Budget): ParsedDocument {
  const state: ParseState = {
    mode: html.DOCUMENT_MODE.NO_QUIRKS,
    texts: new TextBuffer(),
    openForm: () => null,
    onElement: () => {},
    parserForms: new Map(),
  };
  const root = parse(source, kind, { state, budget });
  state.texts.flush();
  const { mode, parserForms } = state;
  const document = documentOf({ root, mode, parserForms });
  return kind === 'html'
    ? document
    : { ...document, isQuirks: false, jsonSource: kind === 'json' ? source : null };
}

type DocumentParts = Pick<ProjectedRoot, 'root' | 'mode'> &
  Partial<Pick<ParsedDocument, 'facts' | 'parserForms'>>;

function documentOf({ root, mode, facts = null, parserForms = new Map() }: DocumentParts): ParsedDocument {
  const isQuirks = mode === html.DOCUMENT_MODE.QUIRKS;
  return {
    root,
    parserForms,
    isQuirks,
    isXml: false,
    xmlError: null,
    jsonSource: null,
    urlEncoding: UTF_8,
    facts,
    ...indexElements(root),
  };
}

/** Markup before a text, in which tags are not parsed. The parser drops the line break. */
const BEFORE_TEXT = '<pre>\n';

function parse(
  source: string,
  kind: Exclude<DocumentKind, 'xml'>,
  { state, budget }: { readonly state: ParseState; readonly budget: Budget },
): Node {
  const treeAdapter = createTreeAdapter(state, budget);
  const parser = new Parser<NodeTypes>({ scriptingEnabled: false, treeAdapter });
  state.openForm = () => parser.formElement;
  state.onElement = readsNoscriptInHeadAsText(parser);
  parser.tokenizer = new SkimmingTokenizer(parser);
  if (kind !== 'html') {
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

/** Returns the language that the outermost element declares (BCP 47), or undefined without one. */
export function languageOf({ elements: [outermost] }: ParsedDocument): string | undefined {
  if (!outermost) return undefined;
  const inXml = outermost.attributes.find(
    ({ name, namespace }) => name === 'lang' && namespace === Namespace.xml,
  )?.value;
  const language = (isHtmlElement(outermost, 'html') && attributeOf(outermost, 'lang')) || inXml;
  return language?.trim() || undefined;
}
