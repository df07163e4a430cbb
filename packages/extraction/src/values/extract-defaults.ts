import { Budget } from '../budget.ts';
import { resolveBase } from '../dom/base-url.ts';
import { attributeOf, isHtmlElement, type Node } from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import type { ExtractOptions } from './extract.ts';
import { readableText } from './readable-text.ts';
import { collapse, textOf } from './text-of.ts';

/** What a page gives when no selectors are given. */
export interface DefaultData {
  readonly title: string | null;
  /** Of <meta name="description">, or og:description. */
  readonly description: string | null;
  /** The readable text of the body, blocks on lines of their own; at most 1,000,000 characters. */
  readonly text: string;
  /** The http and https links of the page, absolute, each once, in document order; at most 10,000. */
  readonly links: readonly string[];
}

const MAX_TEXT_CHARS = 1_000_000;
const MAX_LINKS = 10_000;

/** Title, description, text and links of the page; throws TIMEOUT when over the budget. */
export function extractDefaults(
  document: ParsedDocument,
  { baseUrl, budget = new Budget() }: ExtractOptions,
): DefaultData {
  const body = document.elements.find((element) => isHtmlElement(element, 'body'));
  const title = document.elements.find((element) => isHtmlElement(element, 'title'));
  return {
    title: title ? textOf(title, budget) : null,
    description: findDescription(document),
    text: body ? readableText(body, MAX_TEXT_CHARS, budget) : '',
    links: findLinks(document, resolveBase(document, baseUrl), budget),
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

function findLinks({ elements }: ParsedDocument, base: string, budget: Budget): readonly string[] {
  const links = new Set<string>();
  for (const element of elements) {
    if (links.size >= MAX_LINKS) break;
    if (!isHtmlElement(element, 'a') && !isHtmlElement(element, 'area')) continue;
    const href = attributeOf(element, 'href');
    if (href === undefined) continue;
    budget.spendReading(href.length);
    const url = URL.parse(href, base);
    if (url?.protocol === 'http:' || url?.protocol === 'https:') links.add(url.href);
  }
  return [...links];
}
