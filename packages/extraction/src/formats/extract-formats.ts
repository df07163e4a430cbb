import { type FormatName, WORD_FORMAT_NAMES } from '@gleaner/contracts';
import { readArticle } from '../article/read-article.ts';
import { Budget } from '../budget.ts';
import type { JsonValue } from '../convert/conversion.ts';
import { attributeOf, isHtmlElement, type Node, NodeKind, nextAfter, nextInside } from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { resolveBase } from '../dom/parse-url.ts';
import type { ExtractionWarning } from '../fields/warning-log.ts';
import { markdownOf } from '../markdown/markdown-of.ts';
import { startRun } from '../match/run.ts';
import { once } from '../once.ts';
import { findHiddenText, type HiddenText, withMarks } from '../read/hidden-text.ts';
import { htmlOf } from '../read/html-of.ts';
import { countInvisible, withoutInvisible } from '../read/invisible-characters.ts';
import { hasUrlAsText, MAX_LINKS, pageLinks } from '../read/page-names.ts';
import { isTable, readTable, type TableTexts } from '../read/tables/read-table.ts';
import { collapse, type IsLeftOut, isNever, isUnseen, pageText, partText, textOf } from '../read/text-of.ts';
import { xmlOf } from '../read/xml-of.ts';
import { contentRoots, findPart, type PagePart } from './find-part.ts';
import type { FormatContext, FormatReader } from './format-reader.ts';
import { readMetadata } from './metadata/read-metadata.ts';
import type { PartPlan, PlannedFormat } from './plan-formats.ts';
import { readImages } from './read-images.ts';

/** Options of `extractFormats`. */
export interface FormatOptions {
  /** URL of the page, to which its <base href> is applied. */
  readonly baseUrl: string;
  readonly budget?: Budget;
  /** Orders of the elements that a browser does not show; without them, the markup tells. */
  readonly hidden?: ReadonlySet<number>;
}

/** The formats of a page: the text of a JSON object, and remarks on the parts that they were read from. */
export interface FormatsOfPage {
  readonly json: string;
  readonly warnings: readonly ExtractionWarning[];
}

/** Reads the formats, in the order given. Throws UNSUPPORTED_CONTENT when over the budget. */
export function extractFormats(
  document: ParsedDocument,
  formats: readonly PlannedFormat[],
  { baseUrl, budget = new Budget(), hidden }: FormatOptions,
): FormatsOfPage {
  const run = once(() => startRun(document, budget));
  const hiddenText = once(() => findHiddenText(document, budget, hidden));
  const parts = new Map<PartPlan, PagePart>();
  const partOf = (plan: PartPlan): PagePart => {
    const part = parts.get(plan) ?? findPart(plan, run(), plan.dropsHidden ? hiddenText() : NO_HIDDEN_TEXT);
    parts.set(plan, part);
    return part;
  };
  const warnings: ExtractionWarning[] = [];
  let characters = 0;
  const members = formats.map(({ name, part: plan, hidden: choice }) => {
    const part = plan && partOf(plan);
    if (part?.problem) warnings.push({ field: `formats.${name}`, ...part.problem });
    const read = () => READERS[name](document, { baseUrl, budget, part });
    const json = JSON.stringify(choice === 'mark' ? withMarks(hiddenText(), budget, read) : read());
    if (WORD_FORMAT_NAMES.includes(name)) {
      // As if nothing was dropped.
      const whole = plan?.dropsHidden
        ? findPart({ ...plan, dropsHidden: false }, run(), NO_HIDDEN_TEXT)
        : part;
      characters = Math.max(characters, countHidden(hiddenText(), whole) + countInvisible(json));
    }
    const member = `"${name}":${choice === 'keep' ? json : withoutInvisible(json)}`;
    budget.spendOutput(member);
    return member;
  });
  return { json: `{${members.join(',')}}`, warnings: [...warnings, ...hiddenWarnings(characters)] };
}

const NO_HIDDEN_TEXT: HiddenText = { elements: [], lengths: [] };

