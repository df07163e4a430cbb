import { createHash } from 'node:crypto';
import { attributeOf, isHtmlElement, type Node } from '../dom/node.ts';
import { isHtmlPage, type ParsedDocument } from '../dom/parse-document.ts';
import { resolveBase, resolveUrl } from '../dom/parse-url.ts';
import { pageText } from '../read/text-of.ts';
import { hasToken, type OutlinkContext } from './read-outlinks.ts';

/** Properties by which a crawler recognizes a page and knows what it may do with its links. */
export interface PageIdentity {
  /** Absolute URL of <link rel=canonical>, if it is http or https. */
  readonly canonicalUrl?: string;
  /** True if the page asks for none of its links to be followed (<meta name=robots>). */
  readonly isNofollow: boolean;
  /** Hash of the readable text. */
  readonly textHash: string;
}

const MAX_URL_CHARS = 8192;

/** Reads the identity of a page. Throws UNSUPPORTED_CONTENT when over the budget. */
export function readPageIdentity(document: ParsedDocument, context: OutlinkContext): PageIdentity {
  const { budget } = context;
  const canonicalUrl = isHtmlPage(document) ? findCanonicalUrl(document, context) : undefined;
  return {
    ...(canonicalUrl !== undefined && { canonicalUrl }),
    isNofollow: document.elements.some(forbidsLinks),
    textHash: hashOf(pageText(document, budget)),
  };
}

/** Returns 128 bits of SHA-256 in base64url. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');
}

function findCanonicalUrl(document: ParsedDocument, { baseUrl, budget }: OutlinkContext): string | undefined {
  const link = document.elements.find(
    (element) => isHtmlElement(element, 'link') && hasToken(element, 'rel', 'canonical'),
  );
  const href = link && attributeOf(link, 'href');
  if (href === undefined || href.length > MAX_URL_CHARS) return undefined;
  budget.spendReading(href.length);
  const url = resolveUrl(href, resolveBase(document, baseUrl));
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

/** Names of <meta> elements that speak to this crawler. */
const ROBOTS_NAMES: ReadonlySet<string> = new Set(['robots', 'gleaner']);

function forbidsLinks(element: Node): boolean {
  if (!isHtmlElement(element, 'meta')) return false;
  const name = attributeOf(element, 'name')?.trim().toLowerCase() ?? '';
  return ROBOTS_NAMES.has(name) && namesNofollow(attributeOf(element, 'content') ?? '');
}

function namesNofollow(content: string): boolean {
  return content
    .toLowerCase()
    .split(/[\s,]+/)
    .some((word) => word === 'nofollow' || word === 'none');
}
