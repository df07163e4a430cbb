import { AppError, type ResultFormat, type ScrapeOptions } from '@gleaner/contracts';
import { type ListField, listFieldsOf } from './csv-columns.ts';
import { renderCsv } from './render-csv.ts';

/** One way to write all results: its media type, and a writer that takes their JSON texts. */
interface ExportFormat {
  readonly contentType: string;
  readonly render: (
    results: AsyncIterable<readonly string[]>,
    options: ScrapeOptions,
    rows: ListField | undefined,
  ) => AsyncIterable<string>;
}

/** Formats that results are available in. */
const FORMATS: Readonly<Record<ResultFormat, ExportFormat>> = {
  json: { contentType: 'application/json; charset=utf-8', render: renderJson },
  ndjson: { contentType: 'application/x-ndjson; charset=utf-8', render: renderNdjson },
  csv: { contentType: 'text/csv; charset=utf-8; header=present', render: renderCsv },
};

const ACCEPTED: Readonly<Record<string, ResultFormat>> = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'text/csv': 'csv',
};

/** Choice of a caller who exports results. */
interface ExportQuery {
  readonly format?: ResultFormat;
  readonly rows?: string;
}

/** A file of all results. */
export interface ResultExport {
  readonly format: ResultFormat;
  readonly contentType: string;
  readonly render: (results: AsyncIterable<readonly string[]>) => AsyncIterable<string>;
}

/** Plans the export of a job's results. Throws INVALID_REQUEST when `rows` is not a list of the job, or not for CSV. */
export function planExport(
  query: ExportQuery,
  accept: string | undefined,
  options: ScrapeOptions,
): ResultExport {
  const format = query.format ?? formatFor(accept);
  const { contentType, render } = FORMATS[format];
  const rows = query.rows === undefined ? undefined : findRows(query.rows, format, options);
  return { format, contentType, render: (results) => render(results, options, rows) };
}

function findRows(path: string, format: ResultFormat, options: ScrapeOptions): ListField {
  if (format !== 'csv') throw invalidRows('is for CSV: add format=csv');
  const lists = listFieldsOf(options);
  const found = lists.find((list) => list.path === path);
  if (found) return found;
  if (lists.length === 0) throw invalidRows('must name a list, and no field of this job is one');
  throw invalidRows(`must be one of the lists of this job: ${lists.map((list) => list.path).join(', ')}`);
}

function invalidRows(message: string): AppError {
  return new AppError('INVALID_REQUEST', {
    message: `rows ${message}.`,
    details: [{ path: 'rows', message }],
  });
}

/** Returns the format that an Accept header prefers (RFC 9110, section 12.5.1); JSON where it names none of ours. */
function formatFor(accept = ''): ResultFormat {
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
