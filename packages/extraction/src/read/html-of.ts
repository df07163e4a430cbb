import type { Token } from 'parse5';
import type { Budget } from '../budget.ts';
import { Namespace, type Node, NodeKind } from '../dom/node.ts';
import { type IsLeftOut, isNever } from './text-of.ts';

/** Cost of writing a tag, a text or a comment, besides its characters. */
const STEPS_PER_PART = 8;

/** Serializes an element as browsers do (`outerHTML`), without the nodes inside it that are left out. HTML §13.3. */
export function htmlOf(element: Node, budget: Budget, isLeftOut: IsLeftOut = isNever): string {
  let html = '';
  // Nodes still to write, and end tags of those whose content comes before them.
  const pending: (Node | string)[] = [element];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const part = typeof next === 'string' ? next : startOf(next);
    budget.spend(STEPS_PER_PART + (part.length >> 4));
    html += part;
    if (typeof next === 'string' || next.kind !== NodeKind.element || isVoid(next)) continue;
    pending.push(`</${next.name}>`);
    for (let child = (next.content ?? next).last; child !== null; child = child.previous)
      if (!isLeftOut(child)) pending.push(child);
  }
  return html;
}

function startOf(node: Node): string {
  if (node.kind === NodeKind.text) return isRaw(node.parent) ? node.value : escapeText(node.value);
  if (node.kind === NodeKind.comment) return `<!--${node.value}-->`;
  return `<${node.name}${node.attributes.map(attributeHtml).join('')}>`;
}

/** Writes an attribute after its element's name. */
export function attributeHtml({ name, prefix, value }: Token.Attribute): string {
  return ` ${prefix ? `${prefix}:${name}` : name}="${escapeAttribute(value)}"`;
}

const VOID = new Set(
  `area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr`.split(
    ' ',
  ),
);

/** Returns true for elements that never have an end tag in HTML. */
export function isVoid({ name, namespace }: Node): boolean {
  return namespace === Namespace.html && VOID.has(name);
}

const RAW = new Set(['style', 'script', 'xmp', 'iframe', 'noembed', 'noframes', 'plaintext']);

/** Returns true for elements whose text is not escaped: a noscript is one of them in the head, where its markup is a text. */
function isRaw(parent: Node | null): boolean {
  if (parent === null || parent.namespace !== Namespace.html) return false;
  return RAW.has(parent.name) || (parent.name === 'noscript' && parent.parent?.name === 'head');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '\u00A0': '&nbsp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Escapes a text as browsers do. */
export function escapeText(text: string): string {
  return text.replace(/[&\u00A0<>]/g, (char) => ENTITIES[char] as string);
}

function escapeAttribute(value: string): string {
  return value.replace(/[&\u00A0<>"]/g, (char) => ENTITIES[char] as string);
}
