import type { ColumnKind } from '../columns/column-kind.ts';
import type { ExportedOptions } from '../columns/crawl-columns.ts';
import { planTable, type TablePlan } from '../columns/rows.ts';
import type { ValueColumn } from '../columns/value-columns.ts';
import { withExactValues } from '../parquet/storage.ts';
import type { PartOutput } from '../part-writer.ts';
import { ExportThread } from '../thread.ts';

/** Formats of parts. */
export const PART_FORMATS = ['parquet', 'ndjson', 'csv'] as const;
export type PartFormat = (typeof PART_FORMATS)[number];

/** Table of the results of a job. */
interface ResultTable {
  readonly exported: ExportedOptions;
  readonly plan: TablePlan;
}

/** Form of parts. */
interface PartForm {
  readonly format: PartFormat;
  /** Size from which a part ends. */
  readonly partBytes: number;
}

/** Form of the parts that results are written into. */
export type PartSettings = ResultTable & PartForm;
/** Form of the parts of JSON texts with columns of their own. */
type ValueSettings = { readonly columns: readonly ValueColumn[] } & PartForm;
/** Form of the parts that JSON texts are written into. */
export type AnyPartSettings = PartSettings | ValueSettings;

const THREAD = new URL('./part-thread.ts', import.meta.url);

/** Writes JSON texts into parts, in a thread: yields the bytes of each part, then its end. */
export async function* writeParts(
  results: AsyncIterable<readonly string[]>,
  settings: AnyPartSettings,
): AsyncGenerator<PartOutput> {
  await using thread = new ExportThread<readonly string[] | 'end', PartOutput>(THREAD, settings);
  for await (const texts of results) yield* thread.write(texts);
  yield* thread.write('end');
}

/** Returns the columns of the parts, with the kinds of their values. */
export function describeColumns({
  format,
  exported,
  plan,
}: ResultTable & { readonly format: PartFormat }): { readonly name: string; readonly type: ColumnKind }[] {
  const table = planTable(exported, plan);
  const { columns } = format === 'parquet' ? withExactValues(table) : table;
  return columns.map(({ name, kind }) => ({ name, type: kind }));
}

/** Writes results as one Parquet file. */
export function renderParquet(
  results: AsyncIterable<readonly string[]>,
  exported: ExportedOptions,
  plan: TablePlan = {},
): AsyncGenerator<Uint8Array> {
  return oneFile(results, { exported, plan });
}

/** Writes JSON texts as one Parquet file with these columns. */
export function renderValuesAsParquet(
  texts: AsyncIterable<readonly string[]>,
  columns: readonly ValueColumn[],
): AsyncGenerator<Uint8Array> {
  return oneFile(texts, { columns });
}

async function* oneFile(
  texts: AsyncIterable<readonly string[]>,
  table: ResultTable | { readonly columns: readonly ValueColumn[] },
): AsyncGenerator<Uint8Array> {
  const settings: AnyPartSettings = { ...table, format: 'parquet', partBytes: Number.POSITIVE_INFINITY };
  for await (const output of writeParts(texts, settings)) if (!('rows' in output)) yield output;
}
