import type { PageSuccess } from '@gleaner/client';

/** Results as rows under columns. */
export interface ResultRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** Position of the page of each row. */
  readonly pages: readonly number[];
  /** Fields whose records can be rows. */
  readonly lists: readonly string[];
}

type Page = Pick<PageSuccess, 'url' | 'data' | 'formats' | 'file'> & {
  readonly metadata?: Pick<PageSuccess['metadata'], 'verdict'>;
};

/** Returns a row per page, or per record of the named list with the URL of its page. */
export function resultRows(pages: readonly Page[], list: string | undefined): ResultRows {
  const lists = new Set<string>();
  for (const { data } of pages) {
    for (const [name, value] of Object.entries(data ?? {})) if (isRecords(value)) lists.add(name);
  }
  const hasVerdicts = pages.some((page) => kindOf(page) !== 'content');
  const places: number[] = [];
  const entries = pages.flatMap((page, place) => {
    const records = recordsOf(page, list, hasVerdicts);
    for (const _ of records) places.push(place);
    return records;
  });
  const columns = [...new Set(entries.flatMap((entry) => Object.keys(entry)))];
  const rows = entries.map((entry) => columns.map((name) => entry[name]));
  return { columns, rows, pages: places, lists: [...lists] };
}

function kindOf({ metadata }: Page): string {
  return metadata?.verdict?.page ?? 'content';
}

function recordsOf(page: Page, list: string | undefined, hasVerdicts: boolean): Record<string, unknown>[] {
  const { url, data, formats, file } = page;
  const values: Record<string, unknown> = { ...formats, ...data };
  // A field of the data with that name hides it.
  if (list === undefined) {
    const own = { ...(hasVerdicts && { verdict: kindOf(page) }), ...(file && { file: file.name }) };
    return [{ url, ...own, ...values }];
  }
  const records = values[list];
  return Array.isArray(records) ? records.map((record) => ({ url, ...asRecord(record, list) })) : [];
}

function isRecords(value: unknown): boolean {
  return Array.isArray(value) && value.some((entry) => typeof entry === 'object' && entry !== null);
}

function asRecord(value: unknown, name: string): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { ...value }
    : { [name]: value };
}
