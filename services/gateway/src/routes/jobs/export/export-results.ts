import { AppError, RESULT_FORMATS, type ResultFormat } from '@gleaner/contracts';
import { allColumnsOf, type CsvChoice, type ExportedOptions, rowFieldsOf } from './crawl-columns.ts';
import type { ListField } from './csv-columns.ts';
import type { CsvPlan } from './csv-lines.ts';
import { JSON_TYPE, joinAsJson, joinAsLines, NDJSON_TYPE } from './join-texts.ts';
import { preferredFormat } from './preferred-format.ts';
import { renderCsv } from './render-csv.ts';

/** One way to write all results: its media type, and a writer that takes their JSON texts. */
interface ExportFormat {
  readonly contentType: string;
  readonly render: (
    results: AsyncIterable<readonly string[]>,
    exported: ExportedOptions,
    plan: CsvPlan,
  ) => AsyncIterable<string | Uint8Array>;
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
  readonly columns?: string;
  readonly pages?: 'records' | 'all';
}

/** A file of all results. */
export interface ResultExport {
  readonly format: ResultFormat;
  readonly contentType: string;
  readonly render: (results: AsyncIterable<readonly string[]>) => AsyncIterable<string | Uint8Array>;
}

/** Plans the export of a job's results. Throws INVALID_REQUEST for what the job has not, and for what is not for CSV. */
export function planExport(
  query: ExportQuery,
  accept: string | undefined,
  exported: ExportedOptions,
): ResultExport {
  const format = query.format ?? preferredFormat(accept, RESULT_FORMATS);
  const { contentType, render } = FORMATS[format];
  const rows = query.rows === undefined ? undefined : findRows(query.rows, format, exported);
  const { pages } = query;
  if (pages !== undefined && format !== 'csv') throw invalid('pages', ONLY_CSV);
  const columns =
    query.columns === undefined ? undefined : chooseColumns(query.columns, format, exported, { rows });
  return { format, contentType, render: (results) => render(results, exported, { rows, pages, columns }) };
}

const ONLY_CSV = 'is for CSV: add format=csv';

/** Returns names of columns, which are separated by commas, in their order. */
function chooseColumns(
  names: string,
  format: ResultFormat,
  exported: ExportedOptions,
  choice: CsvChoice,
): string[] {
  if (format !== 'csv') throw invalid('columns', ONLY_CSV);
  const known = allColumnsOf(exported, choice).map(({ name }) => name);
  const wanted = [...new Set(names.split(',').map((name) => name.trim()))];
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown === undefined) return wanted;
  throw invalid('columns', `has no ${JSON.stringify(unknown)}; there are: ${known.join(', ')}`);
}

function findRows(path: string, format: ResultFormat, exported: ExportedOptions): ListField {
  if (format !== 'csv') throw invalid('rows', ONLY_CSV);
  const lists = rowFieldsOf(exported);
  const found = lists.find((list) => list.path === path);
  if (found) return found;
  if (lists.length === 0) throw invalid('rows', 'must name a list, and no field of this job is one');
  throw invalid('rows', `must be one of the lists of this job: ${lists.map((list) => list.path).join(', ')}`);
}

function invalid(path: string, message: string): AppError {
  return new AppError('INVALID_REQUEST', { message: `${path} ${message}.`, details: [{ path, message }] });
}
