import type { Budget } from '../budget.ts';
import { attributeOf, isHtmlElement, type Node, NodeKind } from '../dom/node.ts';
import { isHtmlPage, type ParsedDocument } from '../dom/parse-document.ts';
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
