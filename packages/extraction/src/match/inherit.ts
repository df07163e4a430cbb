import type { Node } from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';

/** For each element, the order of another element, or -1. */
export type OrderIndex = Int32Array;

/** Returns for each element its nearest ancestor that meets the condition. */
export function nearest(
  { elements, parents }: ParsedDocument,
  isWanted: (element: Node) => boolean,
): OrderIndex {
  const index = new Int32Array(elements.length).fill(-1);
  for (const order of index.keys()) {
    const parent = parents[order] as number;
    if (parent < 0) continue;
    index[order] = isWanted(elements[parent] as Node) ? parent : (index[parent] as number);
  }
  return index;
}
