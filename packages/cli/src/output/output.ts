import { extname } from 'node:path';
import { csvCell, csvLine } from '@gleaner/contracts/csv';
import { UsageError } from '../exit-codes.ts';
import { type Column, renderFields, renderTable } from './render-table.ts';
import type { Sink } from './sink.ts';

/** Forms of the output: tables for people, the others for programs. */
export const FORMATS = ['table', 'json', 'ndjson', 'csv'] as const;
/** Forms of the results of jobs and of the records of datasets. */
export const RESULT_FORMATS = [...FORMATS, 'parquet'] as const;
export type Format = (typeof RESULT_FORMATS)[number];

/** Options of every command that choose its output. */
export interface OutputOptions {
  readonly json?: boolean;
  readonly format?: string;
  readonly output?: string;
}

/** Writes the results of a command, in the form chosen by the options, the file name or the terminal. */
export interface Output {
  readonly format: Format;
  readonly sink: Sink;
  /** Writes a list. */
  list<Row>(
    rows: AsyncIterable<Row> | Iterable<Row>,
    columns: readonly Column<Row>[],
    empty: string,
  ): Promise<void>;
  /** Writes one thing; on a terminal its fields by name. */
  one(value: object, fields: readonly (readonly [string, unknown])[]): Promise<void>;
  /** Writes any JSON, indented on a terminal. */
  json(value: unknown): Promise<void>;
  /** Writes a text for people, and nothing for programs. */
  note(text: string): Promise<void>;
}

/** Creates the output that the options choose among these forms. */
export function createOutput(
  options: OutputOptions,
  sink: Sink,
  formats: readonly Format[] = FORMATS,
): Output {
  const format = chooseFormat(options, sink.isTty, formats);
  const line = (value: unknown) => sink.write(`${JSON.stringify(value)}\n`);
  return {
    format,
    sink,
    async list(rows, columns, empty) {
      if (format === 'table') return await writeTable(sink, await collect(rows), columns, empty);
      if (format === 'json') return await writeArray(sink, rows);
      if (format === 'csv') await sink.write(csvLine(columns.map(({ name }) => csvCell(name))));
      for await (const row of rows) {
        if (format === 'csv') await sink.write(csvLine(columns.map(({ value }) => csvCell(value(row)))));
        else await line(row);
      }
    },
    async one(value, fields) {
      if (format === 'table') return await sink.write(renderFields(fields));
      if (format !== 'csv') return await this.json(value);
      const shown = Object.entries(value);
      await sink.write(csvLine(shown.map(([name]) => csvCell(name))));
      await sink.write(csvLine(shown.map(([, each]) => csvCell(each))));
    },
    async json(value) {
      const isIndented = format === 'table' || format === 'json';
      const text = JSON.stringify(value, null, isIndented ? 2 : undefined) ?? 'null';
      await sink.write(`${text}\n`);
    },
    async note(text) {
      if (format === 'table') await sink.write(`${text}\n`);
    },
  };
}

function chooseFormat(
  { json, format, output }: OutputOptions,
  isTty: boolean,
  formats: readonly Format[],
): Format {
  if (json && format && format !== 'json') {
    throw new UsageError(`--json and --format ${format} exclude each other.`, 'Leave one of them out.');
  }
  if (json) return 'json';
  const ending = extname(output ?? '').toLowerCase();
  if (!format && (FOREIGN.has(ending) || (ending === '.parquet' && !formats.includes('parquet')))) {
    const path = output?.slice(0, -ending.length) ?? '';
    throw new UsageError(
      `A ${ending} file cannot be written.`,
      `Spreadsheets open CSV: -o ${path}.csv. There are also .json and .ndjson, and --format for any other name.`,
    );
  }
  const given = format ?? BY_EXTENSION[ending];
  const found = formats.find((each) => each === given);
  if (found === 'parquet' && isTty)
    throw new UsageError('A terminal does not show Parquet.', 'Write a file: -o results.parquet');
  if (found) return found;
  if (format === 'parquet')
    throw new UsageError(
      'Only results of jobs and records of datasets have Parquet.',
      'There are: gleaner job results <id> -o results.parquet, gleaner dataset pull <name> -o records.parquet',
    );
  if (format)
    throw new UsageError(`--format ${format} is not a format.`, `There are: ${formats.join(', ')}.`);
  return isTty ? 'table' : 'ndjson';
}

const BY_EXTENSION: Readonly<Record<string, Format>> = {
  '.csv': 'csv',
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.parquet': 'parquet',
  '.txt': 'table',
  '.md': 'table',
  '.html': 'table',
};

/** File extensions of other formats, which Gleaner does not write. */
const FOREIGN: ReadonlySet<string> = new Set([
  ...['.xlsx', '.xls', '.xlsm', '.xlsb', '.ods', '.numbers', '.tsv', '.tab', '.feather', '.arrow'],
  ...[
    '.avro',
    '.xml',
    '.yaml',
    '.yml',
    '.toml',
    '.sql',
    '.sqlite',
    '.db',
    '.pdf',
    '.doc',
    '.docx',
    '.odt',
    '.rtf',
  ],
  ...['.zip', '.gz', '.png', '.jpg', '.jpeg'],
]);

async function writeTable<Row>(
  sink: Sink,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  empty: string,
): Promise<void> {
  if (rows.length === 0) return await sink.write(`${empty}\n`);
  await sink.write(renderTable(rows, columns, sink.isTty ? sink.columns : Number.POSITIVE_INFINITY));
}

async function writeArray<Row>(sink: Sink, rows: AsyncIterable<Row> | Iterable<Row>): Promise<void> {
  let separator = '[\n';
  for await (const row of rows) {
    await sink.write(`${separator}${JSON.stringify(row)}`);
    separator = ',\n';
  }
  await sink.write(separator === '[\n' ? '[]\n' : '\n]\n');
}

async function collect<Row>(rows: AsyncIterable<Row> | Iterable<Row>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}
