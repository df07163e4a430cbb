import { zstdCompressSync } from 'node:zlib';
import { ByteWriter, type ColumnSource, ParquetWriter } from 'hyparquet-writer';
import type { Column } from '../columns/field-columns.ts';
import { rowsOf, type Table } from '../columns/rows.ts';
import type { PartOutput, PartWriter } from '../part-writer.ts';
import { STORAGE, type Stored, store, withExactValues } from './storage.ts';

/** Largest row group: a reader holds one in memory, and so does the writer. */
const MAX_GROUP_ROWS = 10_000;
const MAX_GROUP_BYTES = 16 * 1024 * 1024;

/** Writes results as Parquet, a row group at a time; files end behind the group with which they have their size. */
export class ParquetParts implements PartWriter {
  readonly #table: Table;
  readonly #partBytes: number;
  readonly #bytes = new ByteWriter();
  #file: ParquetWriter | undefined;
  #fileRows = 0;
  #hasEnded = false;
  /** Values of the present row group, by column. */
  #group: (Stored | undefined)[][];
  #groupBytes = 0;

  constructor(table: Table, partBytes: number) {
    this.#table = withExactValues(table);
    this.#partBytes = partBytes;
    this.#group = this.#emptyGroup();
  }

  *write(text: string): Generator<PartOutput> {
    for (const cells of rowsOf(text, this.#table, store)) {
      for (const [index, cell] of cells.entries()) {
        this.#group[index]?.push(cell);
        this.#groupBytes += cell instanceof Uint8Array ? cell.byteLength : 8;
      }
      const isFull = this.#groupRows >= MAX_GROUP_ROWS || this.#groupBytes >= this.#maxGroupBytes;
      if (isFull) yield* this.#endGroup();
    }
  }

  /** Ends the last file; without any row, there is one with the columns alone. */
  *end(): Generator<PartOutput> {
    if (this.#groupRows > 0) yield* this.#endGroup();
    if (this.#file || !this.#hasEnded) yield* this.#endFile();
  }

  get #groupRows(): number {
    return this.#group[0]?.length ?? 0;
  }

  get #maxGroupBytes(): number {
    return Math.min(MAX_GROUP_BYTES, this.#partBytes);
  }

  #emptyGroup(): (Stored | undefined)[][] {
    return this.#table.columns.map(() => []);
  }

  *#endGroup(): Generator<PartOutput> {
    const rows = this.#groupRows;
    const columnData = this.#table.columns.map(({ name }, index): ColumnSource => {
      return { name, data: this.#group[index] ?? [] };
    });
    this.#group = this.#emptyGroup();
    this.#groupBytes = 0;
    expectWritten(this.#openFile().write({ columnData, rowGroupSize: rows }));
    this.#fileRows += rows;
    yield this.#takeBytes();
    if (this.#bytes.offset >= this.#partBytes) yield* this.#endFile();
  }

  *#endFile(): Generator<PartOutput> {
    expectWritten(this.#openFile().finish());
    yield this.#takeBytes();
    yield { rows: this.#fileRows };
    this.#file = undefined;
    this.#fileRows = 0;
    this.#bytes.offset = 0;
    this.#hasEnded = true;
  }

  #openFile(): ParquetWriter {
    this.#file ??= new ParquetWriter({
      writer: this.#bytes,
      schema: schemaOf(this.#table.columns),
      codec: 'ZSTD',
      compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
      createdBy: 'gleaner',
    });
    return this.#file;
  }

  /** Returns what was written since the last time; `offset` goes on counting the bytes of the file. */
  #takeBytes(): Uint8Array {
    const bytes = this.#bytes.getBytes().slice();
    this.#bytes.index = 0;
    return bytes;
  }
}

/** Throws for a promise: what is written into memory is written at once. */
function expectWritten(pending: unknown): void {
  if (pending !== undefined) throw new Error('The Parquet writer is not done.');
}

function schemaOf(columns: readonly Column[]) {
  const elements = columns.map(({ name, kind }) => ({
    name,
    repetition_type: 'OPTIONAL' as const,
    ...STORAGE[kind].element,
  }));
  return [{ name: 'root', num_children: columns.length }, ...elements];
}
