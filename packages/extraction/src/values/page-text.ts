import type { Budget } from '../budget.ts';
import { isHtmlElement } from '../dom/node.ts';
import { isHtmlPage, type ParsedDocument } from '../dom/parse-document.ts';
import { isHtmlBlock, isXmlBlock, readableText } from './readable-text.ts';

const MAX_CHARS = 1_000_000;

/**
 * Returns the readable text of the body, or of a whole document other than HTML, with each block on its own line; limited in
 * length.
 */
export function pageText(document: ParsedDocument, budget: Budget): string {
  if (!isHtmlPage(document)) {
    return readableText(document.root, { isBlock: isXmlBlock, maxChars: MAX_CHARS }, budget);
  }
  const body = document.elements.find((element) => isHtmlElement(element, 'body'));
  return body ? readableText(body, { isBlock: isHtmlBlock, maxChars: MAX_CHARS }, budget) : '';
}
