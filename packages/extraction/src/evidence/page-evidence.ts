import type { Budget } from '../budget.ts';
import { attributeOf, isHtmlElement, type Node, NodeKind } from '../dom/node.ts';
import { isHtmlPage, languageOf, type ParsedDocument } from '../dom/parse-document.ts';
import { resolveBase } from '../dom/parse-url.ts';
import { partsWords, partsWordsByName } from '../dom/word-borders.ts';
import { readMarkdown } from '../formats/extract-formats.ts';
import { findPart } from '../formats/find-part.ts';
import { startRun } from '../match/run.ts';
import { findHiddenText } from '../read/hidden-text.ts';
import { imageUrl } from '../read/image-url.ts';
import { withoutInvisible } from '../read/invisible-characters.ts';
import { MAX_LINKS, pageLinks } from '../read/page-names.ts';
import { type IsLeftOut, isHidden } from '../read/text-of.ts';

/** Shown text of a page with the place of its elements, as plain data that can be sent to threads. */
export interface PageEvidence {
  /** White space is collapsed. */
  readonly text: string;
  /** For each element in document order, where its text begins and ends, and the order of its parent. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly parents: Int32Array;
  /** URLs of links and images. */
  readonly urls: readonly PageUrl[];
  readonly language?: string;
  /** URL that relative ones are resolved against. */
  readonly base: string;
}

/** A URL of a page, and the text of its element. */
interface PageUrl {
  readonly url: string;
  readonly from: number;
  readonly to: number;
  /** Order of the element. */
  readonly order: number;
}

/** A page as a model reads it, and what its answer is checked against. */
export interface PageForModel {
  /** Main part of the page as Markdown, without hidden text. */
  readonly markdown: string;
  /** True if the end of the page is left out. */
  readonly isCut: boolean;
  readonly evidence: PageEvidence;
}

/** Options of `readForModel`. */
export interface ForModelOptions {
  /** URL of the page. */
  readonly baseUrl: string;
  readonly budget: Budget;
  /** Orders of the elements that a browser does not show; without them, the markup tells. */
  readonly hidden?: ReadonlySet<number> | undefined;
  /** Bytes of Markdown in UTF-8. */
  readonly maxBytes: number;
}

/** Characters of a page that quotes are looked for in. */
const MAX_TEXT_CHARS = 1_000_000;

const MAIN = { isMain: true, include: null, exclude: null, dropsHidden: true };

/** Reads a page for a model. Throws UNSUPPORTED_CONTENT when over the budget. */
export function readForModel(
  document: ParsedDocument,
  { baseUrl, budget, hidden, maxBytes }: ForModelOptions,
): PageForModel {
  const hiddenText = findHiddenText(document, budget, hidden);
  const part = findPart(MAIN, startRun(document, budget), hiddenText);
  const markdown = withoutInvisible(readMarkdown(document, { baseUrl, budget, part }));
  const bytes = Buffer.from(markdown);
  const isCut = bytes.length > maxBytes;
  const unseen = new Set(hiddenText.elements.map(({ order }) => order));
  return {
    markdown: isCut
      ? bytes
          .subarray(0, maxBytes)
          .toString()
          .replace(/\uFFFD$/, '')
      : markdown,
    isCut,
    evidence: readEvidence(document, { baseUrl, budget, isLeftOut: ({ order }) => unseen.has(order) }),
  };
}

/** Reads the shown text of a page with the places of its elements. */
export function readEvidence(
  document: ParsedDocument,
  {
    baseUrl,
    budget,
    isLeftOut,
  }: Pick<ForModelOptions, 'baseUrl' | 'budget'> & { readonly isLeftOut: IsLeftOut },
): PageEvidence {
  const { elements, parents } = document;
  const base = resolveBase(document, baseUrl);
  budget.spend(2 * elements.length);
  const places = placeElements(document, budget, (node) => isHidden(node) || isLeftOut(node));
  const urls: PageUrl[] = [];
  const add = (url: string | undefined, { order }: Node) => {
    const [from = -1, to = -1] = [places.starts[order], places.ends[order]];
    if (url !== undefined && from >= 0 && urls.length < MAX_LINKS) urls.push({ url, from, to, order });
  };
  for (const { url, element } of pageLinks(document, baseUrl, budget)) add(url, element);
  for (const element of elements)
    if (isHtmlElement(element, 'img')) add(imageUrl(element, base, budget), element);
  const language = languageOf(document);
  return { ...places, parents, urls, base: base.href, ...(language !== undefined && { language }) };
}

/** Collects text with its white space collapsed. */
class Collapsing {
  readonly #pieces: string[] = [];
  length = 0;
  #endsInSpace = true;

  add(text: string): void {
    if (this.length >= MAX_TEXT_CHARS) return;
    const collapsed = withoutInvisible(text).replace(/\s+/g, ' ');
    const piece = this.#endsInSpace && collapsed.startsWith(' ') ? collapsed.slice(1) : collapsed;
    if (piece === '') return;
    this.#pieces.push(piece);
    this.length += piece.length;
    this.#endsInSpace = piece.endsWith(' ');
  }

  get text(): string {
    return this.#pieces.join('');
  }
}

function placeElements(
  document: ParsedDocument,
  budget: Budget,
  isLeftOut: IsLeftOut,
): Pick<PageEvidence, 'text' | 'starts' | 'ends'> {
  const { elements } = document;
  const starts = new Int32Array(elements.length).fill(-1);
  const ends = new Int32Array(elements.length).fill(-1);
  const shown = new Collapsing();
  const body = isHtmlPage(document) ? elements.find((element) => isHtmlElement(element, 'body')) : undefined;
  const root = body ?? document.root;
  const leave = (node: Node): void => {
    if (node.order >= 0) ends[node.order] = shown.length;
    if (partsWordsByName(node.name, node.namespace)) shown.add(' ');
  };
  const enter = (node: Node): boolean => {
    budget.spend(1);
    if (node.kind === NodeKind.text) {
      budget.spendReading(2 * node.value.length);
      shown.add(node.value);
      return false;
    }
    if (partsWords(node)) shown.add(' ');
    if (node.kind === NodeKind.element && isLeftOut(node)) return false;
    if (node.order >= 0) starts[node.order] = shown.length;
    if (isHtmlElement(node, 'img')) shown.add(` ${attributeOf(node, 'alt') ?? ''} `);
    if (node.first !== null) return true;
    leave(node);
    return false;
  };
  if (root.order >= 0) [starts[root.order], ends[root.order]] = [0, 0];
  for (let node: Node | null = root.first; node !== null; ) {
    if (enter(node)) {
      node = node.first;
      continue;
    }
    while (node !== null && node !== root && node.next === null) {
      node = node.parent;
      if (node !== null) leave(node);
    }
    node = node === root || node === null ? null : node.next;
  }
  return { text: shown.text, starts, ends };
}
