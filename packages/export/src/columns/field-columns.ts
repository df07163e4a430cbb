import {
  type Failure,
  type FormatName,
  formatNameOf,
  type PageResult,
  type ScrapeOptions,
} from '@gleaner/contracts';
import { type PlannedField, planSelectors } from '@gleaner/extraction';
import { type ColumnKind, kindOf } from './column-kind.ts';

/** A column: its name, the kind of its values, and their place in a result. */
export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly read: (result: PageResult) => unknown;
  /** True when the value differs between the rows of one page. */
  readonly isOfRow: boolean;
  /** True for a property of the page itself, not an extracted value. */
  readonly isOfPage?: boolean;
}

/** A field with several values: its dotted path, and the names on the way to it. */
export interface ListField {
  readonly path: string;
  readonly names: readonly string[];
}

/** Fields of a page when neither selectors nor formats were given (packages/extraction). */
const DEFAULT_FIELDS: Readonly<Record<string, ColumnKind>> = {
  title: 'text',
  description: 'text',
  text: 'text',
  links: 'any',
};

/** Returns the fields of pages with these options that can be written as rows. */
export function listFieldsOf(options: ScrapeOptions): ListField[] {
  if (!options.selectors) return options.formats ? [] : [{ path: 'links', names: ['links'] }];
  return listsIn(planSelectors(options.selectors).fields, []);
}

/** Returns the columns of pages behind their fields. */
export function pageColumnsOf({ screenshot = false, download = false }: ScrapeOptions): Column[] {
  return [URL_COLUMN, ...(screenshot ? [SCREENSHOT_COLUMN] : []), ...(download ? FILE_COLUMNS : [])];
}

/** Returns the columns of the fields and formats of pages with these options. */
export function fieldColumnsOf(options: ScrapeOptions, rows: ListField | undefined): Column[] {
  const { selectors, formats } = options;
  const defaults = Object.entries(formats ? {} : DEFAULT_FIELDS);
  return [
    ...(selectors
      ? fieldColumns(planSelectors(selectors).fields, [], rows)
      : defaults.map(([name, kind]) => fieldColumn([name], isOnWay([name], rows) ? 'text' : kind, rows))),
    ...(formats ?? []).map((format) => formatColumn(formatNameOf(format))),
  ];
}

function listsIn(fields: readonly PlannedField[], outer: readonly string[]): ListField[] {
  return fields.flatMap(({ name, path, takesAll, value }) => {
    const names = [...outer, name];
    const inner = value.kind === 'record' ? listsIn(value.fields, names) : [];
    return takesAll ? [{ path, names }, ...inner] : inner;
  });
}

/** Returns a column for each value, including values in records that occur once or become rows. */
function fieldColumns(
  fields: readonly PlannedField[],
  outer: readonly string[],
  rows: ListField | undefined,
): Column[] {
  return fields.flatMap((field) => {
    const { name, takesAll, value, steps } = field;
    const names = [...outer, name];
    const isOne = !takesAll || isOnWay(names, rows);
    if (isOne && value.kind === 'record') return fieldColumns(value.fields, names, rows);
    const column = fieldColumn(names, isOne ? kindOf(field) : 'any', rows);
    return isOne && steps?.type === 'price' ? priceColumns(column) : [column];
  });
}

function isOnWay(names: readonly string[], rows: ListField | undefined): boolean {
  return rows !== undefined && names.every((name, index) => rows.names[index] === name);
}

/** Returns a column for a property of the page. */
export function pageColumn(name: string, kind: ColumnKind, read: (result: PageResult) => unknown): Column {
  return { name, kind, read, isOfRow: false, isOfPage: true };
}

const URL_COLUMN = pageColumn('url', 'text', ({ url }) => url);
/** Columns for the outcome of a page: its error, or the kind of page that its site sent. */
export const OUTCOME_COLUMNS: readonly Column[] = [
  errorColumn('error', 'text', ({ code }) => code),
  errorColumn('errorMessage', 'text', ({ message }) => message),
  errorColumn('errorSuggestion', 'text', ({ suggestion }) => suggestion),
  errorColumn('targetStatusCode', 'integer', ({ targetStatusCode }) => targetStatusCode),
  pageColumn('verdict', 'text', (result) =>
    'metadata' in result ? result.metadata.verdict?.page : undefined,
  ),
];
const SCREENSHOT_COLUMN = pageColumn('screenshotUrl', 'text', (result) =>
  'screenshotUrl' in result ? result.screenshotUrl : undefined,
);

/** Columns of the file that was downloaded: it was extracted, as values are. */
const FILE_COLUMNS = (['id', 'name', 'contentType', 'size', 'sha256'] as const).map(
  (member): Column => ({
    name: `file.${member}`,
    kind: member === 'size' ? 'integer' : 'text',
    read: (result) => ('file' in result ? result.file?.[member] : undefined),
    isOfRow: false,
  }),
);

function errorColumn(name: string, kind: ColumnKind, read: (error: Failure) => unknown): Column {
  return pageColumn(name, kind, (result) => ('error' in result ? read(result.error) : undefined));
}

/** Formats that are one text. */
const TEXT_FORMATS: ReadonlySet<FormatName> = new Set(['markdown', 'text', 'html']);

function formatColumn(name: FormatName): Column {
  const read = (result: PageResult) => ('formats' in result ? memberOf(result.formats, name) : undefined);
  const kind = TEXT_FORMATS.has(name) ? 'text' : 'any';
  return { name: `formats.${name}`, kind, read, isOfRow: false };
}

function fieldColumn(names: readonly string[], kind: ColumnKind, rows: ListField | undefined): Column {
  return {
    name: names.join('.'),
    kind,
    read: ({ data }) => names.reduce<unknown>(memberOf, data),
    isOfRow: names[0] === rows?.names[0],
  };
}

/** Splits the column of a price (packages/extraction) into its members; any other default is the amount. */
function priceColumns(column: Column): Column[] {
  const { name, read } = column;
  const amountOf = (price: unknown) => (isObject(price) ? memberOf(price, 'amount') : price);
  return [
    { ...column, name: `${name}.amount`, read: (result) => amountOf(read(result)) },
    {
      ...column,
      name: `${name}.currency`,
      kind: 'text',
      read: (result) => memberOf(read(result), 'currency'),
    },
  ];
}

/** Returns a member of an object; undefined for everything else. */
export function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
