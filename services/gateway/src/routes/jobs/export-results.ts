import type { ExtractedValue, PageResult, ResultFormat, ScrapeOptions } from '@gleaner/contracts';
import type { StoredJob } from '@gleaner/storage';

/** One way to write all results: what it is, and how it is made of their JSON texts. */
export interface ExportFormat {
  readonly contentType: string;
  readonly render: (
    results: AsyncIterable<readonly string[]>,
    job: Pick<StoredJob, 'optionsJson'>,
  ) => AsyncIterable<string>;
}

/** The formats that results can be had in. */
export const FORMATS: Readonly<Record<ResultFormat, ExportFormat>> = {
  json: { contentType: 'application/json; charset=utf-8', render: renderJson },
  ndjson: { contentType: 'application/x-ndjson; charset=utf-8', render: renderNdjson },
  csv: { contentType: 'text/csv; charset=utf-8; header=present', render: renderCsv },
};

async function* renderJson(results: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  let opening = '[';
  for await (const texts of results) {
    yield `${opening}\n${texts.join(',\n')}`;
    opening = ',';
  }
  yield opening === '[' ? '[]\n' : '\n]\n';
}

async function* renderNdjson(results: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  for await (const texts of results) yield `${texts.join('\n')}\n`;
}

/** The fields of a page when no selectors were given (packages/extraction). */
const DEFAULT_FIELDS = ['title', 'description', 'text', 'links'];

async function* renderCsv(
  results: AsyncIterable<readonly string[]>,
  { optionsJson }: Pick<StoredJob, 'optionsJson'>,
): AsyncGenerator<string> {
  const { selectors, screenshot = false }: ScrapeOptions = JSON.parse(optionsJson);
  const fields = selectors ? Object.keys(selectors) : DEFAULT_FIELDS;
  const columns = screenshot ? [...COLUMNS, SCREENSHOT_COLUMN] : COLUMNS;
  yield lineOf([...columns.map(({ name }) => name), ...fields]);
  for await (const texts of results) {
    yield texts.map((text) => lineOf(cellsOf(JSON.parse(text), columns, fields))).join('');
  }
}

interface Column {
  readonly name: string;
  readonly read: (result: PageResult) => string;
}

/** What every result has, before its fields. */
const COLUMNS: readonly Column[] = [
  { name: 'url', read: ({ url }) => url },
  { name: 'error', read: (result) => ('error' in result ? result.error.code : '') },
];
const SCREENSHOT_COLUMN: Column = {
  name: 'screenshotUrl',
  read: (result) => ('screenshotUrl' in result ? (result.screenshotUrl ?? '') : ''),
};

function cellsOf(result: PageResult, columns: readonly Column[], fields: readonly string[]): string[] {
  const { data } = result;
  return [
    ...columns.map(({ read }) => read(result)),
    ...fields.map((field) => cellOf(data === null ? null : data[field])),
  ];
}

/** Text as it is, nothing for what is missing, and JSON for lists and records. */
function cellOf(value: ExtractedValue | undefined): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** RFC 4180, section 2: CRLF at the end of a record; quotes around what holds a comma, a quote or a line break. */
function lineOf(cells: readonly string[]): string {
  return `${cells.map((cell) => quoted(unexecutable(cell))).join(',')}\r\n`;
}

/** Spreadsheets run what begins like a formula (https://owasp.org/www-community/attacks/CSV_Injection). */
function unexecutable(cell: string): string {
  return /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
