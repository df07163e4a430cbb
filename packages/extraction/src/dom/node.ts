import type { Token } from 'parse5';

/** What a node is; a template's content hangs off its element as a fragment, outside the document. */
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
 * One node of a parsed page. All kinds share one shape, so that the engine sees a single hidden class, and
 * siblings are linked, so that walks need no stack and the parser's moves cost the same at any width.
 */
export interface Node {
  readonly kind: NodeKind;
  /**
   * Elements: the local name, in the case of the parser (`linearGradient`). Doctypes: the name. Processing instructions:
   * the target. Texts: CDATA where they stood in such a section.
   */
  readonly name: string;
  /** Elements: the namespace URI; '' for every other kind. */
  readonly namespace: string;
  /** Text, comments and processing instructions: the data. Elements of an XML document: the prefix of their name. */
  value: string;
  attributes: Token.Attribute[];
  parent: Node | null;
  previous: Node | null;
  next: Node | null;
  first: Node | null;
  last: Node | null;
  /** Template elements: the fragment with their content. */
  content: Node | null;
  /** Elements of the document: the position in document order, from 0; -1 before the document is indexed. */
  order: number;
}

/** The namespaces that a browser knows. */
export const Namespace = {
  html: 'http://www.w3.org/1999/xhtml',
  svg: 'http://www.w3.org/2000/svg',
  mathml: 'http://www.w3.org/1998/Math/MathML',
  xml: 'http://www.w3.org/XML/1998/namespace',
  xmlns: 'http://www.w3.org/2000/xmlns/',
} as const;

/** The name of text nodes that are CDATA sections. */
export const CDATA = '#cdata-section';

const NO_ATTRIBUTES: Token.Attribute[] = [];

/** A detached node without children. */
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

/** Adds a detached node as the last child. */
export function appendChild(parent: Node, child: Node): void {
  child.parent = parent;
  child.previous = parent.last;
  child.next = null;
  if (parent.last === null) parent.first = child;
  else parent.last.next = child;
  parent.last = child;
}

/** Whether the node is an HTML element of that local name. */
export function isHtmlElement(node: Node, name: string): boolean {
  return node.name === name && node.namespace === Namespace.html && node.kind === NodeKind.element;
}

const LISTED = new Set(['button', 'fieldset', 'input', 'object', 'output', 'select', 'textarea']);

/** Whether the node is one of the elements that belong to a form. HTML §4.10.2. */
export function isListed({ name, namespace }: Node): boolean {
  return namespace === Namespace.html && LISTED.has(name);
}

/** The value of the attribute without a namespace, or undefined. */
export function attributeOf(element: Node, name: string): string | undefined {
  for (const attribute of element.attributes) {
    if (attribute.name === name && !attribute.namespace) return attribute.value;
  }
  return undefined;
}

/** The node after `node` in document order inside `root`, or null at the end of it. */
export function nextInside(root: Node, node: Node): Node | null {
  return node.first ?? nextAfter(root, node);
}

/** The node after the whole subtree of `node` inside `root`, or null at the end of it. */
export function nextAfter(root: Node, node: Node): Node | null {
  let current = node;
  while (current !== root) {
    if (current.next !== null) return current.next;
    if (current.parent === null) return null;
    current = current.parent;
  }
  return null;
}
