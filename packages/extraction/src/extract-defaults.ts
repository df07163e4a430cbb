import { Budget } from './budget.ts';
import type { ParsedDocument } from './dom/parse-document.ts';
import type { ExtractOptions } from './extract.ts';
import { MAX_LINKS, pageLinks } from './read/page-links.ts';
import { type PageNames, pageNames } from './read/page-names.ts';
import { pageText } from './read/text-of.ts';

/** Data of a page that is returned without selectors. */
export interface DefaultData extends PageNames {
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
  return {
    ...pageNames(document, budget),
    text: pageText(document, budget),
    links: findLinks(document, baseUrl, budget),
  };
}

function findLinks(document: ParsedDocument, baseUrl: string, budget: Budget): readonly string[] {
  const links = new Set<string>();
  for (const { url } of pageLinks(document, baseUrl, budget)) {
    links.add(url);
    if (links.size >= MAX_LINKS) break;
  }
  return [...links];
}
