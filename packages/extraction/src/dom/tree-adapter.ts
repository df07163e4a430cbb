import type { html, Token, TreeAdapter, TreeAdapterTypeMap } from 'parse5';
import type { Budget } from '../budget.ts';
import { appendChild, createNode, isListed, type Node, NodeKind } from './node.ts';

/** Node types of parse5, all of them `Node`. */
export type NodeTypes = TreeAdapterTypeMap<Node, Node, Node, Node, Node, Node, Node, Node, Node, Node>;

/** Facts that the adapter collects besides the nodes. */
export interface ParseState {
  mode: html.DOCUMENT_MODE;
  /** Returns the form with which the parser associates controls at this point. */
  openForm: () => Node | null;
  readonly parserForms: Map<Node, Node>;
  /** Must be flushed after the parser's last call. */
  readonly texts: TextBuffer;
  /** Called with the name of each element that is made. */
  onElement: (name: string) => void;
}

/** Cost of creating a node. */
export const STEPS_PER_NODE = 8;

/** Creates a tree adapter of parse5 over `Node`, which charges the budget for every node created. */
export function createTreeAdapter(state: ParseState, budget: Budget): TreeAdapter<NodeTypes> {
  return new NodeAdapter(state, budget);
}

class NodeAdapter implements TreeAdapter<NodeTypes> {
  readonly #state: ParseState;
  readonly #budget: Budget;
  readonly #intern = createIntern();
  /** Attribute names of elements with attributes of a second tag. */
  readonly #adopted = new Map<Node, Set<string>>();

  readonly appendChild = appendChild;
  readonly insertBefore = insertBefore;
  readonly detachNode = detach;
  readonly getChildNodes = childrenOf;
  readonly isDocumentTypeNode = isDoctype;

  constructor(state: ParseState, budget: Budget) {
    this.#state = state;
    this.#budget = budget;
  }

  createDocument(): Node {
    return this.#create(NodeKind.document, '');
  }

  createDocumentFragment(): Node {
    return this.#create(NodeKind.fragment, '');
  }

