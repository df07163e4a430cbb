/** Rows of values under named columns. */
export interface DataTable {
  /** Field whose list the rows are; undefined for the page itself. */
  readonly field: string | undefined;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Returns the tables in the data of a page: one for each list, then one row of its single values. */
export function tablesIn(data: Readonly<Record<string, unknown>>): DataTable[] {
  const lists = Object.entries(data).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  const single = Object.entries(data).filter(([, value]) => !Array.isArray(value));
  const tables = lists.map(([field, list]) => tableOf(field, list));
  if (single.length > 0) {
    const rows = single.map(([name, value]) => [name, value]);
    tables.push({ field: undefined, columns: ['field', 'value'], rows });
  }
  return tables;
}

function tableOf(field: string, list: readonly unknown[]): DataTable {
  const records = list.filter(isRecord);
  if (records.length === 0) return { field, columns: [field], rows: list.map((value) => [value]) };
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const rows = list.map((value) =>
    isRecord(value)
      ? columns.map((column) => value[column])
      : columns.map((_, index) => (index ? null : value)),
  );
  return { field, columns, rows };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a value as the text of a cell. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
