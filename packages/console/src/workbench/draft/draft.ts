import type { BodyOf, ResultOf } from '@gleaner/client';

/** Selectors by field, as requests hold them. */
export type Selectors = NonNullable<BodyOf<'extractSnapshot'>['selectors']>;
/** A proposal of the service. */
export type Candidate = ResultOf<'suggestSelectors'>['candidates'][number];

type ProposedColumn = NonNullable<Candidate['columns']>[number];

/** A value that is taken from an element: a column of the records, or a single value of the page. */
export interface Column {
  /** Tells columns apart while they are edited. */
  readonly key: number;
  readonly name: string;
  /** CSS, for columns relative to the record; empty for the record itself. */
  readonly selector: string;
  /** `text`, `html` or `attr(<name>)`. */
  readonly take: string;
  /** Type to which the text is converted; empty for none. */
  readonly type: string;
}

/** Records that are alike, such as the products of a shop. */
export interface RecordList {
  readonly name: string;
  readonly selector: string;
  readonly columns: readonly Column[];
  /** True once the user has changed the columns, so that another selector keeps them. */
  readonly isEdited?: boolean;
}

/** Fields to extract from pages of one kind. */
export interface Draft {
  readonly list?: RecordList | undefined;
  readonly values: readonly Column[];
  /** Fields that are taken as they are, since the editor cannot show them. */
  readonly others?: Selectors;
}

export const EMPTY_DRAFT: Draft = { values: [] };

/** Name of a list until the user gives another. */
export const LIST_NAME = 'items';
let lastKey = 0;

/** Returns a column with a key of its own. */
export function newColumn(parts: Partial<Omit<Column, 'key'>> = {}): Column {
  lastKey += 1;
  return { name: '', selector: '', take: 'text', type: '', ...parts, key: lastKey };
}

/** Returns the list of a proposal, in which columns with addresses are absolute. Columns that the user has changed stay. */
export function listOf({ selector, columns = [], take }: Candidate, before?: RecordList): RecordList {
  if (before?.isEdited) return { ...before, selector };
  const name = before?.name ?? LIST_NAME;
  const proposed =
    columns.length > 0 ? columns.toSorted(byInterest) : [{ name: 'text', selector: ':scope', take }];
  return {
    name,
    selector,
    columns: proposed.map((column) => newColumn({ ...pick(column), type: typeFor(column.take) })),
  };
}

/** Returns the column of a proposal, with a name that no other column has. */
export function columnOf({ selector, take }: Candidate, others: readonly Column[]): Column {
  const name = nameFor(
    { selector, take },
    others.map((column) => column.name),
  );
  return newColumn({ name, selector, take, type: typeFor(take) });
}

/** Returns the draft with a change of one column, wherever it is. */
export function changeColumn(draft: Draft, key: number, change: Partial<Omit<Column, 'key'>>): Draft {
  return mapColumns(draft, (columns) =>
    columns.map((column) => (column.key === key ? { ...column, ...change } : column)),
  );
}

/** Returns the draft without a column. */
export function removeColumn(draft: Draft, key: number): Draft {
  return mapColumns(draft, (columns) => columns.filter((column) => column.key !== key));
}

/** Returns the draft with another column in its list, or with another single value where it has none. */
export function addColumn(draft: Draft, column: Column): Draft {
  const { list, values } = draft;
  if (!list) return { ...draft, values: [...values, column] };
  return { ...draft, list: { ...list, columns: [...list.columns, column], isEdited: true } };
}

/** Returns the columns of the list and the single values. */
export function columnsOf({ list, values }: Draft): readonly Column[] {
  return [...(list?.columns ?? []), ...values];
}

/** Returns a selector as typed, with its suffix for the part to take. */
export function readTyped(text: string): Partial<Pick<Column, 'take'>> & Pick<Column, 'selector'> {
  const [, selector, take] = /^(.*?)::(text|html|attr\([^()]+\))$/.exec(text.trim()) ?? [];
  return selector !== undefined && take ? { selector, take } : { selector: text };
}

/** Returns the draft with new keys, for one that was kept. */
export function rekeyed(draft: Draft): Draft {
  return mapColumns(draft, (columns) => columns.map((column) => newColumn(column)));
}

