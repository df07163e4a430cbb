import type { ExtractedValue, Failure, PageResult, ResultFormat, ScrapeOptions } from '@gleaner/contracts';
import type { StoredJob } from '@gleaner/storage';

/** One way to write all results: its media type, and a writer that takes their JSON texts. */
export interface ExportFormat {
  readonly contentType: string;
  readonly render: (
    results: AsyncIterable<readonly string[]>,
    job: Pick<StoredJob, 'optionsJson'>,
  ) => AsyncIterable<string>;
}

/** Formats that results are available in. */
export const FORMATS: Readonly<Record<ResultFormat, ExportFormat>> = {
  json: { contentType: 'application/json; charset=utf-8', render: renderJson },
  ndjson: { contentType: 'application/x-ndjson; charset=utf-8', render: renderNdjson },
  csv: { contentType: 'text/csv; charset=utf-8; header=present', render: renderCsv },
};

const ACCEPTED: Readonly<Record<string, ResultFormat>> = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'text/csv': 'csv',
};

/** Returns the format that an Accept header prefers (RFC 9110, section 12.5.1); JSON where it names none of ours. */
export function formatFor(accept = ''): ResultFormat {
  const ranges = accept.split(',').map((range, index) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return { format: ACCEPTED[type], weight: quality === undefined ? 1 : Number(quality), index };
  });
  const [best] = ranges
    .filter(({ format, weight }) => format !== undefined && weight > 0)
    .toSorted((one, other) => other.weight - one.weight || one.index - other.index);
  return best?.format ?? 'json';
}

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

/** Fields of a page when no selectors were given (packages/extraction). */
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

/** Columns of every result, before its fields. */
const COLUMNS: readonly Column[] = [
  { name: 'url', read: ({ url }) => url },
  errorColumn('error', ({ code }) => code),
  errorColumn('errorMessage', ({ message }) => message),
  errorColumn('errorSuggestion', ({ suggestion }) => suggestion),
  errorColumn('targetStatusCode', ({ targetStatusCode = '' }) => String(targetStatusCode)),
];
const SCREENSHOT_COLUMN: Column = {
  name: 'screenshotUrl',
  read: (result) => ('screenshotUrl' in result ? (result.screenshotUrl ?? '') : ''),
};

function errorColumn(name: string, read: (error: Failure) => string): Column {
  return { name, read: (result) => ('error' in result ? read(result.error) : '') };
}

function cellsOf(result: PageResult, columns: readonly Column[], fields: readonly string[]): string[] {
  const { data } = result;
  return [
    ...columns.map(({ read }) => read(result)),
    ...fields.map((field) => cellOf(data === null ? null : data[field])),
  ];
}

/** Returns text as it is, nothing for a missing value, and JSON for lists and records. */
function cellOf(value: ExtractedValue | undefined): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Writes a record (RFC 4180, section 2): CRLF at its end; quotes around cells with a comma, a quote or a line break. */
function lineOf(cells: readonly string[]): string {
  return `${cells.map((cell) => quoted(unexecutable(cell))).join(',')}\r\n`;
}

/** Disarms cells that spreadsheets would run as formulas (https://owasp.org/www-community/attacks/CSV_Injection). */
function unexecutable(cell: string): string {
  return /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
