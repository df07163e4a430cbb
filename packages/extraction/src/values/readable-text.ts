import type { Budget } from '../budget.ts';
import { isHtmlElement, Namespace, type Node, NodeKind } from '../dom/node.ts';
import { collapse, isUnseen } from './text-of.ts';

/** Elements that browsers show on their own lines, and those that end a line. HTML §15.3. */
const BLOCKS = new Set(
  `address article aside blockquote body br center dd details dialog dir div dl dt fieldset figcaption figure footer
  form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol optgroup option p pre search section summary
  table caption tbody td tfoot th thead tr ul`.split(/\s+/),
);

/** Returns true for nodes that are shown on their own lines. */
export type IsBlock = (node: Node) => boolean;

/** Layout and maximum length of a text. */
export interface TextLayout {
  readonly isBlock: IsBlock;
  readonly maxChars: number;
  /** Returns true for nodes whose text is left out; by default those that browsers do not show. */
  readonly isLeftOut?: (node: Node) => boolean;
}

/** Returns the text inside the node with each block on its own line, without empty lines, cut at `maxChars`. */
export function readableText(
  root: Node,
  { isBlock, maxChars, isLeftOut = isHidden }: TextLayout,
  budget: Budget,
): string {
  const lines: string[] = [];
  let line = '';
  let length = 0;
  const endLine = (): void => {
    const text = collapse(line);
    if (text !== '') lines.push(text);
    length += text.length + 1;
    line = '';
  };
  for (let node: Node | null = root.first; node !== null && length <= maxChars; ) {
    budget.spendReading(node.value.length);
    if (node.kind === NodeKind.text) line += node.value;
    const inner: Node | null = isLeftOut(node) ? null : node.first;
    if (isBlock(node)) endLine();
    if (inner !== null) {
      node = inner;
      continue;
    }
    while (node !== null && node !== root && node.next === null) {
      node = node.parent;
      if (node !== null && isBlock(node)) endLine();
    }
    node = node === root || node === null ? null : node.next;
  }
  endLine();
  return lines.join('\n').slice(0, maxChars);
}

function isHidden(node: Node): boolean {
  return isUnseen(node) || isHtmlElement(node, 'noscript');
}

/** Returns true for block elements of HTML. */
export const isHtmlBlock: IsBlock = ({ kind, name, namespace }) =>
  kind === NodeKind.element && namespace === Namespace.html && BLOCKS.has(name);

/** Returns true for block elements of HTML, and all elements of other namespaces except SVG's `tspan`. */
export const isXmlBlock: IsBlock = (node) => {
  if (node.namespace === Namespace.html) return isHtmlBlock(node);
  return node.kind === NodeKind.element && node.name !== 'tspan';
};