/** Returns the number of hidden characters in a part of the page. */
function countHidden({ elements, lengths }: HiddenText, part: PagePart | null): number {
  return elements.reduce((sum, element, at) => sum + (part?.isLeftOut(element) ? 0 : (lengths[at] ?? 0)), 0);
}

function hiddenWarnings(characters: number): ExtractionWarning[] {
  if (characters === 0) return [];
  const message = `${characters} characters of the page are hidden from its readers: a format of words leaves them out with "hidden": "drop".`;
  return [{ code: 'HIDDEN_TEXT', message, characters }];
}

/**
 * Reads the markup of the document as parsed, serialized as browsers do; XML documents as XML. Of a part that is not the
 * document with its outermost element, each element is written by itself.
 */
export const readHtml: FormatReader = ({ root, isXml, elements }, { budget, part }) => {
  const markupOf = (node: Node) => (isXml ? xmlOf : htmlOf)(node, budget, part?.isLeftOut);
  if (part && (part.roots.length !== 1 || part.roots[0] !== elements[0])) {
    return part.roots.map(markupOf).join('\n');
  }
  let markup = '';
  for (let node: Node | null = root.first; node !== null; node = node.next) {
    markup += node.kind === NodeKind.doctype ? `<!DOCTYPE ${node.name}>` : markupOf(node);
  }
  return markup;
};

const readText: FormatReader = (document, { budget, part }) =>
  part ? partText(contentRoots(document, part), part.isLeftOut, budget) : pageText(document, budget);

const READERS: Readonly<Record<FormatName, FormatReader>> = {
  markdown: readMarkdown,
  article: readArticle,
  metadata: readMetadata,
  links: readLinks,
  images: readImages,
  tables: readTables,
  text: readText,
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
export function readLinks(document: ParsedDocument, { baseUrl, budget, part }: FormatContext): JsonValue {
  const isLeftOut = part?.isLeftOut ?? isNever;
  const links = new Map<string, Link>();
  for (const { url, element } of pageLinks(document, baseUrl, budget)) {
    if (isLeftOut(element)) continue;
    const known = links.get(url);
    if (known === undefined && links.size >= MAX_LINKS) break;
    if (known === undefined) {
      links.set(url, {
        url,
        text: linkText(element, isLeftOut, budget),
        rel: textOrNull(attributeOf(element, 'rel')?.toLowerCase()),
      });
    } else {
      known.text ??= linkText(element, isLeftOut, budget);
    }
  }
  return [...links.values()].map(({ url, text, rel }) => ({ url, text, rel }));
}

/** Returns the text of a link as seen, else what assistive technology reads instead: aria-label, `alt` or `title`. */
function linkText(element: Node, isLeftOut: IsLeftOut, budget: Budget): string | null {
  if (hasUrlAsText(element)) return null;
  return (
    textOrNull(textOf(element, budget, (node) => isUnseen(node) || isLink(node) || isLeftOut(node))) ??
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
      const texts = readTable(table, { budget, isLeftOut: isNested });
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

function isNested(node: Node): boolean {
  return isUnseen(node) || isTable(node);
}

/** Returns true for tables marked as layout by their author: the first known role counts. */
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
    if (isHtmlElement(child, 'caption')) return textOf(child, budget, isNested);
  }
  return null;
}

/** Returns the body of the page as markdown, or all of a document that has no body; of a part, its elements one after the other. */
export function readMarkdown(document: ParsedDocument, { baseUrl, budget, part }: FormatContext): string {
  const base = resolveBase(document, baseUrl);
  const context = { base: () => base, budget, ...(part && { isLeftOut: part.isLeftOut }) };
  const body = document.elements.find((element) => isHtmlElement(element, 'body'));
  const roots = part ? contentRoots(document, part) : [body ?? document.root];
  return roots
    .map((root) => markdownOf(root, context))
    .filter((markdown) => markdown !== '')
    .join('\n\n');
}
