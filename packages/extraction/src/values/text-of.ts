import type { Budget } from '../budget.ts';
import { Namespace, type Node, NodeKind, nextAfter, nextInside } from '../dom/node.ts';

/**
 * Returns all text inside the element, with white space (JavaScript's `\s`, which includes no-break spaces) collapsed and
 * trimmed. Leaves out script, style and template, unless the element itself is one of them.
 */
export function textOf(element: Node, budget: Budget): string {
  return collapse(rawText(element, isUnseen, budget));
}

/** Returns all text inside the element as it is, without that of the nodes that are left out. */
export function rawText(element: Node, isLeftOut: (node: Node) => boolean, budget: Budget): string {
  const root = element.content ?? element;
  let text = '';
  let node = root.first;
  while (node !== null) {
    if (node.kind === NodeKind.text) {
      budget.spendReading(node.value.length);
      text += node.value;
    } else {
      budget.spend(1);
    }
    node = isLeftOut(node) ? nextAfter(root, node) : nextInside(root, node);
  }
  return text;
}

/** Size of the pieces of a long text: replacing in all of it at once would take many times its size in memory. */
const CHUNK_CHARS = 64 * 1024;

/** Replaces each run of white space by one space and trims the ends. */
export function collapse(text: string): string {
  let collapsed = '';
  let endsInSpace = true;
  for (let start = 0; start < text.length; start += CHUNK_CHARS) {
    const chunk = text.slice(start, start + CHUNK_CHARS).replace(/\s+/g, ' ');
    collapsed += endsInSpace && chunk.startsWith(' ') ? chunk.slice(1) : chunk;
    endsInSpace = chunk.endsWith(' ');
  }
  return endsInSpace ? collapsed.trimEnd() : collapsed;
}

/** Returns true if the text of the node is code and not content; SVG has its own script and style, other XML has none. */
export function isUnseen({ kind, name, namespace }: Node): boolean {
  if (kind !== NodeKind.element) return false;
  if (name === 'template') return namespace === Namespace.html;
  return (
    (name === 'script' || name === 'style') && (namespace === Namespace.html || namespace === Namespace.svg)
  );
}
