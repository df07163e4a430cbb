import { createHash } from 'node:crypto';
import { AppError, type ErrorDetail } from '@gleaner/contracts';
import type { Budget } from './budget.ts';
import { SelectorError, type SelectorList } from './css/selector.ts';
import { attributeOf, isHtmlElement, type Node } from './dom/node.ts';
import { isHtmlPage, type ParsedDocument } from './dom/parse-document.ts';
import { resolveBase, resolveUrl } from './dom/parse-url.ts';
import { ordersOfList } from './match/find-elements.ts';
import { type MatchRun, startRun } from './match/run.ts';
import { parseFieldSelector } from './plan/parse-field-selector.ts';
import { pageText, textOf } from './read/text-of.ts';

/** A link from a page to another one. */
export interface Outlink {
  /** Absolute, with http or https; with a fragment only if it may name another page (`#!…`, `#/…`). */
  readonly url: URL;
  /** True if the `next` of the plan selects it. */
  readonly isNext: boolean;
  /** True if the link asks not to be followed (`rel=nofollow`). */
  readonly isNofollow: boolean;
  /** Text of the link, or its name where it shows none; only if the plan asks for it. */
  readonly text?: string;
}

/** URL of a page and budget for reading it. */
export interface OutlinkContext {
  /** URL of the page, to which its <base href> is applied. */
  readonly baseUrl: string;
  readonly budget: Budget;
}

/**
 * Yields the links of a page selected by the plan: links to the next page first, then the others in document
 * order. Links are `a` and `area` with `href`, and `link rel=next`; feeds and other XML have none. A link
 * repeated in the same spelling is yielded once, and again with a text if it had none. Throws
 * UNSUPPORTED_CONTENT when over the budget.
 */
export function* readOutlinks(
  document: ParsedDocument,
  plan: OutlinkPlan,
  { baseUrl, budget }: OutlinkContext,
): Generator<Outlink, void> {
  if (!isHtmlPage(document)) return;
  const base = resolveBase(document, baseUrl);
  const run = startRun(document, budget);
  /** Links as written; true for the ones with a text. */
  const seen = new Map<string, boolean>();
  for (const { element, isNext } of selectLinks(plan, run)) {
    const href = attributeOf(element, 'href') ?? '';
    const isNofollow = hasToken(element, 'rel', 'nofollow');
    budget.spendReading(href.length);
    const page = withoutAnchor(href);
    const once = `${isNofollow ? '-' : '+'}${page}`;
    const text = plan.describes && !seen.get(once) ? nameOfLink(element, budget) : '';
    if (seen.has(once) && text === '') continue;
    seen.set(once, text !== '');
    const url = resolveUrl(page, base);
    if (url?.protocol === 'http:' || url?.protocol === 'https:')
      yield { url, isNext, isNofollow, ...(text !== '' && { text }) };
  }
}

const MAX_NAME_CHARS = 200;

function nameOfLink(element: Node, budget: Budget): string {
  const attribute = () => attributeOf(element, 'aria-label') ?? attributeOf(element, 'title') ?? '';
  return (textOf(element, budget) || attribute().trim()).slice(0, MAX_NAME_CHARS);
}

/**
 * Returns the link without a fragment that only names a place in the page, so that many links to one page are resolved once.
 * Links with white space beside the `#` stay as they are: the URL parser strips it in some places and escapes it in others.
 */
function withoutAnchor(href: string): string {
  const at = href.indexOf('#');
  if (at < 0) return href;
  const [before, after] = [href[at - 1] ?? '.', href[at + 1] ?? '.'];
  const isRoute = after === '!' || after === '/';
  return isRoute || before <= ' ' || after <= ' ' ? href : href.slice(0, at);
}

function* selectLinks(
  { follow, next }: OutlinkPlan,
  run: MatchRun,
): Generator<{ element: Node; isNext: boolean }, void> {
  if (next) for (const element of linksWithin(next, run)) yield { element, isNext: true };
  if (follow === false) return;
  const { elements } = run.document;
  const others = follow === true ? elements.filter(isLink) : linksWithin(follow, run);
  for (const element of others) yield { element, isNext: false };
}

/** Yields the links matched by the list, and the links inside matched elements. */
function* linksWithin(list: SelectorList, run: MatchRun): Generator<Node, void> {
  const { elements, ends } = run.document;
  let end = 0;
  for (const matched of ordersOfList(list, run)) {
    const [start, matchedEnd] = [Math.max(matched, end), ends[matched] as number];
    run.budget.spend(Math.max(1, matchedEnd - start));
    for (end = start; end < matchedEnd; end++) {
      const element = elements[end] as Node;
      if (isLink(element)) yield element;
    }
  }
}

function isLink(element: Node): boolean {
  const canLink =
    isHtmlElement(element, 'a') ||
    isHtmlElement(element, 'area') ||
    (isHtmlElement(element, 'link') && hasToken(element, 'rel', 'next'));
  return canLink && attributeOf(element, 'href') !== undefined;
}

/** Returns true if the attribute, a list of words, contains the word in any case. */
export function hasToken(element: Node, attribute: string, word: string): boolean {
  const words = attributeOf(element, attribute)
    ?.toLowerCase()
    .split(/[\t\n\f\r ]+/);
  return words?.includes(word) ?? false;
}

/** Links of a page that a caller wants. */
export interface OutlinkSelection {
  /** All links, none, or only links matched by these CSS selectors or inside a matched element. */
  readonly follow: boolean | readonly string[];
  /** CSS selector of links that are wanted in any case. */
  readonly next?: string | undefined;
  /** Links are wanted with their texts. */
  readonly describes?: boolean | undefined;
}

/** A compiled selection. */
export interface OutlinkPlan {
  readonly follow: boolean | SelectorList;
  readonly next: SelectorList | null;
  readonly describes: boolean;
}

/** Compiles a selection. Throws INVALID_SELECTOR with every error. */
export function planOutlinks({ follow, next, describes = false }: OutlinkSelection): OutlinkPlan {
  const details: ErrorDetail[] = [];
  const parse = (path: string, css: string): SelectorList => {
    try {
      return parseFieldSelector(css).list;
    } catch (error) {
      if (!(error instanceof SelectorError)) throw error;
      details.push({ path, message: error.message });
      return [];
    }
  };
  const plan = {
    follow:
      typeof follow === 'boolean' ? follow : follow.flatMap((css, index) => parse(`follow.${index}`, css)),
    next: next === undefined ? null : parse('next', next),
    describes,
  };
  if (details.length > 0) throw new AppError('INVALID_SELECTOR', { details });
  return plan;
}

/** Properties of a page for recognizing it and for the rules on its links. */
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
