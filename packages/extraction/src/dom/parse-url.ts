import '@exodus/bytes/encoding.js';
import { percentEncodeAfterEncoding } from '@exodus/bytes/whatwg.js';
import type { Budget } from '../budget.ts';
import { attributeOf, isHtmlElement, Namespace, type Node } from './node.ts';
import { isHtmlPage, type ParsedDocument } from './parse-document.ts';

/** Base of the URLs of a document. */
export interface BaseUrl {
  readonly href: string;
  /** Encoding of their queries. */
  readonly encoding: string;
}

/** Returns the base of the page's relative URLs: its first <base> with href, or its own URL. HTML §4.2.3. */
export function resolveBase({ elements, urlEncoding: encoding }: ParsedDocument, pageUrl: string): BaseUrl {
  const page = { href: pageUrl, encoding };
  for (const element of elements) {
    const href = isHtmlElement(element, 'base') ? attributeOf(element, 'href') : undefined;
    if (href !== undefined) return { href: usable(resolveUrl(href, page)) ?? pageUrl, encoding };
  }
  return page;
}

function usable(url: URL | null): string | undefined {
  return url && url.protocol !== 'data:' && url.protocol !== 'javascript:' ? url.href : undefined;
}

/** Document and budget for finding the base of an element. */
interface BaseContext {
  readonly document: ParsedDocument;
  readonly base: () => BaseUrl;
  readonly budget: Budget;
}

/**
 * Returns the base of an element's URLs: that of the page, and in feeds and other XML each `xml:base` around the element
 * (https://www.w3.org/TR/xmlbase/, RFC 4287 section 2). Browsers ignore it in pages.
 */
export function baseOf(element: Node, { document, base, budget }: BaseContext): BaseUrl {
  if (isHtmlPage(document)) return base();
  const inner: string[] = [];
  for (let node: Node | null = element; node !== null; node = node.parent) {
    budget.spend(1);
    const given = node.attributes.find(
      ({ name, namespace }) => name === 'base' && namespace === Namespace.xml,
    );
    if (given) inner.push(given.value);
  }
  const around = base();
  let { href } = around;
  for (const given of inner.reverse()) href = usable(parseUrl(given, { ...around, href }, budget)) ?? href;
  return { ...around, href };
}

/** Cost of parsing a URL, and the characters of the URL and its base for one step more. */
const STEPS_PER_URL = 32;
const CHARS_PER_STEP = 8;

/** Parses a URL relative to the base; null if it is not valid. A page can have a long base, which is parsed each time. */
export function parseUrl(url: string, base: BaseUrl, budget: Budget): URL | null {
  budget.spend(STEPS_PER_URL + Math.ceil((url.length + base.href.length) / CHARS_PER_STEP));
  return resolveUrl(url, base);
}

/** Schemes whose queries are in the encoding of the document; others have UTF-8. */
const ENCODED_PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'ftp:', 'file:']);
/** The special-query percent-encode set beside the characters that are always encoded. */
const QUERY_ENCODE_SET = ' "#\'<>';

/**
 * Does the same at no cost. The query is in the encoding of the base, with `&#…;` for characters that it does not have
 * (https://url.spec.whatwg.org/#query-state).
 */
export function resolveUrl(text: string, { href, encoding }: BaseUrl): URL | null {
  const url = URL.parse(text, href);
  if (!url || encoding === 'utf-8' || !ENCODED_PROTOCOLS.has(url.protocol)) return url;
  const query = queryOf(text);
  if (/[^ -~]/.test(query)) url.search = percentEncodeAfterEncoding(encoding, query, QUERY_ENCODE_SET);
  return url;
}

/** Returns the query as the parser reads it: without control characters and spaces at the end, tabs and line breaks. */
function queryOf(text: string): string {
  const end = text.indexOf('#');
  const url = end < 0 ? text.slice(0, lengthWithoutSpace(text)) : text.slice(0, end);
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1).replace(/[\t\n\r]/g, '');
}

function lengthWithoutSpace(text: string): number {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) <= 0x20) end--;
  return end;
}
