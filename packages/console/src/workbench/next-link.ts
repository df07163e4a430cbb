import type { Extracted } from './draft/fill.ts';

/** Link to the next page of a list. */
export interface NextLink {
  readonly selector: string;
  readonly url: string;
}

/** Selectors by which sites mark the link to the next page, the most certain first. */
const SELECTORS = [
  'a[rel~="next"]',
  'a.next',
  '.next > a',
  'a[class*="next" i]',
  '[class*="next" i] > a',
  'a[aria-label*="next" i]',
  'a[title*="next" i]',
  'a#next',
  '#next a',
];

/** Selectors of a request that finds the link to the next page. */
export const NEXT_SELECTORS = Object.fromEntries(
  SELECTORS.map((selector, index) => [
    `next${index}`,
    { selector: `${selector}::attr(href)`, type: 'url' as const },
  ]),
);

/** Returns the link to the next page in the values of `NEXT_SELECTORS`: to another page of the same host. */
export function nextLinkIn({ data }: Extracted, pageUrl: string): NextLink | undefined {
  const page = URL.parse(pageUrl);
  for (const [index, selector] of SELECTORS.entries()) {
    const value = data?.[`next${index}`];
    const url = typeof value === 'string' ? URL.parse(value) : null;
    if (!url || !page || url.host !== page.host) continue;
    if (url.pathname + url.search !== page.pathname + page.search) return { selector, url: url.href };
  }
  return undefined;
}
