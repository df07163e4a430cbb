import { attributeOf, isHtmlElement } from './node.ts';
import type { ParsedDocument } from './parse-document.ts';

/** Returns the base of the page's relative URLs: its first <base> with href, or its own URL. HTML §4.2.3. */
export function resolveBase({ elements }: ParsedDocument, pageUrl: string): string {
  for (const element of elements) {
    const href = isHtmlElement(element, 'base') ? attributeOf(element, 'href') : undefined;
    if (href !== undefined) return usable(URL.parse(href, pageUrl)) ?? pageUrl;
  }
  return pageUrl;
}

function usable(url: URL | null): string | undefined {
  return url && url.protocol !== 'data:' && url.protocol !== 'javascript:' ? url.href : undefined;
}
