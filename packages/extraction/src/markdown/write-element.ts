import { isHeadingTool } from '../dom/heading-tools.ts';
import { attributeOf, isHtmlElement, Namespace, type Node, NodeKind } from '../dom/node.ts';
import type { BaseUrl } from '../dom/parse-url.ts';
import { isHtmlBlock } from '../dom/word-borders.ts';
import { collapse, isUnseen } from '../read/text-of.ts';
import { startList } from './block-writer.ts';
import { codeBlock, preformattedText } from './code-block.ts';
import type { MarkKind } from './inline-run.ts';
import { imageMarkup, linkUrl } from './link-markup.ts';
import type { MarkdownWriter } from './markdown-writer.ts';
import { type Alignment, type CellShape, isDataTable, TableRows } from './table-rows.ts';

/** State of a walk over the page. */
export interface ElementContext {
  readonly writer: MarkdownWriter;
  /** Returns the base of relative URLs. */
  readonly base: () => BaseUrl;
}

/** Ends an element, after its content. */
export type Leave = () => void;

/** Starts an element and returns how to end it; `skip` if its content is not to be visited. */
export type WriteElement = (element: Node, context: ElementContext) => Leave | 'skip' | undefined;

/** Starts any element. */
export const writeElement: WriteElement = (element, context) => {
  if (isUnseen(element) || isHeadingTool(element)) return 'skip';
  if (element.namespace === Namespace.html)
    return (ELEMENTS.get(element.name) ?? writeOther)(element, context);
  // The texts of a drawing mean nothing apart from it.
  if (element.namespace === Namespace.svg) return isInHtml(element) ? 'skip' : undefined;
  return element.namespace === Namespace.mathml ? undefined : writeBlock(element, context);
};

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
  if (href === undefined) return undefined;
  const url = linkUrl(href, base(), writer.budget);
  const title = collapse(attributeOf(element, 'title') ?? '');
  if (url === undefined) return undefined;
  return writer.openMark({ kind: 'link', url, title }) ? () => writer.closeMark() : undefined;
};

const writeImage: WriteElement = (element, { writer, base }) => {
  const alt = collapse(attributeOf(element, 'alt') ?? '');
  const sources = [attributeOf(element, 'src'), attributeOf(element, 'data-src')];
  const source = sources.find((value) => value !== undefined && !/^\s*(?:data:|$)/i.test(value));
  const url = source === undefined ? undefined : linkUrl(source, base(), writer.budget);
  writer.budget.spendReading(alt.length);
  const title = collapse(attributeOf(element, 'title') ?? '');
  if (url !== undefined) writer.atom(imageMarkup({ alt, url, title }));
  else if (alt !== '') writer.text(alt);
  return 'skip';
};

const writeBreak: WriteElement = (_element, { writer }) => {
  writer.lineBreak();
  return 'skip';
};

const writeRule: WriteElement = (_element, { writer }) => {
  writer.boundary();
  // Dashes at the start of an item would continue its marker.
  if (writer.place === 'flow') writer.writeBlock([writer.blocks.isAtContainerStart ? '___' : '---']);
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
  const { writer } = context;
  writer.boundary();
  if (writer.place !== 'flow' || !writer.openQuote()) return writeBlock(element, context);
  return () => {
    writer.flush();
    writer.blocks.close();
  };
};

const writeList: WriteElement = (element, context) => {
  const { writer } = context;
  if (writer.place !== 'flow') return writeBlock(element, context);
  writer.flush();
  const isOrdered = isHtmlElement(element, 'ol');
  writer.openList(startList(element, writer.follows(isOrdered ? '.' : '-')));
  return () => {
    writer.flush();
    writer.closeList();
  };
};

const writeItem: WriteElement = (element, context) => {
  const { writer } = context;
  writer.boundary();
  if (writer.place !== 'flow' || !writer.openItem(element)) return writeBlock(element, context);
  return () => {
    writer.flush();
    writer.closeItem();
  };
};

const writeCheckbox: WriteElement = (element, { writer }) => {
  const isCheckbox = attributeOf(element, 'type')?.toLowerCase() === 'checkbox';
  if (isCheckbox) writer.markTask(attributeOf(element, 'checked') === undefined ? '[ ] ' : '[x] ');
  return 'skip';
};

const writeTable: WriteElement = (element, context) => {
  const { writer } = context;
  writer.boundary();
  if (writer.place !== 'flow' || !isDataTable(element, writer.budget)) return writeBlock(element, context);
  const rows = new TableRows(writer.budget);
  writer.table = rows;
  return () => {
    writer.table = null;
    writer.flush();
    writer.writeBlock(rows.lines());
  };
};

const writeRow: WriteElement = (element, context) => {
  const { table } = context.writer;
  if (!table) return writeBlock(element, context);
  const isHead = element.parent !== null && isHtmlElement(element.parent, 'thead');
  table.startRow(isHead ? 'head' : 'body');
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
  ...(['li', 'dd'] as const).map((name): [string, WriteElement] => [name, writeItem]),
  ...(['dt', 'summary'] as const).map((name): [string, WriteElement] => [name, writeTerm]),
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
  ['hr', writeRule],
  ['blockquote', writeQuote],
  ['dl', writeList],
  ['input', writeCheckbox],
  ['table', writeTable],
  ['tr', writeRow],
  ['q', writeQuotation],
]);

/** Elements whose own form depends on what is around them. */
const PARTS = new Set(['li', 'dd', 'td', 'th']);

/** Returns true for an element that is only a part of another, so that alone only its content counts. */
export function isPart({ kind, name, namespace }: Node): boolean {
  return kind === NodeKind.element && namespace === Namespace.html && PARTS.has(name);
}
