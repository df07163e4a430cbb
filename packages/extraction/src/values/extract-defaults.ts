import { Budget } from '../budget.ts';
import { resolveBase } from '../dom/base-url.ts';
import { attributeOf, isHtmlElement, Namespace, type Node, NodeKind } from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import type { ExtractOptions } from './extract.ts';
import { isHtmlBlock, isXmlBlock, readableText } from './readable-text.ts';
import { collapse, textOf } from './text-of.ts';

/** Data of a page that is returned without selectors. */
export interface DefaultData {
  readonly title: string | null;
  /** Content of <meta name="description">, or og:description. */
  readonly description: string | null;
  /** Readable text of the body, or of a whole document other than HTML, with each block on its own line; limited in length. */
  readonly text: string;
  /** Links of the page with http and https, absolute, each once, in document order; limited in number. */
  readonly links: readonly string[];
}

const MAX_TEXT_CHARS = 1_000_000;
const MAX_LINKS = 10_000;

/** Extracts title, description, text and links of the page. Throws UNSUPPORTED_CONTENT when over the budget. */
export function extractDefaults(
  document: ParsedDocument,
  { baseUrl, budget = new Budget() }: ExtractOptions,
): DefaultData {
  const [outermost] = document.elements;
  if (document.isXml && outermost && !isHtmlElement(outermost, 'html')) {
    return { ...findXmlNames(document, budget), ...readXmlBody(document, baseUrl, budget) };
  }
  const body = document.elements.find((element) => isHtmlElement(element, 'body'));
  const title = document.elements.find((element) => isHtmlElement(element, 'title'));
  return {
    title: title ? textOf(title, budget) : null,
    description: findDescription(document),
    text: body ? readableText(body, { isBlock: isHtmlBlock, maxChars: MAX_TEXT_CHARS }, budget) : '',
    links: findLinks(document, { base: resolveBase(document, baseUrl), hrefOf: hrefInHtml }, budget),
  };
}

/** Returns the first title of a feed or drawing, and the description beside it. */
function findXmlNames(
  { elements }: ParsedDocument,
  budget: Budget,
): Pick<DefaultData, 'title' | 'description'> {
  const title = elements.find(({ name }) => name === 'title');
  const isDescription = ({ kind, name, namespace }: Node): boolean =>
    kind === NodeKind.element && namespace === title?.namespace && DESCRIPTIONS.has(name);
  let description = title?.parent?.first ?? null;
  while (description !== null && !isDescription(description)) description = description.next;
  return {
    title: title ? textOf(title, budget) : null,
    description: description && textOf(description, budget),
  };
}

/** Names of the description in RSS, Atom and SVG. */
const DESCRIPTIONS = new Set(['description', 'subtitle', 'desc']);

function readXmlBody(
  document: ParsedDocument,
  baseUrl: string,
  budget: Budget,
): Pick<DefaultData, 'text' | 'links'> {
  return {
    text: readableText(document.root, { isBlock: isXmlBlock, maxChars: MAX_TEXT_CHARS }, budget),
    links: findLinks(
      document,
      { base: resolveBase(document, baseUrl), hrefOf: (element) => hrefInXml(element, budget) },
      budget,
    ),
  };
}

function findDescription({ elements }: ParsedDocument): string | null {
  const metas = elements.filter((element) => isHtmlElement(element, 'meta'));
  const named = (attribute: string, wanted: string): string | undefined => {
    const isWanted = (meta: Node) => attributeOf(meta, attribute)?.trim().toLowerCase() === wanted;
    const content = metas.find((meta) => isWanted(meta) && attributeOf(meta, 'content') !== undefined);
    return content && attributeOf(content, 'content');
  };
  const description = named('name', 'description') ?? named('property', 'og:description');
  return description === undefined ? null : collapse(description);
}

type HrefOf = (element: Node) => string | undefined;

function findLinks(
  { elements }: ParsedDocument,
  { base, hrefOf }: { readonly base: string; readonly hrefOf: HrefOf },
  budget: Budget,
): readonly string[] {
  const links = new Set<string>();
  for (const element of elements) {
    if (links.size >= MAX_LINKS) break;
    const href = hrefOf(element);
    if (href === undefined) continue;
    budget.spendReading(href.length);
    const url = URL.parse(href, base);
    if (url?.protocol === 'http:' || url?.protocol === 'https:') links.add(url.href);
  }
  return [...links];
}

function hrefInHtml(element: Node): string | undefined {
  const canLink = isHtmlElement(element, 'a') || isHtmlElement(element, 'area');
  return canLink ? attributeOf(element, 'href') : undefined;
}

/** Returns the link of an element: `href` or `xlink:href`, in HTML and SVG only of `a`; or the text of `link` and `loc`. */
function hrefInXml(element: Node, budget: Budget): string | undefined {
  const { name, namespace, attributes } = element;
  if (namespace === Namespace.html) return hrefInHtml(element);
  if (namespace === Namespace.svg && name !== 'a') return undefined;
  const href = attributes.find((attribute) => attribute.name === 'href')?.value;
  const isText = (name === 'link' || name === 'loc') && hasOnlyText(element);
  return href ?? (isText ? textOf(element, budget) : undefined);
}

function hasOnlyText({ first }: Node): boolean {
  for (let child = first; child !== null; child = child.next) {
    if (child.kind === NodeKind.element) return false;
  }
  return first !== null;
}
