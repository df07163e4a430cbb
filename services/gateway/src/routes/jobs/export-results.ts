import { AppError, RESULT_FORMATS, type ResultFormat } from '@gleaner/contracts';
import {
  allColumnsOf,
  type ExportedOptions,
  JSON_TYPE,
  joinAsJson,
  joinAsLines,
  type ListField,
  NDJSON_TYPE,
  renderCsv,
  renderParquet,
  rowFieldsOf,
  type TableChoice,
  type TablePlan,
} from '@gleaner/export';
import { preferredFormat } from './preferred-format.ts';

/** One way to write all results: its media type, and a writer that takes their JSON texts. */
interface ExportFormat {
  readonly contentType: string;
  readonly render: (
    results: AsyncIterable<readonly string[]>,
    exported: ExportedOptions,
    plan: TablePlan,
  ) => AsyncIterable<string | Uint8Array>;
}

/** Formats that results are available in. */
const FORMATS: Readonly<Record<ResultFormat, ExportFormat>> = {
  json: { contentType: JSON_TYPE, render: joinAsJson },
  ndjson: { contentType: NDJSON_TYPE, render: joinAsLines },
  csv: { contentType: 'text/csv; charset=utf-8; header=present', render: renderCsv },
  parquet: { contentType: 'application/vnd.apache.parquet', render: renderParquet },
};

/** Choice of a caller who exports results. */
interface ExportQuery {
  readonly format?: ResultFormat;
  readonly rows?: string;
  readonly columns?: string;
  readonly pages?: 'records' | 'all';
}

/** A file of all results. */
export interface ResultExport {
  readonly format: ResultFormat;
  readonly contentType: string;
  readonly render: (results: AsyncIterable<readonly string[]>) => AsyncIterable<string | Uint8Array>;
}

/** Plans the export of a job's results. Throws INVALID_REQUEST for what the job has not, and for what is not for tables. */
export function planExport(
  query: ExportQuery,
  accept: string | undefined,
  exported: ExportedOptions,
): ResultExport {
  const format = query.format ?? preferredFormat(accept, RESULT_FORMATS);
  const { contentType, render } = FORMATS[format];
  const rows = query.rows === undefined ? undefined : findRows(query.rows, format, exported);
  const { pages } = query;
  if (pages !== undefined) requireTable('pages', format);
  const columns =
    query.columns === undefined ? undefined : chooseColumns(query.columns, format, exported, { rows });
  return { format, contentType, render: (results) => render(results, exported, { rows, pages, columns }) };
}

/** Throws INVALID_REQUEST for a parameter of tables with another format. */
function requireTable(path: string, format: ResultFormat): void {
  if (format === 'csv' || format === 'parquet') return;
  throw invalid(path, 'is for CSV and Parquet: add format=csv or format=parquet');
}

/** Returns names of columns, which are separated by commas, in their order. */
function chooseColumns(
  names: string,
  format: ResultFormat,
  exported: ExportedOptions,
  choice: TableChoice,
): string[] {
  requireTable('columns', format);
  const known = allColumnsOf(exported, choice).map(({ name }) => name);
  const wanted = [...new Set(names.split(',').map((name) => name.trim()))];
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown === undefined) return wanted;
  throw invalid('columns', `has no ${JSON.stringify(unknown)}; there are: ${known.join(', ')}`);
}

function findRows(path: string, format: ResultFormat, exported: ExportedOptions): ListField {
  requireTable('rows', format);
  const lists = rowFieldsOf(exported);
  const found = lists.find((list) => list.path === path);
  if (found) return found;
  if (lists.length === 0) throw invalid('rows', 'must name a list, and no field of this job is one');
  throw invalid('rows', `must be one of the lists of this job: ${lists.map((list) => list.path).join(', ')}`);
}

function invalid(path: string, message: string): AppError {
  return new AppError('INVALID_REQUEST', { message: `${path} ${message}.`, details: [{ path, message }] });
}
