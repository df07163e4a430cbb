import type { Budget } from '../budget.ts';
import { type Node, NodeKind } from '../dom/node.ts';
import type { BaseUrl } from '../dom/parse-url.ts';
import { MarkdownWriter } from './markdown-writer.ts';
import { isPart, type Leave, writeElement } from './write-element.ts';

/** Properties of the page that markdown depends on besides the element. */
export interface MarkdownContext {
  /** Returns the base of relative URLs. */
  readonly base: () => BaseUrl;
  readonly budget: Budget;
  /** Returns true for nodes inside the element that are left out. */
  readonly isLeftOut?: (node: Node) => boolean;
}

/** Cost of writing a node, besides its text: most start a block or a mark. */
const STEPS_PER_NODE = 32;
const STEPS_PER_TEXT = 64;

/**
 * Returns the element as markdown: CommonMark with the tables, the strikethrough and the task lists of GFM, and absolute
 * URLs. Reading it as CommonMark gives the same text. Throws UNSUPPORTED_CONTENT when over the budget.
 */
export function markdownOf(root: Node, { base, budget, isLeftOut }: MarkdownContext): string {
  budget.spend(STEPS_PER_TEXT);
  const writer = new MarkdownWriter(budget);
  const context = { writer, base, notes: { titles: new Set<Node>(), signs: new Set<Node>() } };
  /** Elements that end with an action, from the outermost. */
  const open: { readonly node: Node; readonly leave: Leave }[] = [];
  const enter = (node: Node): Node | null => {
    budget.spend(STEPS_PER_NODE);
    if (node !== root && isLeftOut?.(node)) return null;
    if (node.kind === NodeKind.text) writer.text(node.value);
    if (node.kind !== NodeKind.element || (node === root && isPart(root))) return node.first;
    const leave = writeElement(node, context);
    if (leave === 'skip') return null;
    if (leave) open.push({ node, leave });
    return node.first;
  };
  const leave = (node: Node): void => {
    if (open.at(-1)?.node === node) open.pop()?.leave();
  };
  let node: Node | null = root;
  while (node !== null) {
    const inner = enter(node);
    if (inner !== null) {
      node = inner;
      continue;
    }
    leave(node);
    while (node !== root && node.next === null) {
      node = node.parent as Node;
      leave(node);
    }
    node = node === root ? null : node.next;
  }
  writer.flush();
  return writer.blocks.toString();
}
