import type { Budget } from '../budget.ts';
import { attributeOf, isHtmlElement, Namespace, type Node, NodeKind } from '../dom/node.ts';
import { isHtmlPage, type ParsedDocument } from '../dom/parse-document.ts';
import { baseOf, parseUrl, resolveBase } from '../dom/parse-url.ts';
import { collapse, textOf } from './text-of.ts';

/** Title and description of a page. */
export interface PageNames {
  readonly title: string | null;
  /** Content of <meta name="description">, or og:description. */
  readonly description: string | null;
}

/** Returns the title and description of a page, or of a document of XML. */
export function pageNames(document: ParsedDocument, budget: Budget): PageNames {
  return isHtmlPage(document) ? findHtmlNames(document, budget) : findXmlNames(document, budget);
}

function findHtmlNames(document: ParsedDocument, budget: Budget): PageNames {
  const title = document.elements.find((element) => isHtmlElement(element, 'title'));
  return { title: title ? textOf(title, budget) : null, description: findDescription(document) };
}

/** Returns the first title of a feed or drawing, and the description beside it. */
function findXmlNames({ elements }: ParsedDocument, budget: Budget): PageNames {
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

/** An element that links to an absolute URL with http or https. */
interface PageLink {
  readonly url: string;
  readonly element: Node;
}

/** Different URLs that are read from one page. */
export const MAX_LINKS = 10_000;

/** Yields the links of a page in document order; the same URL can come more than once. */
export function* pageLinks(
  document: ParsedDocument,
  baseUrl: string,
  budget: Budget,
): Generator<PageLink, void> {
  const base = resolveBase(document, baseUrl);
  const isHtml = isHtmlPage(document);
  for (const element of document.elements) {
    const href = isHtml ? hrefInHtml(element) : hrefInXml(element, budget);
    if (href === undefined) continue;
    const url = parseUrl(href, baseOf(element, { document, base: () => base, budget }), budget);
    if (url?.protocol === 'http:' || url?.protocol === 'https:') yield { url: url.href, element };
  }
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
  return href ?? (hasUrlAsText(element) ? textOf(element, budget) : undefined);
}

/** Returns true for `link` and `loc` elements of XML that contain only text: their URL, if they have no `href`. */
export function hasUrlAsText({ name, namespace, first }: Node): boolean {
  if (namespace === Namespace.html || (name !== 'link' && name !== 'loc')) return false;
  for (let child = first; child !== null; child = child.next) {
    if (child.kind === NodeKind.element) return false;
  }
  return first !== null;
}
