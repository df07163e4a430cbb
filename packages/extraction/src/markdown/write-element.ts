import { admonitionOf, isAdmonition } from '../dom/admonition.ts';
import { isHeadingTool } from '../dom/heading-tools.ts';
import { attributeOf, isHtmlElement, Namespace, type Node, NodeKind } from '../dom/node.ts';
import type { BaseUrl } from '../dom/parse-url.ts';
import { isHtmlBlock } from '../dom/word-borders.ts';
import { type Formula, formulaOf } from '../read/formula.ts';
import { imageUrl, isPixel } from '../read/image-url.ts';
import { collapse, isUnseen } from '../read/text-of.ts';
import { codeBlock, preformattedText } from './code-block.ts';
import type { MarkKind } from './inline-run.ts';
import { formulaMarkup, imageMarkup, linkUrl } from './link-markup.ts';
import { isLists, startList } from './list-state.ts';
import type { MarkdownWriter } from './markdown-writer.ts';
import { type Alignment, type CellShape, isDataTable, TableRows } from './table-rows.ts';

/** State of a walk over the page. */
export interface ElementContext {
  readonly writer: MarkdownWriter;
  /** Returns the base of relative URLs. */
  readonly base: () => BaseUrl;
  /** Titles of the notes that were begun, and the signs before them. */
  readonly notes: { readonly titles: Set<Node>; readonly signs: Set<Node> };
}

/** Ends an element, after its content. */
export type Leave = () => void;

/** Starts an element and returns how to end it; `skip` if its content is not to be visited. */
export type WriteElement = (element: Node, context: ElementContext) => Leave | 'skip' | undefined;

/** Starts any element. */
export const writeElement: WriteElement = (element, context) => {
  if (isUnseen(element) || isHeadingTool(element)) return 'skip';
  if (context.notes.titles.has(element)) return writeTitle(element, context);
  if (context.notes.signs.has(element)) return 'skip';
  const formula = formulaOf(element);
  if (formula) return writeFormula(formula, context);
  if (element.namespace === Namespace.html)
    return (ELEMENTS.get(element.name) ?? writeOther)(element, context);
  // The texts of a drawing mean nothing apart from it.
  if (element.namespace === Namespace.svg) return isInHtml(element) ? 'skip' : undefined;
  if (element.namespace === Namespace.mathml) return element.name === 'annotation-xml' ? 'skip' : undefined;
  return writeBlock(element, context);
};

/** Writes the TeX of a formula between dollars, as Pandoc, GitHub and Obsidian read it. */
function writeFormula({ tex, isDisplayed }: Formula, { writer }: ElementContext): 'skip' {
  writer.budget.spendReading(tex.length);
  if (writer.codeDepth > 0) writer.text(tex);
  else if (writer.place === 'flow' && isDisplayed) {
    writer.boundary();
    writer.atom(formulaMarkup(tex, '$$'));
    writer.boundary();
  } else writer.atom(formulaMarkup(tex, '$'));
  return 'skip';
}

function isInHtml({ parent }: Node): boolean {
  return parent?.namespace === Namespace.html;
}

const writeOther: WriteElement = (element, context) =>
  isHtmlBlock(element) ? writeBlock(element, context) : undefined;

const writeBlock: WriteElement = (_element, { writer }) => {
  writer.boundary();
  return () => writer.boundary();
};

function marked(kind: Exclude<MarkKind, 'link'>): WriteElement {
  return (_element, { writer }) => (writer.openMark({ kind }) ? () => writer.closeMark() : undefined);
}

/** Writes a block whose text is strong, such as a term. */
const writeTerm: WriteElement = (_element, { writer }) => {
  writer.boundary();
  const isStrong = writer.place === 'flow' && writer.openMark({ kind: 'strong' });
  return () => {
    if (isStrong) writer.closeMark();
    writer.boundary();
  };
};

const writeTitle: WriteElement = (element, { writer }) => {
  writer.boundary();
  const isStrong = writer.openMark({ kind: 'strong' });
  // A sign of a font has no text, only a tooltip.
  if (element.first === null) writer.text(collapse(attributeOf(element, 'title') ?? ''));
  return () => {
    if (isStrong) writer.closeMark();
    writer.boundary();
  };
};

const writeCode: WriteElement = (_element, { writer }) => {
  writer.codeDepth++;
  return () => {
    writer.codeDepth--;
  };
};

const writeHeading: WriteElement = (element, context) => {
  const { writer } = context;
  if (writer.place !== 'flow') return writeBlock(element, context);
  writer.openHeading(Number(element.name.slice(1)));
  return () => writer.closeHeading();
};

const writeLink: WriteElement = (element, { writer, base }) => {
  const href = attributeOf(element, 'href');
  // A heading is not linked to itself, nor to its entry in the contents of the page.
  if (href === undefined || (writer.place === 'heading' && href.startsWith('#'))) return undefined;
  const url = linkUrl(href, base(), writer.budget);
  const title = collapse(attributeOf(element, 'title') ?? '');
  if (url === undefined) return undefined;
  return writer.openMark({ kind: 'link', url, title }) ? () => writer.closeMark() : undefined;
};

