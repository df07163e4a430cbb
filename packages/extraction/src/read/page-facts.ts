import type { Budget } from '../budget.ts';
import { type Node, NodeKind } from '../dom/node.ts';
import { FactsCollector, type PageFacts } from '../dom/page-facts.ts';
import { isHtmlPage, type ParsedDocument } from '../dom/parse-document.ts';

/**
 * Returns the facts of a page: collected while a projection of it was parsed, or by a walk over its nodes up
 * to the point at which it is known to be rich. A document other than HTML is rich as soon as it has content.
 */
export function readPageFacts(document: ParsedDocument, budget: Budget): PageFacts {
  if (document.facts) return document.facts;
  const collector = new FactsCollector();
  collector.isRich = !isHtmlPage(document) && document.elements.length > 0;
  walk(document.root, collector, budget);
  return collector.facts;
}

/** Cost of looking at a node. */
const STEPS_PER_NODE = 1;

function walk(root: Node, collector: FactsCollector, budget: Budget): void {
  const regions = [0];
  let node = root.first;
  while (node !== null && !collector.isRich) {
    budget.spend(STEPS_PER_NODE);
    const region = regions[regions.length - 1] as number;
    if (node.kind === NodeKind.text) collector.read(node.value, region);
    else if (node.kind === NodeKind.element) {
      const inside = collector.enter(node, region);
      if (node.first !== null) {
        regions.push(inside);
        node = node.first;
        continue;
      }
    }
    while (node.next === null) {
      if (node.parent === null || node.parent === root) return;
      regions.pop();
      node = node.parent;
    }
    node = node.next;
  }
}
