import type { DocumentKind } from '@gleaner/extraction';
import QuickLRU from 'quick-lru';

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

const parsed = new QuickLRU<string, ContentType>({ maxSize: 64 });
/** Longer headers are not kept. */
const MAX_KEPT_CHARACTERS = 100;

/**
 * Parses a header as https://mimesniff.spec.whatwg.org/#parsing-a-mime-type does: leniently; the first charset counts. A page
 * asks for it at each of its stages, and most pages have one of a few headers.
 */
export function parseContentType(header = ''): ContentType {
  const known = parsed.get(header);
  if (known) return known;
  const contentType = parse(header);
  if (header.length <= MAX_KEPT_CHARACTERS) parsed.set(header, contentType);
  return contentType;
}

function parse(header: string): ContentType {
  const essence = ESSENCE.exec(header)?.[1]?.toLowerCase() ?? '';
  for (const [, name, quoted, plain] of header.matchAll(PARAMETER)) {
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

/** Returns the kind of a document by its Content-Type and its beginning: a feed that was sent as HTML is XML. */
export function documentKindIn(text: string, contentType: string | undefined): DocumentKind {
  const kind = documentKindOf(contentType);
  return kind === 'html' && beginsAsFeed(text) ? 'xml' : kind;
}

const SNIFFED_CHARS = 1445;
const FEED_BEGINNING = /<(?:rss|feed|rdf:RDF)[\s>]/y;
/** Parts of a document before its root element, by their beginnings, with their ends. */
const PROLOG = [
  ['<!--', '-->'],
  ['<!', '>'],
  ['<?', '?>'],
] as const;

/** Tells whether a text is RSS or Atom (https://mimesniff.spec.whatwg.org/#rules-for-distinguishing-if-a-resource-is-a-feed-or-html). */
function beginsAsFeed(text: string): boolean {
  const head = text.slice(0, SNIFFED_CHARS);
  for (let at = /^[\s\ufeff]*/.exec(head)?.[0].length ?? 0; head[at] === '<'; ) {
    FEED_BEGINNING.lastIndex = at;
    if (FEED_BEGINNING.test(head)) return true;
    const [, end] = PROLOG.find(([start]) => head.startsWith(start, at)) ?? [];
    const found = end === undefined ? -1 : head.indexOf(end, at);
    if (end === undefined || found === -1) return false;
    at = found + end.length;
    while (/\s/.test(head[at] ?? '')) at += 1;
  }
  return false;
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
