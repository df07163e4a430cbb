import { Budget } from '../budget.ts';
import { attributeOf, isHtmlElement, type Node, NodeKind } from '../dom/node.ts';
import { isHtmlPage, type ParsedDocument } from '../dom/parse-document.ts';
import type { ExtractOptions } from './extract.ts';
import { MAX_LINKS, pageLinks } from './page-links.ts';
import { pageText } from './page-text.ts';
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

/** Extracts title, description, text and links of the page. Throws UNSUPPORTED_CONTENT when over the budget. */
export function extractDefaults(
  document: ParsedDocument,
  { baseUrl, budget = new Budget() }: ExtractOptions,
): DefaultData {
  const names = isHtmlPage(document) ? findHtmlNames(document, budget) : findXmlNames(document, budget);
  return {
    ...names,
    text: pageText(document, budget),
    links: findLinks(document, baseUrl, budget),
  };
}

type Names = Pick<DefaultData, 'title' | 'description'>;

function findHtmlNames(document: ParsedDocument, budget: Budget): Names {
  const title = document.elements.find((element) => isHtmlElement(element, 'title'));
  return { title: title ? textOf(title, budget) : null, description: findDescription(document) };
}

/** Returns the first title of a feed or drawing, and the description beside it. */
function findXmlNames({ elements }: ParsedDocument, budget: Budget): Names {
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

function findLinks(document: ParsedDocument, baseUrl: string, budget: Budget): readonly string[] {
  const links = new Set<string>();
  for (const { url } of pageLinks(document, baseUrl, budget)) {
    links.add(url);
    if (links.size >= MAX_LINKS) break;
  }
  return [...links];
}
