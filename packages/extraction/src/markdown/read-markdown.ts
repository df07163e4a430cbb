import { resolveBase } from '../dom/base-url.ts';
import { isHtmlElement } from '../dom/node.ts';
import type { FormatReader } from '../formats/format-reader.ts';
import { markdownOf } from './markdown-of.ts';

/** Returns the body of the page as markdown, or all of a document that has no body. */
export const readMarkdown: FormatReader = (document, { baseUrl, budget }) => {
  const body = document.elements.find((element) => isHtmlElement(element, 'body'));
  const base = resolveBase(document, baseUrl);
  return markdownOf(body ?? document.root, { base: () => base, budget });
};
