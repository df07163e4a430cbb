import type { FormatName } from '@gleaner/contracts';
import { readArticle } from '../article/read-article.ts';
import { Budget } from '../budget.ts';
import type { JsonValue } from '../convert/conversion.ts';
import { attributeOf, isHtmlElement, type Node, NodeKind, nextAfter, nextInside } from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { resolveBase } from '../dom/parse-url.ts';
import { markdownOf } from '../markdown/markdown-of.ts';
import { htmlOf } from '../read/html-of.ts';
import { hasUrlAsText, MAX_LINKS, pageLinks } from '../read/page-names.ts';
import { isTable, readTable, type TableTexts } from '../read/tables/read-table.ts';
import { collapse, isUnseen, pageText, textOf } from '../read/text-of.ts';
import { xmlOf } from '../read/xml-of.ts';
import { readMetadata } from './metadata/read-metadata.ts';

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

/** Input of a reader besides the document. */
interface FormatContext {
  /** URL of the page, to which its <base href> is not applied yet. */
  readonly baseUrl: string;
  readonly budget: Budget;
}

/**
 * Reads one format of a page. A reader pays the budget for its steps, and bounds what it builds; `extractFormats` pays
 * for the output. Throws UNSUPPORTED_CONTENT when over the budget.
 */
export type FormatReader = (document: ParsedDocument, context: FormatContext) => JsonValue;

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

interface Link {
  /** Absolute, with http or https. */
  readonly url: string;
  /** Text of the first of the URL's links that has one. */
  text: string | null;
  /** The `rel` of the URL's first link, in lower case. */
  readonly rel: string | null;
}

/** Reads the links of the page, each URL once, in document order; limited in number. */
export function readLinks(document: ParsedDocument, { baseUrl, budget }: FormatContext): JsonValue {
  const links = new Map<string, Link>();
  for (const { url, element } of pageLinks(document, baseUrl, budget)) {
    const known = links.get(url);
    if (known === undefined && links.size >= MAX_LINKS) break;
    if (known === undefined) {
      links.set(url, {
        url,
        text: linkText(element, budget),
        rel: textOrNull(attributeOf(element, 'rel')?.toLowerCase()),
      });
    } else {
      known.text ??= linkText(element, budget);
    }
  }
  return [...links.values()].map(({ url, text, rel }) => ({ url, text, rel }));
}

/** Returns the text of a link as seen, else what assistive technology reads instead: aria-label, `alt` or `title`. */
function linkText(element: Node, budget: Budget): string | null {
  if (hasUrlAsText(element)) return null;
  return (
    textOrNull(textOf(element, budget, (node) => isUnseen(node) || isLink(node))) ??
    textOrNull(attributeOf(element, 'aria-label')) ??
    textOrNull(attributeOf(element, 'alt')) ??
    textOrNull(imageTexts(element, budget)) ??
    textOrNull(attributeOf(element, 'title'))
  );
}

/** Links inside a link are read for themselves. */
function isLink(node: Node): boolean {
  return node.name === 'a' && node.attributes.some(({ name }) => name === 'href');
}

function imageTexts(link: Node, budget: Budget): string {
  const texts: string[] = [];
  for (let node = link.first; node !== null; ) {
    budget.spend(1);
    if (isHtmlElement(node, 'img')) texts.push(attributeOf(node, 'alt') ?? '');
    node = isLink(node) ? nextAfter(link, node) : nextInside(link, node);
  }
  return texts.join(' ');
}

function textOrNull(text: string | undefined): string | null {
  return collapse(text ?? '') || null;
}

/**
 * Reads the tables of the page: `caption`, `headers` (the names of the columns, or null without a header) and `rows` (those
 * below the header, as arrays with null for missing cells). A nested table is a table of its own, and no part of the text
 * around it. Left out are layout tables, and tables that `readTable` rejects.
 */
export function readTables({ elements }: ParsedDocument, { budget }: FormatContext): JsonValue {
  return elements
    .filter((element) => isTable(element) && !isPresentational(element))
    .flatMap((table) => {
      const texts = readTable(table, { budget, isLeftOut });
      return texts === null || isSingleCell(texts) ? [] : [toJson(table, texts, budget)];
    });
}

function toJson(table: Node, { headerRows, bodyRows, names }: TableTexts, budget: Budget) {
  return {
    caption: captionOf(table, budget),
    headers: headerRows.length > 0 ? names : null,
    rows: bodyRows,
  };
}

function isLeftOut(node: Node): boolean {
  return isUnseen(node) || isTable(node);
}

/** Returns true for tables that their author marks as layout: the first role that is known counts. */
function isPresentational(table: Node): boolean {
  const [role] = (attributeOf(table, 'role') ?? '').trim().toLowerCase().split(/\s+/, 1);
  return role === 'presentation' || role === 'none';
}

function isSingleCell({ headerRows, bodyRows, names }: TableTexts): boolean {
  return (headerRows.length + bodyRows.length) * names.length <= 1;
}

function captionOf(table: Node, budget: Budget): string | null {
  for (let child = table.first; child !== null; child = child.next) {
    budget.spend(1);
    if (isHtmlElement(child, 'caption')) return textOf(child, budget, isLeftOut);
  }
  return null;
}

/** Returns the body of the page as markdown, or all of a document that has no body. */
export function readMarkdown(document: ParsedDocument, { baseUrl, budget }: FormatContext): string {
  const body = document.elements.find((element) => isHtmlElement(element, 'body'));
  const base = resolveBase(document, baseUrl);
  return markdownOf(body ?? document.root, { base: () => base, budget });
}
