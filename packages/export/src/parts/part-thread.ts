/** Entry of the thread that writes results into parts. */
import { workerData } from 'node:worker_threads';
import { planTable } from '../columns/rows.ts';
import { tableOf } from '../columns/value-columns.ts';
import { csvHead, linesOf } from '../csv/csv-lines.ts';
import { lineOf } from '../join-texts.ts';
import { ParquetParts } from '../parquet/parquet-file.ts';
import type { PartOutput, PartWriter } from '../part-writer.ts';
import { answer } from '../thread.ts';
import { LineParts } from './line-parts.ts';
import type { AnyPartSettings, PartFormat } from './write-parts.ts';

const settings: AnyPartSettings = workerData;
const { format, partBytes } = settings;
const table = 'columns' in settings ? tableOf(settings.columns) : planTable(settings.exported, settings.plan);

const WRITERS: Readonly<Record<PartFormat, () => PartWriter>> = {
  parquet: () => new ParquetParts(table, partBytes),
  csv: () => new LineParts({ head: csvHead(table), linesOf: (text) => linesOf(text, table) }, partBytes),
  ndjson: () => new LineParts({ head: '', linesOf: (text) => [lineOf(text)] }, partBytes),
};
const writer = WRITERS[format]();

answer(function* (texts: readonly string[] | 'end'): Generator<PartOutput> {
  if (texts === 'end') yield* writer.end();
  else for (const text of texts) yield* writer.write(text);
});
