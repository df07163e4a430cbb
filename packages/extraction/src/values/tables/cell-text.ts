import type { Budget } from '../../budget.ts';
import { type Node, NodeKind } from '../../dom/node.ts';
import { isHtmlBlock, readableText } from '../readable-text.ts';
import { collapse } from '../text-of.ts';

/**
 * Returns the text of a cell or a caption in one line: blocks, and what a `br` separates, have a space between them. Leaves
 * out the text of some nodes.
 */
export function cellText(cell: Node, isLeftOut: (node: Node) => boolean, budget: Budget): string {
  const { first } = cell;
  if (first?.kind === NodeKind.text && first.next === null) {
    budget.spendReading(first.value.length);
    return collapse(first.value);
  }
  const layout = { isBlock: isHtmlBlock, isLeftOut, maxChars: Number.POSITIVE_INFINITY };
  return collapse(readableText(cell, layout, budget));
}
