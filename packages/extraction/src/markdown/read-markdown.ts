import type { Budget } from '../budget.ts';
import { isHtmlElement } from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { resolveBase } from '../dom/parse-url.ts';
import { markdownOf } from './markdown-of.ts';

/** Returns the body of the page as markdown, or all of a document that has no body. */
export function readMarkdown(
  document: ParsedDocument,
  { baseUrl, budget }: { readonly baseUrl: string; readonly budget: Budget },
): string {
  const body = document.elements.find((element) => isHtmlElement(element, 'body'));
  const base = resolveBase(document, baseUrl);
  return markdownOf(body ?? document.root, { base: () => base, budget });
}
