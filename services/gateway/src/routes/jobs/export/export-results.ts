import { AppError, RESULT_FORMATS, type ResultFormat } from '@gleaner/contracts';
import { type ExportedOptions, rowFieldsOf } from './crawl-columns.ts';
import type { ListField } from './csv-columns.ts';
import { JSON_TYPE, joinAsJson, joinAsLines, NDJSON_TYPE } from './join-texts.ts';
import { preferredFormat } from './preferred-format.ts';
import { renderCsv } from './render-csv.ts';

/** One way to write all results: its media type, and a writer that takes their JSON texts. */
interface ExportFormat {
  readonly contentType: string;
  readonly render: (
    results: AsyncIterable<readonly string[]>,
    exported: ExportedOptions,
    rows: ListField | undefined,
  ) => AsyncIterable<string>;
}

/** Formats that results are available in. */
const FORMATS: Readonly<Record<ResultFormat, ExportFormat>> = {
  json: { contentType: JSON_TYPE, render: joinAsJson },
  ndjson: { contentType: NDJSON_TYPE, render: joinAsLines },
  csv: { contentType: 'text/csv; charset=utf-8; header=present', render: renderCsv },
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
  exported: ExportedOptions,
): ResultExport {
  const format = query.format ?? preferredFormat(accept, RESULT_FORMATS);
  const { contentType, render } = FORMATS[format];
  const rows = query.rows === undefined ? undefined : findRows(query.rows, format, exported);
  return { format, contentType, render: (results) => render(results, exported, rows) };
}

function findRows(path: string, format: ResultFormat, exported: ExportedOptions): ListField {
  if (format !== 'csv') throw invalidRows('is for CSV: add format=csv');
  const lists = rowFieldsOf(exported);
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
