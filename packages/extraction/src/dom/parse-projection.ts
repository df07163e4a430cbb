import { html, Parser, type Token, type TreeAdapter, type TreeAdapterTypeMap } from 'parse5';
import type { Budget } from '../budget.ts';
import { foldCase } from '../css/code-points.ts';
import { appendChild, createNode, Namespace, type Node, NodeKind } from './node.ts';
import { readsNoscriptInHeadAsText } from './noscript-in-head.ts';
import { FactsCollector, type PageFacts } from './page-facts.ts';
import { SkimmingTokenizer } from './skimming-tokenizer.ts';
import { STEPS_PER_NODE, TextBuffer } from './tree-adapter.ts';

/**
 * The part of an HTML document that an extraction can see. Elements left out pass their children on to the
 * nearest kept element around them, so kept elements stay in order and inside each other. Elements with kept text are
 * kept whole: what is inside them says how the text is read, as borders of words, raised figures and formulas do.
 */
export interface Projection {
  /** Names of the kept elements, in lower case. */
  readonly names: ReadonlySet<string>;
  /** Names of the kept attributes, in lower case. */
  readonly attributes: ReadonlySet<string>;
  /** Names of the elements whose text is kept, in lower case. */
  readonly texts: ReadonlySet<string>;
}

/** A node as the parser sees it. It holds no children: only the nodes of the projection do. */
interface Place {
  readonly name: string;
  readonly namespace: string;
  readonly attributes: Token.Attribute[];
  /** Set once the place is in the tree; a template is the parent of its content. */
  parent: Place | null;
  /** Node to receive the kept content: this one, or the nearest kept one around it. */
  keeper: Node | null;
  /** True if the text inside is kept. */
  isRead: boolean;
  /** Region of the page, for its facts. */
  region: number;
  /** Content of a template. */
  content: Place | null;
}

/** Node types of parse5, all of them `Place`. */
type PlaceTypes = TreeAdapterTypeMap<Place, Place, Place, Place, Place, Place, Place, Place, Place, Place>;

/** Thrown when the parser moves nodes, or inserts one before another: the whole tree has to be built. */
class OutOfOrderError extends Error {
  override readonly name = 'OutOfOrderError';
}

/** Facts that the adapter collects besides the nodes. */
interface ProjectionState {
  mode: html.DOCUMENT_MODE;
  /** Must be flushed after the parser's last call. */
  readonly texts: TextBuffer;
  readonly facts: FactsCollector;
  /** Called with the name of each element that is made. */
  onElement: (name: string) => void;
}

/**
 * Creates a tree adapter of parse5 that builds a projection. It takes only nodes that are appended in document order: as
 * long as they are, the content of a place is final once it is inserted, so that what is left out can never be needed.
 */
function createProjectingAdapter(
  projection: Projection,
  state: ProjectionState,
  budget: Budget,
): TreeAdapter<PlaceTypes> {
  const tree = new ProjectedTree(projection, state, budget);
  return {
    createDocument: () => placeOf({ keeper: createNode(NodeKind.document, '') }),
    createDocumentFragment: () => placeOf({ keeper: createNode(NodeKind.fragment, '') }),
    createElement: (name, namespace, attributes) => tree.createElement(name, namespace, attributes),
    createCommentNode: () => COMMENT,
    createTextNode: outOfOrder,
    setDocumentType() {},
    setDocumentMode(_document, mode) {
      state.mode = mode;
    },
    getDocumentMode: () => state.mode,

    appendChild: (parent, child) => tree.append(parent, child),
    insertText: (parent, text) => tree.insertText(parent, text),
    insertBefore: outOfOrder,
    insertTextBefore: outOfOrder,
    detachNode: outOfOrder,
    adoptAttributes(_recipient, attributes) {
      if (attributes.length > 0) outOfOrder();
    },
    setTemplateContent(template, content) {
      template.content = content;
      content.parent = template;
    },
    getTemplateContent: (template) => shadowHostOf(template) ?? template.content ?? outOfOrder(),
    getFirstChild: outOfOrder,
    getChildNodes: outOfOrder,
    getParentNode: ({ parent }) => parent,
    getAttrList: ({ attributes }) => attributes,
    getTagName: ({ name }) => name,
    getNamespaceURI: ({ namespace }) => namespace as html.NS,
    getTextNodeContent: outOfOrder,
    getCommentNodeContent: outOfOrder,
    getDocumentTypeNodeName: outOfOrder,
    getDocumentTypeNodePublicId: () => '',
    getDocumentTypeNodeSystemId: () => '',
    isTextNode: (_node): _node is Place => false,
    isCommentNode: (node): node is Place => node === COMMENT,
    isDocumentTypeNode: (_node): _node is Place => false,
    isElementNode: (node): node is Place => node.namespace !== '',
    setNodeSourceCodeLocation() {},
    getNodeSourceCodeLocation: () => null,
    updateNodeSourceCodeLocation() {},
  };
}

function outOfOrder(): never {
  throw new OutOfOrderError('The parser does not append in document order.');
}

function placeOf(fields: Partial<Place>): Place {
  return {
    name: '',
    namespace: '',
    attributes: [],
    parent: null,
    keeper: null,
    isRead: false,
    region: 0,
    content: null,
    ...fields,
  };
}