/** Returns the selectors of a request for the draft; undefined when it has none. */
export function selectorsOf({ list, values, others = {} }: Draft): Selectors | undefined {
  const entries = [
    ...(list && isNamed(list) ? [[list.name.trim(), listSelector(list)] as const] : []),
    ...values.filter(isNamed).map((value) => [value.name.trim(), selectorOf(value)] as const),
    ...Object.entries(others),
  ];
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

function listSelector({ selector, columns }: RecordList): Selectors[string] {
  const named = columns.filter(({ name }) => name.trim());
  if (named.length === 0) return { selector, all: true };
  const fields = Object.fromEntries(named.map((column) => [column.name.trim(), selectorOf(column)]));
  return { selector, all: true, fields };
}

function selectorOf({ selector, take, type }: Column): Selectors[string] {
  const text = `${selector.trim() || ':scope'}${take === 'text' ? '' : `::${take}`}`;
  return type ? { selector: text, type: type as 'string' } : text;
}

function isNamed({ name, selector }: { readonly name: string; readonly selector: string }): boolean {
  return name.trim() !== '' && selector.trim() !== '';
}

function mapColumns(draft: Draft, change: (columns: readonly Column[]) => readonly Column[]): Draft {
  return {
    ...draft,
    ...(draft.list && { list: { ...draft.list, columns: change(draft.list.columns), isEdited: true } }),
    values: change(draft.values),
  };
}

/** Puts the picked column first, and addresses behind texts. */
function byInterest(left: ProposedColumn, right: ProposedColumn): number {
  return (
    Number(right.isPicked) - Number(left.isPicked) ||
    Number(left.take !== 'text') - Number(right.take !== 'text')
  );
}

function pick({ name, selector, take }: { name: string; selector: string; take: string }) {
  return { name, selector, take };
}

/** Returns `url` for attributes with an address, to make it absolute. */
function typeFor(take: string): string {
  return /^attr\((?:href|src)\)$/.test(take) ? 'url' : '';
}

/** Returns a description of the draft, or the next step. */
export function describeDraft(
  { list, values }: Draft,
  { records, picks }: { readonly records: number; readonly picks: number },
): string {
  const singles = values.length > 0 ? [count(values.length, 'single value')] : [];
  if (list)
    return [`${count(records, 'record')} with ${count(list.columns.length, 'column')}`, ...singles].join(
      ', ',
    );
  if (singles[0] !== undefined) return singles[0];
  if (picks > 0) return 'Click a similar item to make a list, or choose below.';
  return 'Click an item in the page; two similar items make a list.';
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString()} ${noun}${number === 1 ? '' : 's'}`;
}

/** Names of values by the tag that holds them, where the page gives none. */
const TAG_NAMES: Readonly<Record<string, string>> = {
  h1: 'title',
  h2: 'title',
  h3: 'title',
  h4: 'title',
  th: 'title',
  dt: 'title',
  a: 'link',
  img: 'image',
  time: 'date',
  p: 'text',
  dd: 'description',
  td: 'cell',
};

const SUFFIXES: Readonly<Record<string, string>> = { 'attr(href)': 'Url', 'attr(src)': 'Image' };

/** Returns a name for a value from its selector, such as `price` for `p.price > data`, which no other value has. */
export function nameFor(
  { selector, take }: { readonly selector: string; readonly take: string },
  taken: readonly string[],
): string {
  const named = [...selector.matchAll(/[.#]([a-z][\w-]*)|="?([a-z][\w-]*)/gi)].at(-1);
  const lastPart = selector.split(/[\s>+~]/).at(-1) ?? '';
  const [tag = ''] = lastPart.toLowerCase().match(/^[a-z][a-z0-9]*/) ?? [];
  const word = named?.[1] ?? named?.[2];
  const base = word ? toCamelCase(word) : (TAG_NAMES[tag] ?? 'value');
  const suffix = SUFFIXES[take] ?? '';
  const name = base.toLowerCase().endsWith(suffix.toLowerCase()) ? base : base + suffix;
  return distinct(name, taken);
}

function toCamelCase(word: string): string {
  const [first = '', ...others] = word.split(/[-_]/).filter(Boolean);
  return first + others.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('');
}

function distinct(name: string, taken: readonly string[]): string {
  let distinctName = name;
  for (let count = 2; taken.includes(distinctName); count += 1) distinctName = `${name}${count}`;
  return distinctName;
}

/** Returns the draft of selectors handed over by another view. Selectors without fields in the editor stay as they are. */
export function draftFrom(selectors: Selectors): Draft {
  const values: Column[] = [];
  const others: Selectors = {};
  let list: RecordList | undefined;
  for (const [name, selector] of Object.entries(selectors)) {
    const value = columnFrom(name, selector);
    const records = list ? undefined : listFrom(name, selector);
    if (value) values.push(value);
    else if (records) list = records;
    else others[name] = selector;
  }
  return { values, ...(list && { list }), ...(Object.keys(others).length > 0 && { others }) };
}

/** Returns the draft with further fields; they replace those of the same name. */
export function withSelectors(draft: Draft, selectors: Selectors): Draft {
  return draftFrom({ ...selectorsOf(draft), ...selectors });
}

function columnFrom(name: string, selector: Selectors[string]): Column | undefined {
  const { selector: text, type = '', ...more } = typeof selector === 'string' ? { selector } : selector;
  if (text === undefined || /::all\s*$/.test(text) || Object.keys(more).length > 0) return undefined;
  return newColumn({ name, type, ...readTyped(text) });
}

function listFrom(name: string, given: Selectors[string]): RecordList | undefined {
  if (typeof given === 'string') return undefined;
  const { selector, all, fields, ...more } = given;
  if (selector === undefined || !all || !fields || Object.keys(more).length > 0) return undefined;
  const columns = Object.entries(fields).map(([field, each]) => columnFrom(field, each));
  const known = columns.filter((column) => column !== undefined);
  return known.length === columns.length ? { name, selector, columns: known, isEdited: true } : undefined;
}
