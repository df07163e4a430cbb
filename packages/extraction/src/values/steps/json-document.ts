import type { Budget } from '../../budget.ts';
import { attributeOf, isHtmlElement, type Node, NodeKind } from '../../dom/node.ts';
import type { ParsedDocument } from '../../dom/parse-document.ts';
import { isUnseen, rawText } from '../text-of.ts';

/**
 * Returns the source of a JSON document, or the text of one that may be JSON under another name: its body is one `pre`, as
 * browsers show plain text, or only text, as in JSON that is sent as HTML. Returns null for all other documents.
 */
export function textOfJsonDocument({ elements, jsonSource }: ParsedDocument, budget: Budget): string | null {
  if (jsonSource !== null) return jsonSource;
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
