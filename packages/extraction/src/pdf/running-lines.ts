import { HEADING_FACTOR, type PageLine, textOf, usualSize } from './page-lines.ts';

/** Fewest pages of a document with running lines; a shorter one is kept whole. */
const MIN_PAGES = 4;
/** Pages that a running line is on, at the same height. */
const MIN_REPEATS = 3;
/** Running lines at an edge of a page. */
const MAX_ROWS = 3;
/** Largest difference of the heights of one row on different pages, in points. */
const TOLERANCE = 3;
/** Least distance between running lines and the text, in sizes of their text. */
const MIN_GAP = 1.5;

/**
 * Leaves out running heads, running feet and page numbers: lines at the edges of pages that repeat at one height. Larger
 * text is the title of a slide, or of a form. A page with nothing else is whole.
 */
export function withoutRunningLines(
  pages: readonly (readonly PageLine[])[],
): readonly (readonly PageLine[])[] {
  if (pages.filter((lines) => lines.some(hasText)).length < MIN_PAGES) return pages;
  const running = new Set<PageLine>();
  const maxSize = usualSize(pages.flat()) * HEADING_FACTOR;
  for (const edge of [1, -1] as const) {
    const rows = pages.map((lines) => rowsAt(lines, edge));
    const repeated = findRepeated(rows);
    for (const ofPage of rows) {
      const isText = (row: Row) => !repeated.has(row) || row.lines.some(({ size }) => size >= maxSize);
      const first = ofPage.findIndex(isText);
      let count = first < 0 ? ofPage.length : first;
      while (count > 0 && !isApart(ofPage, count - 1)) count--;
      for (const { lines } of ofPage.slice(0, count)) for (const line of lines) running.add(line);
    }
  }
  return pages.map((lines) => {
    const text = lines.filter((line) => !running.has(line));
    return text.some(hasText) ? text : lines;
  });
}

function hasText(line: PageLine): boolean {
  return textOf(line.runs).trim() !== '';
}

/** Lines of a page at one height. */
interface Row {
  readonly lines: PageLine[];
  readonly baseline: number;
}

/** Returns the outermost rows at the top of a page (1) or at its bottom (-1), and one more. */
function rowsAt(lines: readonly PageLine[], edge: 1 | -1): readonly Row[] {
  const rows: Row[] = [];
  for (const line of lines.filter(hasText).sort((one, other) => edge * (other.baseline - one.baseline))) {
    const row = rows.at(-1);
    if (row !== undefined && Math.abs(row.baseline - line.baseline) <= TOLERANCE) row.lines.push(line);
    else if (rows.length > MAX_ROWS) break;
    else rows.push({ lines: [line], baseline: line.baseline });
  }
  return rows;
}

/** Tells whether there is room between a row and the one behind it. */
function isApart(rows: readonly Row[], index: number): boolean {
  const [row, next] = rows.slice(index, index + 2);
  if (row === undefined || next === undefined) return false;
  const size = Math.max(...row.lines.map((line) => line.size), 1);
  return Math.abs(row.baseline - next.baseline) >= size * MIN_GAP;
}

/** Finds the rows that repeat at one height: with the same words, or with numbers that count the pages. */
function findRepeated(pages: readonly (readonly Row[])[]): ReadonlySet<Row> {
  const rows = new Map<string, Row[]>();
  for (const [page, ofPage] of pages.entries()) {
    for (const row of ofPage.slice(0, MAX_ROWS)) {
      for (const key of keysOf(row, page)) {
        const known = rows.get(key);
        if (known) known.push(row);
        else rows.set(key, [row]);
      }
    }
  }
  return new Set([...rows.values()].filter((of) => of.length >= MIN_REPEATS).flat());
}

const MAX_ROW_CHARS = 200;
/** Number of a page without other words: figures or Roman numerals. */
const ONLY_NUMBER =
  /^[^\p{L}\p{N}]*(?:(?:page|seite|p\.|s\.)\s*)?(\d{1,5}|[ivxlc]{1,8})(?:\s*(?:\/|of|von|sur|de)\s*\d{1,5})?[^\p{L}\p{N}]*$/iu;
/** Numbers at the ends of a row with other words, as in "Kettles 2" and "Kettles 2 / 57". */
const NUMBERS = [/^\d{1,5}(?!\d)/, /(?<!\d)\d{1,5}(?=(?:\s*(?:\/|of|von|sur|de)\s*\d{1,5})?$)/];
/** Largest difference between such a number and the count of the pages. */
const MAX_OFFSET = 40;

/** Returns the texts by which rows of different pages are the same. */
function keysOf({ lines, baseline }: Row, page: number): readonly string[] {
  const sorted = lines.toSorted((one, other) => one.left - other.left);
  const text = sorted
    .map(({ runs }) => textOf(runs))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (text.length > MAX_ROW_CHARS) return [];
  const [, number] = ONLY_NUMBER.exec(text) ?? [];
  const names = number === undefined ? namesOf(text, page) : [`#${numberOf(number) - page}`];
  // Rows at both sides of a border of two heights have one in common.
  const heights = new Set([-0.5, 0.5].map((step) => Math.round(baseline / TOLERANCE + step)));
  return [...heights].flatMap((height) => names.map((name) => `${height} ${name}`));
}

/** Returns the words of a row, and the numbers at its ends by their distance to the count of the pages. */
function namesOf(text: string, page: number): readonly string[] {
  const offsets = NUMBERS.flatMap((place) => place.exec(text) ?? []).map((number) => Number(number) - page);
  const near = offsets.filter((offset) => Math.abs(offset) <= MAX_OFFSET);
  return [text, ...new Set(near.map((offset) => `#${offset}`))];
}

const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 };

function numberOf(numeral: string): number {
  if (/\d/.test(numeral)) return Number(numeral);
  const values = [...numeral.toLowerCase()].map((letter) => ROMAN[letter] ?? 0);
  return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0);
}
