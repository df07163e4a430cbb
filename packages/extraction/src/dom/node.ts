import type { Token } from 'parse5';

/** Kind of a node. The content of a template is a fragment of its element, outside the document. */
export const NodeKind = {
  document: 0,
  fragment: 1,
  element: 2,
  text: 3,
  comment: 4,
  doctype: 5,
  instruction: 6,
} as const;
export type NodeKind = (typeof NodeKind)[keyof typeof NodeKind];

/**
 * A node of a parsed page. All kinds have the same fields, so that V8 sees a single hidden class. Siblings are linked, so
 * that traversal needs no stack and the parser moves nodes in constant time.
 */
export interface Node {
  readonly kind: NodeKind;
  /**
   * Elements: the local name, in the parser's case (`linearGradient`). Doctypes: the name. Processing instructions:
   * the target. Texts: `CDATA` if they come from such a section.
   */
  readonly name: string;
  /** Elements: the namespace URI; '' for all other kinds. */
  readonly namespace: string;
  /** Texts, comments and processing instructions: the data. Elements of XML documents: the prefix of the name. */
  value: string;
  attributes: Token.Attribute[];
  parent: Node | null;
  previous: Node | null;
  next: Node | null;
  first: Node | null;
  last: Node | null;
  /** Template elements: the fragment with their content. */
  content: Node | null;
  /** Elements of the document: the index in document order; -1 before the document is indexed. */
  order: number;
}

/** Namespaces known to browsers. */
export const Namespace = {
  html: 'http://www.w3.org/1999/xhtml',
  svg: 'http://www.w3.org/2000/svg',
  mathml: 'http://www.w3.org/1998/Math/MathML',
  xml: 'http://www.w3.org/XML/1998/namespace',
  xmlns: 'http://www.w3.org/2000/xmlns/',
} as const;

/** Name of text nodes that are CDATA sections. */
export const CDATA = '#cdata-section';

const NO_ATTRIBUTES: Token.Attribute[] = [];

/** Creates a detached node without children. */
export function createNode(
  kind: NodeKind,
  name: string,
  namespace = '',
  value = '',
  attributes: Token.Attribute[] = NO_ATTRIBUTES,
): Node {
  return {
    kind,
    name,
    namespace,
    value,
    attributes,
    parent: null,
    previous: null,
    next: null,
    first: null,
    last: null,
    content: null,
    order: -1,
  };
}

/** Appends a detached node as the last child. */
export function appendChild(parent: Node, child: Node): void {
  child.parent = parent;
  child.previous = parent.last;
  child.next = null;
  if (parent.last === null) parent.first = child;
  else parent.last.next = child;
  parent.last = child;
}

/** Returns true for an HTML element with the local name. */
export function isHtmlElement(node: Node, name: string): boolean {
  return node.name === name && node.namespace === Namespace.html && node.kind === NodeKind.element;
}

const LISTED = new Set(['button', 'fieldset', 'input', 'object', 'output', 'select', 'textarea']);

/** Returns true for the listed elements, which can belong to a form. HTML §4.10.2. */
export function isListed({ name, namespace }: Node): boolean {
  return namespace === Namespace.html && LISTED.has(name);
}

/** Returns the value of an attribute without a namespace, or undefined. */
export function attributeOf(element: Node, name: string): string | undefined {
  for (const attribute of element.attributes) {
    if (attribute.name === name && !attribute.namespace) return attribute.value;
  }
  return undefined;
}

/** Returns the nearest sibling before or after a node; passes over comments and white space. */
export function neighborOf(node: Node, side: 'previous' | 'next'): Node | null {
  return shownFrom(node[side], side);
}

/** Returns the last child of a node; passes over comments and white space behind it. */
export function lastShownChild({ last }: Node): Node | null {
  return shownFrom(last, 'previous');
}

function shownFrom(start: Node | null, side: 'previous' | 'next'): Node | null {
  let node = start;
  while (node !== null && isBlank(node)) node = node[side];
  return node;
}

function isBlank({ kind, value }: Node): boolean {
  return kind === NodeKind.comment || (kind === NodeKind.text && !/\S/.test(value));
}

/** Returns the node after `node` in document order inside `root`, or null at its end. */
export function nextInside(root: Node, node: Node): Node | null {
  return node.first ?? nextAfter(root, node);
}

/** Returns the node after the subtree of `node` inside `root`, or null at its end. */
export function nextAfter(root: Node, node: Node): Node | null {
  let current = node;
  while (current !== root) {
    if (current.next !== null) return current.next;
    if (current.parent === null) return null;
    current = current.parent;
  }
  return null;
}
