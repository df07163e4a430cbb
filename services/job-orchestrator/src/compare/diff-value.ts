import type { Change } from '@gleaner/contracts';

/** A change of a value, without the page that it is on. */
export type ValueChange = Omit<Change, 'url'>;

export type Data = Readonly<Record<string, unknown>>;

/**
 * Returns the values that differ between those that two runs found at a path. `null`, an empty list and a missing value
 * are the same. The records of lists are matched by the field that `keys` names for the list, or one that is found.
 */
export function diffValue(
  path: string,
  before: unknown,
  after: unknown,
  keys: ReadonlyMap<string, string> = new Map(),
): ValueChange[] {
  if (canonical(before) === canonical(after)) return [];
  if (isRecord(before) && isRecord(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) =>
      diffValue(path ? `${path}.${name}` : name, memberOf(before, name), memberOf(after, name), keys),
    );
  }
  if (isList(before, after) || isList(after, before)) {
    return diffList(path, (before ?? []) as unknown[], (after ?? []) as unknown[], keys);
  }
  if (isNothing(before)) return [{ path, kind: 'added', after }];
  if (isNothing(after)) return [{ path, kind: 'removed', before }];
  return [{ path, kind: 'changed', before, after }];
}

/** Compares the entries of lists by a field that tells the records apart, or by their place if no field does. */
function diffList(
  path: string,
  before: readonly unknown[],
  after: readonly unknown[],
  keys: ReadonlyMap<string, string>,
): ValueChange[] {
  const key = keys.get(listOf(path)) ?? chooseKey(before, after);
  const named = (list: readonly unknown[]) =>
    new Map(list.map((entry, index) => [keyOf(entry, key) ?? String(index), entry]));
  const [old, fresh] = [named(before), named(after)];
  const names = new Set([...old.keys(), ...fresh.keys()]);
  return [...names].flatMap((name) => diffValue(`${path}[${name}]`, old.get(name), fresh.get(name), keys));
}

/** Returns the path of a list without the records around it. */
function listOf(path: string): string {
  const [list = '', ...records] = path.split('[');
  return list + records.map((record) => record.slice(record.indexOf(']') + 1 || record.length)).join('');
}

/** Names of fields that identify a record, and of those that hold its address. */
const IDS = /^(id|key|sku|isbn|ean|gtin\d*|asin|mpn|uuid|guid|slug|code|nr|number)$|(_id|-id|Id|ID|Sku|SKU)$/;
const URLS = /^(url|href|link|permalink)$|(_url|_link|Url|URL|Link)$/;
const ADDRESS = /^https?:\/\//i;

/**
 * Returns the field that tells the records of a list apart: the same text or number in no two different records, before
 * and after. Of several it is an id, then a URL, then another text, then a number; one that most records have kept comes
 * before one that few have. Undefined if there is none.
 */
export function chooseKey(before: readonly unknown[], after: readonly unknown[]): string | undefined {
  const [old, fresh] = [before.filter(isRecord), after.filter(isRecord)];
  const names = new Set([...old, ...fresh].flatMap((record) => Object.keys(record)));
  const candidates = [...names].flatMap((name) => {
    const [one, other] = [distinct(old, name), distinct(fresh, name)];
    if (!one || !other) return [];
    const kept = [...one].filter((value) => other.has(value)).length;
    return [{ name, kept, rank: rankOf(name, [...one, ...other]) }];
  });
  const half = Math.min(old.length, fresh.length) / 2;
  const [best] = candidates.toSorted(
    (one, other) =>
      Number(other.kept >= half) - Number(one.kept >= half) ||
      (one.kept >= half ? 0 : other.kept - one.kept) ||
      one.rank - other.rank ||
      other.kept - one.kept,
  );
  return best && (best.kept > 0 || best.rank < 2 || half === 0) ? best.name : undefined;
}

/** Returns the values of a field that identify records; undefined if two different records have the same, or one has none. */
function distinct(records: readonly Data[], name: string): ReadonlySet<string> | undefined {
  const contents = new Map<string, string>();
  for (const record of records) {
    const value = keyOf(record, name);
    if (value === undefined) return undefined;
    const content = canonical(record);
    if ((contents.get(value) ?? content) !== content) return undefined;
    contents.set(value, content);
  }
  return new Set(contents.keys());
}

function rankOf(name: string, values: readonly string[]): number {
  if (IDS.test(name)) return 0;
  if (URLS.test(name) || values.every((value) => ADDRESS.test(value))) return 1;
  return values.every((value) => /^[\d.,\s]*$/.test(value)) ? 3 : 2;
}

/** Returns the text by which a record is matched; undefined if it has none. */
export function keyOf(record: unknown, key: string | undefined): string | undefined {
  const value = key === undefined || !isRecord(record) ? undefined : memberOf(record, key);
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns the JSON of a value with the members of every object in one order and without those that are nothing. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, inOrder) ?? '';
}

function inOrder(_name: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  const members = Object.entries(value).filter(([, member]) => !isNothing(member));
  return Object.fromEntries(members.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function memberOf(record: Data, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function isList(value: unknown, other: unknown): boolean {
  return Array.isArray(value) && (Array.isArray(other) || isNothing(other));
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

export function isRecord(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const MAX_VALUE_CHARACTERS = 4096;
const CONTEXT = 200;

/** Cuts values that are long to the part around their first difference. */
export function shorten(change: ValueChange): ValueChange {
  const texts = [change.before, change.after].map((value) =>
    typeof value === 'string' || value === undefined ? value : JSON.stringify(value),
  );
  if (texts.every((text = '') => text.length <= MAX_VALUE_CHARACTERS)) return change;
  const [before, after] = texts;
  const start = Math.max(0, firstDifference(before ?? '', after ?? '') - CONTEXT);
  const part = (text: string) => {
    const end = start + MAX_VALUE_CHARACTERS;
    return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`.toWellFormed();
  };
  return {
    ...change,
    ...(before !== undefined && { before: part(before) }),
    ...(after !== undefined && { after: part(after) }),
    isCut: true,
  };
}

function firstDifference(before: string, after: string): number {
  const end = Math.min(before.length, after.length);
  for (let index = 0; index < end; index += 1) if (before[index] !== after[index]) return index;
  return before && after ? end : 0;
}