  createElement(name: string, namespace: html.NS, attributes: Token.Attribute[]): Node {
    this.#state.onElement(name);
    this.#budget.spend(STEPS_PER_NODE);
    const compacted = compact(attributes, this.#intern);
    const element = createNode(NodeKind.element, this.#intern(name), namespace, '', compacted);
    if (isListed(element)) {
      const form = this.#state.openForm();
      if (form) this.#state.parserForms.set(element, form);
    }
    return element;
  }

  createCommentNode(data: string): Node {
    return this.#create(NodeKind.comment, '', data);
  }

  createTextNode(value: string): Node {
    return this.#create(NodeKind.text, '', value);
  }

  setDocumentType(document: Node, name: string): void {
    if (!childrenOf(document).some(isDoctype)) appendChild(document, this.#create(NodeKind.doctype, name));
  }

  setDocumentMode(_document: Node, mode: html.DOCUMENT_MODE): void {
    this.#state.mode = mode;
  }

  getDocumentMode(): html.DOCUMENT_MODE {
    return this.#state.mode;
  }

  insertText(parent: Node, text: string): void {
    if (parent.last?.kind === NodeKind.text) this.#state.texts.append(parent.last, text);
    else appendChild(parent, this.createTextNode(text));
  }

  insertTextBefore(parent: Node, text: string, reference: Node): void {
    if (reference.previous?.kind === NodeKind.text) this.#state.texts.append(reference.previous, text);
    else insertBefore(parent, this.createTextNode(text), reference);
  }

  adoptAttributes(recipient: Node, attributes: Token.Attribute[]): void {
    adoptAttributes(this.#adopted, recipient, attributes);
  }

  setTemplateContent(template: Node, content: Node): void {
    template.content = content;
  }

  getTemplateContent(template: Node): Node {
    return shadowHostOf(template) ?? template.content ?? this.createDocumentFragment();
  }

  getFirstChild(node: Node): Node | null {
    return node.first;
  }

  getParentNode(node: Node): Node | null {
    return node.parent;
  }

  getAttrList(element: Node): Token.Attribute[] {
    return element.attributes;
  }

  getTagName(element: Node): string {
    return element.name;
  }

  getNamespaceURI(element: Node): html.NS {
    return element.namespace as html.NS;
  }

  getTextNodeContent(node: Node): string {
    return node.value;
  }

  getCommentNodeContent(node: Node): string {
    return node.value;
  }

  getDocumentTypeNodeName(node: Node): string {
    return node.name;
  }

  getDocumentTypeNodePublicId(): string {
    return '';
  }

  getDocumentTypeNodeSystemId(): string {
    return '';
  }

  isTextNode(node: Node): node is Node {
    return node.kind === NodeKind.text;
  }

  isCommentNode(node: Node): node is Node {
    return node.kind === NodeKind.comment;
  }

  isElementNode(node: Node): node is Node {
    return node.kind === NodeKind.element;
  }

  setNodeSourceCodeLocation(): void {}

  getNodeSourceCodeLocation(): null {
    return null;
  }

  updateNodeSourceCodeLocation(): void {}

  #create(kind: NodeKind, name: string, value = ''): Node {
    this.#budget.spend(STEPS_PER_NODE);
    return createNode(kind, name, '', value);
  }
}

/**
 * Returns the host of an open declarative shadow root, which receives its content, since users see it there. The open shadow
 * roots of rendered pages are serialized as such templates (https://html.spec.whatwg.org/#attr-template-shadowrootmode).
 */
function shadowHostOf(template: Node): Node | undefined {
  const isShadowRoot = template.attributes.some(
    ({ name, value }) => name === 'shadowrootmode' && value === 'open',
  );
  return isShadowRoot && template.parent?.kind === NodeKind.element ? template.parent : undefined;
}

/** Interns names and values, and copies the array: one grown by pushing keeps room for more attributes. */
function compact(attributes: Token.Attribute[], intern: Intern): Token.Attribute[] {
  for (const attribute of attributes) {
    attribute.name = intern(attribute.name);
    attribute.value = intern(attribute.value);
  }
  return attributes.slice();
}

function isDoctype(node: Node): node is Node {
  return node.kind === NodeKind.doctype;
}

function childrenOf(parent: Node): Node[] {
  const children: Node[] = [];
  for (let child = parent.first; child !== null; child = child.next) children.push(child);
  return children;
}

function insertBefore(parent: Node, child: Node, reference: Node): void {
  child.parent = parent;
  child.next = reference;
  child.previous = reference.previous;
  if (reference.previous === null) parent.first = child;
  else reference.previous.next = child;
  reference.previous = child;
}

function detach(node: Node): void {
  const { parent, previous, next } = node;
  if (parent === null) return;
  if (previous === null) parent.first = next;
  else previous.next = next;
  if (next === null) parent.last = previous;
  else next.previous = previous;
  node.parent = null;
  node.previous = null;
  node.next = null;
}

/** Adds the attributes of a second <html> or <body> tag; keeps the names, since many such tags would take quadratic time. */
function adoptAttributes(
  adopted: Map<Node, Set<string>>,
  recipient: Node,
  attributes: Token.Attribute[],
): void {
  if (attributes.length === 0) return;
  const names = adopted.get(recipient) ?? new Set(recipient.attributes.map(({ name }) => name));
  adopted.set(recipient, names);
  for (const attribute of attributes) {
    if (names.has(attribute.name)) continue;
    names.add(attribute.name);
    recipient.attributes.push(attribute);
  }
}

/** Limits on the cache of texts: texts repeated by pages are short and few. */
const MAX_CHARS = 64;
const MAX_TEXTS = 4096;

/** Returns an equal text seen earlier, so that a page with many equal class names keeps only one of them. */
type Intern = (text: string) => string;

/** Creates an empty intern table; texts are kept as long as the function is. */
export function createIntern(): Intern {
  const texts = new Map<string, string>();
  return (text) => {
    if (text.length > MAX_CHARS) return text;
    const known = texts.get(text);
    if (known !== undefined) return known;
    if (texts.size < MAX_TEXTS) texts.set(text, text);
    return text;
  };
}

/** Maximum number of pieces waiting to be joined. */
const MAX_PIECES = 4096;

/**
 * Collects the pieces that the parser appends to a text, one word each. V8 would keep strings concatenated one by one as a
 * tree, which takes many times the memory of the text.
 */
export class TextBuffer {
  #node: Node | null = null;
  #pieces: string[] = [];

  /** Appends a piece to a text node; its value is complete after `flush`. */
  append(node: Node, piece: string): void {
    if (node !== this.#node || this.#pieces.length >= MAX_PIECES) this.flush();
    this.#node = node;
    this.#pieces.push(piece);
  }

  /** Adds the waiting pieces to their text node. */
  flush(): void {
    if (this.#node !== null) this.#node.value += this.#pieces.join('');
    this.#node = null;
    this.#pieces = [];
  }
}
