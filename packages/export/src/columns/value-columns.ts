import type { ColumnKind } from './column-kind.ts';
import { memberOf } from './field-columns.ts';
import type { Table } from './rows.ts';

/** A column of JSON texts that no selectors describe: its name, the kind of its values, and the names on the way to them. */
export interface ValueColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly path: readonly string[];
}

/** Returns the table with a row for each text. */
export function tableOf(columns: readonly ValueColumn[]): Table {
  return {
    pages: 'all',
    fields: [],
    columns: columns.map(({ name, kind, path }) => ({
      name,
      kind,
      read: (row) => path.reduce<unknown>(memberOf, row),
      isOfRow: false,
      isOfPage: true,
    })),
  };
}

/** Kinds of values as they are found: `digits` are texts of numbers, the form of numbers that JSON cannot hold exactly. */
type FoundKind = 'text' | 'number' | 'boolean' | 'any' | 'digits';

/** Finds the kinds of columns by reading all of their values. */
export class KindFinder {
  readonly #paths: readonly (readonly string[])[];
  readonly #kinds: (FoundKind | undefined)[] = [];

  constructor(paths: readonly (readonly string[])[]) {
    this.#paths = paths;
  }

  /** Takes the values of a row. */
  read(row: unknown): void {
    for (const [index, path] of this.#paths.entries()) {
      const value = path.reduce<unknown>(memberOf, row);
      if (value !== undefined && value !== null)
        this.#kinds[index] = joined(this.#kinds[index], foundKindOf(value));
    }
  }

  /** Returns the kinds, in the order of the paths: that of all values of a column, and `any` where they differ. */
  kinds(): ColumnKind[] {
    return this.#paths.map((_, index) => {
      const kind = this.#kinds[index] ?? 'text';
      return kind === 'digits' ? 'text' : kind;
    });
  }
}

function foundKindOf(value: unknown): FoundKind {
  if (typeof value === 'number' || typeof value === 'boolean') return typeof value as 'number' | 'boolean';
  if (typeof value !== 'string') return 'any';
  return /^-?\d{1,400}(?:\.\d{1,400})?$/.test(value) ? 'digits' : 'text';
}

function joined(known: FoundKind | undefined, kind: FoundKind): FoundKind {
  if (known === undefined || known === kind) return kind;
  const [one, other] = known === 'digits' ? [known, kind] : [kind, known];
  return one === 'digits' && (other === 'number' || other === 'text') ? other : 'any';
}
