import type { FormatName } from '@gleaner/contracts';
import { readArticle } from '../article/read-article.ts';
import { Budget } from '../budget.ts';
import { type Node, NodeKind } from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { readMarkdown } from '../markdown/read-markdown.ts';
import { htmlOf } from '../read/html-of.ts';
import { pageText } from '../read/text-of.ts';
import { xmlOf } from '../read/xml-of.ts';
import type { FormatReader } from './format-reader.ts';
import { readMetadata } from './metadata/read-metadata.ts';
import { readLinks } from './read-links.ts';
import { readTables } from './read-tables.ts';

/** Options of `extractFormats`. */
export interface FormatOptions {
  /** URL of the page, to which its <base href> is applied. */
  readonly baseUrl: string;
  readonly budget?: Budget;
}

/**
 * Reads the formats, in the order given, and returns them as the text of a JSON object. Throws UNSUPPORTED_CONTENT when
 * over the budget.
 */
export function extractFormats(
  document: ParsedDocument,
  names: readonly FormatName[],
  { baseUrl, budget = new Budget() }: FormatOptions,
): string {
  const members = names.map((name) => {
    const member = `"${name}":${JSON.stringify(READERS[name](document, { baseUrl, budget }))}`;
    budget.spendOutput(member);
    return member;
  });
  return `{${members.join(',')}}`;
}

/** Reads the markup of the whole document as parsed, serialized as browsers do; XML documents as XML. */
export const readHtml: FormatReader = ({ root, isXml }, { budget }) => {
  const markupOf = isXml ? xmlOf : htmlOf;
  let markup = '';
  for (let node: Node | null = root.first; node !== null; node = node.next) {
    markup += node.kind === NodeKind.doctype ? `<!DOCTYPE ${node.name}>` : markupOf(node, budget);
  }
  return markup;
};

const READERS: Readonly<Record<FormatName, FormatReader>> = {
  markdown: readMarkdown,
  article: readArticle,
  metadata: readMetadata,
  links: readLinks,
  tables: readTables,
  text: (document, { budget }) => pageText(document, budget),
  html: readHtml,
};