const writeImage: WriteElement = (element, { writer, base }) => {
  const alt = collapse(attributeOf(element, 'alt') ?? '');
  if (isPixel(element)) return 'skip';
  const url = imageUrl(element, base(), writer.budget);
  writer.budget.spendReading(alt.length);
  const title = collapse(attributeOf(element, 'title') ?? '');
  if (url !== undefined) writer.atom(imageMarkup({ alt, url, title }));
  else if (alt !== '') writer.text(alt);
  return 'skip';
};

/** Keeps the labels of tabs apart, which stand side by side. */
const writeLabel: WriteElement = (element, { writer }) => {
  if (element.previous !== null && isHtmlElement(element.previous, 'label')) writer.text(' ');
  return undefined;
};

const writeBreak: WriteElement = (_element, { writer }) => {
  writer.lineBreak();
  return 'skip';
};

const writeRule: WriteElement = (_element, { writer }) => {
  writer.boundary();
  // Dashes would continue the marker of an item, and make a heading of the line before them.
  const { isAtContainerStart, isGapless } = writer.blocks;
  if (writer.place === 'flow') writer.writeBlock([isAtContainerStart || isGapless ? '___' : '---']);
  return 'skip';
};

const writePre: WriteElement = (element, { writer }) => {
  writer.boundary();
  if (writer.place === 'flow') {
    writer.writeBlock(codeBlock(element, writer.budget));
    return 'skip';
  }
  writer.codeDepth++;
  for (const line of preformattedText(element, writer.budget).split('\n')) {
    writer.text(line);
    writer.boundary();
  }
  writer.codeDepth--;
  return 'skip';
};

const writeQuote: WriteElement = (element, context) => {
  const { writer, notes } = context;
  const { title, signs = [] } = admonitionOf(element) ?? {};
  if (title) notes.titles.add(title);
  for (const sign of signs) notes.signs.add(sign);
  writer.boundary();
  if (writer.place !== 'flow' || !writer.openQuote()) return writeBlock(element, context);
  return () => writer.closeQuote();
};

/** Writes a note of a documentation system as a quote that begins with its title. */
const writeBox: WriteElement = (element, context) => {
  context.writer.budget.spend(1);
  return (isAdmonition(element) ? writeQuote : writeOther)(element, context);
};

const writeList: WriteElement = (element, context) => {
  const { writer } = context;
  if (writer.place !== 'flow') return writeBlock(element, context);
  writer.flush();
  // A list beside items is shown one level deeper, as in the item before it.
  const isInItem = element.parent !== null && isList(element.parent) && writer.reopenItem();
  writer.openList(startList(element));
  return () => {
    writer.flush();
    writer.closeList();
    if (isInItem) writer.closeItem();
  };
};

function isList(element: Node): boolean {
  return isHtmlElement(element, 'ul') || isHtmlElement(element, 'ol') || isHtmlElement(element, 'menu');
}

const writeItem: WriteElement = (element, context) => {
  const { writer } = context;
  writer.boundary();
  if (writer.place !== 'flow' || !writer.openItem(element)) return writeBlock(element, context);
  return () => {
    writer.flush();
    writer.closeItem();
  };
};

/** Writes a term: a strong paragraph, or an entry. */
const writeEntry: WriteElement = (element, context) => {
  const list = context.writer.lists.at(-1);
  const isEntry = list?.form === 'entries' && isPartOfList(element);
  if (!isEntry) return writeTerm(element, context);
  const leave = writeItem(element, context);
  if (!list.hasDefinitions || typeof leave !== 'function') return leave;
  const leaveTerm = writeTerm(element, context);
  return () => {
    if (typeof leaveTerm === 'function') leaveTerm();
    leave();
  };
};

/** Writes a definition: an item, or the rest of an entry. One that has lists alone is these. */
const writeDefinition: WriteElement = (element, context) => {
  const { writer } = context;
  const list = writer.lists.at(-1);
  const isInDefinitions = isPartOfList(element) && writer.place === 'flow';
  if (list?.form === 'definitions' && isInDefinitions && isLists(element))
    return writeBlock(element, context);
  if (list?.form !== 'entries' || !isInDefinitions) return writeItem(element, context);
  writer.flush();
  if (!writer.reopenItem()) return writeItem(element, context);
  return () => {
    writer.flush();
    writer.closeItem();
  };
};

/** Returns true for a part of a list of definitions, which may be in a group of parts. */
function isPartOfList({ parent }: Node): boolean {
  const list = parent !== null && isHtmlElement(parent, 'div') ? parent.parent : parent;
  return list !== null && isHtmlElement(list, 'dl');
}

const writeCheckbox: WriteElement = (element, { writer }) => {
  const isCheckbox = attributeOf(element, 'type')?.toLowerCase() === 'checkbox';
  if (isCheckbox) writer.markTask(attributeOf(element, 'checked') === undefined ? '[ ] ' : '[x] ');
  return 'skip';
};

