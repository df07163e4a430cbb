import type { Budget } from '../../budget.ts';
import { attributeOf, isHtmlElement, type Node, NodeKind } from '../../dom/node.ts';
import type { ParsedDocument } from '../../dom/parse-document.ts';
import { isUnseen, rawText } from '../text-of.ts';

/**
 * Returns the text of a document that browsers show as plain text, as they do JSON: its body is one `pre`, or only text,
 * as when a server sends JSON as HTML. Returns null for all other documents.
 */
export function textOfJsonDocument({ elements }: ParsedDocument, budget: Budget): string | null {
  const body = elements.find((element) => isHtmlElement(element, 'body'));
  if (!body) return null;
  let source: Node = body;
  for (let child = body.first; child !== null; child = child.next) {
    budget.spend(1);
    if (child.kind !== NodeKind.element || isFormatter(child)) continue;
    if (source !== body || !isHtmlElement(child, 'pre')) return null;
    source = child;
  }
  return rawText(source, isUnseen, budget);
}

/** Returns true for the element with which Chromium offers to format the JSON that it shows. */
function isFormatter(element: Node): boolean {
  return attributeOf(element, 'class') === 'json-formatter-container';
}
