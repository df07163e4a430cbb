import type { Budget } from '../budget.ts';
import { Namespace, type Node, NodeKind, nextAfter, nextInside } from '../dom/node.ts';

/**
 * All text inside the element, white space (JavaScript's `\s`, so no-break spaces too) collapsed and trimmed.
 * What is inside script, style and template is left out, unless the element itself is one of them.
 */
export function textOf(element: Node, budget: Budget): string {
  return collapse(rawText(element.content ?? element, budget));
}

/** Replacing in a text of megabytes at once would take many times its size in memory. */
const CHUNK_CHARS = 64 * 1024;

/** One space for every run of white space, none at the ends. */
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

function rawText(root: Node, budget: Budget): string {
  let text = '';
  let node = root.first;
  while (node !== null) {
    if (node.kind === NodeKind.text) {
      budget.spendReading(node.value.length);
      text += node.value;
    } else {
      budget.spend(1);
    }
    node = isUnseen(node) ? nextAfter(root, node) : nextInside(root, node);
  }
  return text;
}

/** Whether the node's text is code, not content; SVG has script and style of its own, other XML has none. */
export function isUnseen({ kind, name, namespace }: Node): boolean {
  if (kind !== NodeKind.element) return false;
  if (name === 'template') return namespace === Namespace.html;
  return (
    (name === 'script' || name === 'style') && (namespace === Namespace.html || namespace === Namespace.svg)
  );
}