const writeTable: WriteElement = (element, context) => {
  const { writer } = context;
  writer.boundary();
  if (writer.place !== 'flow' || isFrameOfNote(element) || !isDataTable(element, writer.budget))
    return writeBlock(element, context);
  const rows = new TableRows(writer.budget);
  writer.table = rows;
  return () => {
    writer.table = null;
    writer.flush();
    writer.writeBlock(rows.lines());
  };
};

/** Returns true for the table that lays out a note, with its sign beside its text. */
function isFrameOfNote({ parent, previous }: Node): boolean {
  const isFirst = previous === null || (previous.kind === NodeKind.text && previous.previous === null);
  return isFirst && parent !== null && isAdmonition(parent);
}

const writeRow: WriteElement = (element, context) => {
  const { table } = context.writer;
  if (!table) return writeBlock(element, context);
  table.startRow(element.parent);
  return undefined;
};

const writeCell: WriteElement = (element, context) => {
  const { writer } = context;
  if (!writer.table || writer.place !== 'flow') return writeBlock(element, context);
  writer.openCell();
  return () => writer.closeCell(shapeOf(element));
};

function shapeOf(cell: Node): CellShape {
  return {
    isHeader: cell.name === 'th',
    columns: spanOf(cell, 'colspan'),
    rows: spanOf(cell, 'rowspan'),
    alignment: alignmentOf(cell),
  };
}

function spanOf(cell: Node, name: string): number {
  const value = attributeOf(cell, name) ?? '';
  return /^\d{1,9}$/.test(value) ? Math.max(1, Number(value)) : 1;
}

function alignmentOf(cell: Node): Alignment {
  const style = (attributeOf(cell, 'style') ?? '').slice(0, 500);
  const value =
    /text-align:\s?(left|right|center)/.exec(style)?.[1] ?? attributeOf(cell, 'align')?.toLowerCase();
  return value === 'left' || value === 'right' || value === 'center' ? value : undefined;
}

const writeQuotation: WriteElement = (_element, { writer }) => {
  writer.text('"');
  return () => writer.text('"');
};

const skip: WriteElement = () => 'skip';

/** Leaves out the buttons that copy code. */
const writeButton: WriteElement = (element, context) => {
  const names = ['class', 'aria-label', 'title'].map((name) =>
    (attributeOf(element, name) ?? '').slice(0, 200),
  );
  return /\b(?:copy|clipboard|clip)(?:\b|_)/i.test(names.join(' ')) ? 'skip' : writeOther(element, context);
};

const emphasis = marked('emphasis');
const strong = marked('strong');
const strikethrough = marked('strikethrough');

/** Elements of HTML with a form in markdown; other blocks are paragraphs, and all else is text. */
const ELEMENTS: ReadonlyMap<string, WriteElement> = new Map<string, WriteElement>([
  ...(['em', 'i', 'cite', 'dfn', 'var'] as const).map((name): [string, WriteElement] => [name, emphasis]),
  ...(['strong', 'b'] as const).map((name): [string, WriteElement] => [name, strong]),
  ...(['del', 's', 'strike'] as const).map((name): [string, WriteElement] => [name, strikethrough]),
  ...(['code', 'kbd', 'samp', 'tt'] as const).map((name): [string, WriteElement] => [name, writeCode]),
  ...(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const).map((name): [string, WriteElement] => [
    name,
    writeHeading,
  ]),
  ...(['pre', 'listing', 'xmp', 'plaintext'] as const).map((name): [string, WriteElement] => [
    name,
    writePre,
  ]),
  ...(['ul', 'ol', 'menu', 'dir'] as const).map((name): [string, WriteElement] => [name, writeList]),
  ['li', writeItem],
  ['dt', writeEntry],
  ['dd', writeDefinition],
  ['summary', writeTerm],
  ...(['td', 'th'] as const).map((name): [string, WriteElement] => [name, writeCell]),
  ...(['noscript', 'iframe', 'noembed', 'noframes'] as const).map((name): [string, WriteElement] => [
    name,
    skip,
  ]),
  ['sup', marked('superscript')],
  ['sub', marked('subscript')],
  ['a', writeLink],
  ['img', writeImage],
  ['br', writeBreak],
  ['label', writeLabel],
  ['hr', writeRule],
  ['blockquote', writeQuote],
  ...(['aside', 'details', 'div', 'section'] as const).map((name): [string, WriteElement] => [
    name,
    writeBox,
  ]),
  ['dl', writeList],
  ['input', writeCheckbox],
  ['table', writeTable],
  ['tr', writeRow],
  ['q', writeQuotation],
  ['button', writeButton],
]);

/** Elements with a form that depends on the element around them. */
const PARTS = new Set(['li', 'dd', 'td', 'th']);

/** Returns true for an element that is only a part of another: alone, only its content counts. */
export function isPart({ kind, name, namespace }: Node): boolean {
  return kind === NodeKind.element && namespace === Namespace.html && PARTS.has(name);
}