/** Stands for every comment: none is kept. */
const COMMENT = placeOf({});

/** Returns the host of an open declarative shadow root, which receives its content, as in the whole tree. */
function shadowHostOf({ attributes, parent }: Place): Place | undefined {
  if (parent === null || parent.namespace === '') return undefined;
  return attributes.some(({ name, value }) => name === 'shadowrootmode' && value === 'open')
    ? parent
    : undefined;
}

/** The nodes of a projection while the parser appends to them. */
class ProjectedTree {
  readonly #projection: Projection;
  readonly #state: ProjectionState;
  readonly #budget: Budget;
  /** One instance of each kept name, since comparing equal texts in different places takes time. */
  readonly #names: Map<string, string>;
  /** The place that was appended last: everything is appended to it or to a place around it. */
  #tip: Place | null = null;

  constructor(projection: Projection, state: ProjectionState, budget: Budget) {
    this.#projection = projection;
    this.#state = state;
    this.#budget = budget;
    this.#names = new Map([...projection.names].map((name) => [name, name]));
  }

  createElement(name: string, namespace: string, attributes: Token.Attribute[]): Place {
    this.#budget.spend(STEPS_PER_NODE);
    this.#state.onElement(name);
    return {
      name,
      namespace,
      attributes,
      parent: null,
      keeper: null,
      isRead: false,
      region: 0,
      content: null,
    };
  }

  append(parent: Place, child: Place): void {
    if (child === COMMENT) return;
    if (child.parent !== null) outOfOrder();
    this.#goTo(parent);
    this.#tip = child;
    child.parent = parent;
    const { name, namespace } = child;
    const folded = namespace === Namespace.html ? name : foldCase(name);
    const { names, texts } = this.#projection;
    const isKept = parent.isRead || names.has(folded) || folded === 'html';
    const node = isKept ? this.#createNode(child, parent.isRead) : null;
    if (node !== null && parent.keeper !== null) appendChild(parent.keeper, node);
    child.keeper = node ?? parent.keeper;
    child.isRead = parent.isRead || texts.has(folded);
    child.region = this.#state.facts.enter(child, parent.region);
    if (child.content !== null) this.#openContent(child, child.content);
  }

  insertText(parent: Place, text: string): void {
    this.#state.facts.read(text, parent.region);
    if (!parent.isRead || parent.keeper === null) return;
    this.#goTo(parent);
    const { last } = parent.keeper;
    if (last?.kind === NodeKind.text) {
      this.#state.texts.append(last, text);
      return;
    }
    this.#budget.spend(STEPS_PER_NODE);
    appendChild(parent.keeper, createNode(NodeKind.text, '', '', text));
  }

  /** The content of a template is outside the document. */
  #openContent(template: Place, content: Place): void {
    content.isRead = template.isRead;
    content.region = template.region;
    if (template.keeper?.name === 'template') template.keeper.content = content.keeper;
  }

  /** Moves the tip up to a place around it. Throws for any other place, whose content would come out of order. */
  #goTo(parent: Place): void {
    if (this.#tip === null || this.#tip.content === parent) this.#tip = parent;
    while (this.#tip !== parent) this.#tip = this.#tip.parent ?? outOfOrder();
  }

  #createNode({ name, namespace, attributes }: Place, keepsAttributes: boolean): Node {
    const known = this.#names.get(name);
    if (known === undefined) this.#names.set(name, name);
    const keepsAll = keepsAttributes || attributes.length === 0;
    const kept = keepsAll ? attributes : attributes.filter((each) => this.#isWanted(each));
    return createNode(NodeKind.element, known ?? name, namespace, '', kept);
  }

  #isWanted({ name, prefix }: Token.Attribute): boolean {
    return prefix !== undefined || name.includes(':') || this.#projection.attributes.has(foldCase(name));
  }
}

/** Root of a projected document, its mode, and what the whole page shows. */
export interface ProjectedRoot {
  readonly root: Node;
  readonly mode: html.DOCUMENT_MODE;
  readonly facts: PageFacts;
}

/**
 * Parses a page into a projection of its document. Returns null for pages whose markup makes the parser move nodes, such as
 * misnested formatting and texts inside tables: what they need is known only at their end.
 */
export function parseProjection(
  source: string,
  projection: Projection,
  budget: Budget,
): ProjectedRoot | null {
  const state: ProjectionState = {
    mode: html.DOCUMENT_MODE.NO_QUIRKS,
    texts: new TextBuffer(),
    facts: new FactsCollector(),
    onElement: () => {},
  };
  const treeAdapter = createProjectingAdapter(projection, state, budget);
  const parser = new Parser<PlaceTypes>({ scriptingEnabled: false, treeAdapter });
  state.onElement = readsNoscriptInHeadAsText(parser);
  parser.tokenizer = new SkimmingTokenizer(parser);
  try {
    parser.tokenizer.write(source, true);
  } catch (error) {
    if (error instanceof OutOfOrderError) return null;
    throw error;
  }
  state.texts.flush();
  const root = parser.document.keeper;
  return root && { root, mode: state.mode, facts: state.facts.facts };
}
