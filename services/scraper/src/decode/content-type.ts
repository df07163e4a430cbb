import type { DocumentKind } from '@gleaner/extraction';

/** A parsed Content-Type header. */
export interface ContentType {
  /** Type and subtype in lower case; '' when there is none. */
  readonly essence: string;
  /** The first charset parameter as written. */
  readonly charset: string | undefined;
}

const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const ESSENCE = new RegExp(`^[ \\t]*(${TOKEN}/${TOKEN})[ \\t]*(?=;|,|$)`);
const PARAMETER = /;([^=;]*)=[ \t]*(?:"((?:[^"\\]|\\.)*)"?|([^;]*))/g;

/** Types that servers send for unknown content: browsers examine the bytes then. */
const UNKNOWN_TYPES: ReadonlySet<string> = new Set(['', 'unknown/unknown', 'application/unknown', '*/*']);

/** Parses a header as https://mimesniff.spec.whatwg.org/#parsing-a-mime-type does: leniently; the first charset counts. */
export function parseContentType(header: string | undefined): ContentType {
  const essence = ESSENCE.exec(header ?? '')?.[1]?.toLowerCase() ?? '';
  for (const [, name, quoted, plain] of (header ?? '').matchAll(PARAMETER)) {
    if (name?.trim().toLowerCase() !== 'charset') continue;
    const charset = quoted?.replace(/\\(.)/g, '$1') ?? plain?.split(',', 1)[0]?.trim() ?? '';
    if (charset !== '') return { essence, charset };
  }
  return { essence, charset: undefined };
}

/** Tells whether an essence says nothing about the body (https://mimesniff.spec.whatwg.org/#mime-type-sniffing-algorithm). */
export function isUnknownType(essence: string): boolean {
  return UNKNOWN_TYPES.has(essence);
}

const XML_TYPE = /^(?:(?:text|application)\/xml|[^/]+\/[^/]+\+xml)$/;
const JSON_TYPE = /^(?:(?:text|application)\/json|[^/]+\/[^/]+\+json)$/;
const TEXT_TYPE = /^(?:text\/|application\/(?:javascript|x-javascript)$)/;

/**
 * Returns the kind of document that a browser shows for a Content-Type: JSON, scripts and every text that is neither HTML
 * nor XML are shown as plain text (https://html.spec.whatwg.org/#loading-a-document). Without a type it is HTML.
 */
export function documentKindOf(contentType: string | undefined): DocumentKind {
  const { essence } = parseContentType(contentType);
  if (XML_TYPE.test(essence)) return 'xml';
  if (JSON_TYPE.test(essence)) return 'json';
  return TEXT_TYPE.test(essence) && essence !== 'text/html' ? 'text' : 'html';
}

const HTML_TYPES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);

/**
 * Beginnings of documents that browsers take for HTML when the type is unknown, with any white space after the tag's name
 * (https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type).
 */
const HTML_BEGINNING =
  /^[\t\n\f\r ]*<(?:!doctype html|!--|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[\t\n\f\r >]/i;

/** Tells whether a browser shows a text of this Content-Type as HTML; tags in every other text have no effect. */
export function isHtml(text: string, contentType: string | undefined): boolean {
  const { essence } = parseContentType(contentType);
  return HTML_TYPES.has(essence) || (isUnknownType(essence) && HTML_BEGINNING.test(text));
}
