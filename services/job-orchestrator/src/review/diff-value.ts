import type { Change } from '@gleaner/contracts';
import { hashesOf, isNothing } from './canonical.ts';

/** A change of a value, without the page that it is on. */
export type ValueChange = Omit<Change, 'url'>;

export type Data = Readonly<Record<string, unknown>>;

/** Depth below which values are told of as wholes. */
const MAX_DEPTH = 16;

/** Part of a path; a longer key of a record is cut there. */
const MAX_KEY_CHARACTERS = 300;

/** Values of one path on both sides. */
interface Pair {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly depth: number;
}

/**
 * Yields the differences between the values of two runs at a path, and undefined between small steps, so that the caller can
 * give turns. `null`, an empty list and a missing value are the same. The records of lists are matched by the field that `keys`
 * names for the list, or by one that is found.
 */
export function* diffValue(
  path: string,
  before: unknown,
  after: unknown,
  keys: ReadonlyMap<string, string> = new Map(),
): Generator<ValueChange | undefined, void> {
  yield* diffPair({ path, before, after, depth: 0 }, keys);
}

function* diffPair(
  { path, before, after, depth }: Pair,
  keys: ReadonlyMap<string, string>,
): Generator<ValueChange | undefined, void> {
  yield undefined;
  if (before === after || (isNothing(before) && isNothing(after))) return;
  const areRecords = isRecord(before) && isRecord(after) && depth < MAX_DEPTH;
  if (!areRecords && (yield* areEqual(before, after))) return;
  if (areRecords) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const inner = { before: memberOf(before, name), after: memberOf(after, name), depth: depth + 1 };
      yield* diffPair({ path: path ? `${path}.${name}` : name, ...inner }, keys);
    }
  } else if ((isList(before, after) || isList(after, before)) && depth < MAX_DEPTH) {
    yield* diffList({ path, before, after, depth }, keys);
  } else if (isNothing(before)) yield { path, kind: 'added', after };
  else if (isNothing(after)) yield { path, kind: 'removed', before };
  else yield { path, kind: 'changed', before, after };
}

/** Tells whether values have the same content; in small steps. */
function* areEqual(one: unknown, other: unknown): Generator<undefined, boolean> {
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  const [first] = yield* hashesOf(one, ['']);
  const [second] = yield* hashesOf(other, ['']);
  return first === second;
}

/** Compares the entries of lists by a field that tells the records apart, or by their place if no field does. */
function* diffList(
  { path, before, after, depth }: Pair,
  keys: ReadonlyMap<string, string>,
): Generator<ValueChange | undefined, void> {
  const lists = [before, after].map((list) => (list ?? []) as unknown[]);
  const [one = [], other = []] = lists;
  const key = keys.get(listOf(path)) ?? (yield* chooseKey(one, other, LIST_SAMPLE));
  const diffEntries = (name: string, pair: Pick<Pair, 'before' | 'after'>) =>
    diffPair({ ...pair, path: `${path}[${name.slice(0, MAX_KEY_CHARACTERS)}]`, depth: depth + 1 }, keys);
  if (key === undefined) {
    for (let index = 0; index < Math.max(one.length, other.length); index += 1)
      yield* diffEntries(String(index), { before: one[index], after: other[index] });
    return;
  }
  const [old, fresh] = [yield* namedBy(one, key), yield* namedBy(other, key)];
  for (const [name, entry] of old) yield* diffEntries(name, { before: entry, after: fresh.get(name) });
  for (const [name, entry] of fresh)
    if (!old.has(name)) yield* diffEntries(name, { before: undefined, after: entry });
}

/** Returns the entries of a list by their keys, or by their places where they have none; in small steps. */
function* namedBy(list: readonly unknown[], key: string): Generator<undefined, ReadonlyMap<string, unknown>> {
  const named = new Map<string, unknown>();
  for (const [index, entry] of list.entries()) {
    named.set(keyOf(entry, key) ?? String(index), entry);
    yield undefined;
  }
  return named;
}

/** Returns the path of a list without the records around it. */
function listOf(path: string): string {
  const [list = '', ...records] = path.split('[');
  return list + records.map((record) => record.slice(record.indexOf(']') + 1 || record.length)).join('');
}

/** Names of fields with the id of a record, and of fields with its address. */
const IDS = /^(id|key|sku|isbn|ean|gtin\d*|asin|mpn|uuid|guid|slug|code|nr|number)$|(_id|-id|Id|ID|Sku|SKU)$/;
const URLS = /^(url|href|link|permalink)$|(_url|_link|Url|URL|Link)$/;
const ADDRESS = /^https?:\/\//i;

/** Bounds of what a key is sought in, on each side. */
interface SampleLimits {
  readonly maxRecords: number;
  /** Values of those records together. */
  readonly maxValues: number;
}

/** Records of all sampled pages. */
export const RUN_SAMPLE: SampleLimits = { maxRecords: 2000, maxValues: 100_000 };
/** Records of a list within a record. */
const LIST_SAMPLE: SampleLimits = { maxRecords: 200, maxValues: 5000 };

/**
 * Returns the field that tells the records of a list apart: the same text or number in no two different records, before
 * and after. Of several it is an id, then a URL, then another text, then a number; one that most records have kept comes
 * before one that few have. Undefined if there is none. It is sought in the first records of both sides, in small steps.
 */
export function* chooseKey(
  before: Iterable<unknown>,
  after: Iterable<unknown>,
  limits: SampleLimits,
): Generator<undefined, string | undefined> {
  const [old, fresh] = [sampleOf(before, limits), sampleOf(after, limits)];
  const contents = new Map<Data, number>();
  const candidates: { readonly name: string; readonly kept: number; readonly rank: number }[] = [];
  // A key is in every record.
  for (const name of Object.keys(old[0] ?? fresh[0] ?? {})) {
    const one = yield* distinct(old, name, contents);
    const other = one && (yield* distinct(fresh, name, contents));
    if (!one || !other) continue;
    const kept = [...one].filter((value) => other.has(value)).length;
    candidates.push({ name, kept, rank: rankOf(name, [...one, ...other]) });
  }
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

/** Returns the first records of a list, within bounds; at least one. */
function sampleOf(list: Iterable<unknown>, { maxRecords, maxValues }: SampleLimits): readonly Data[] {
  const sample: Data[] = [];
  let values = 0;
  for (const record of list) {
    if (!isRecord(record)) continue;
    sample.push(record);
    values += Object.keys(record).length;
    if (sample.length >= maxRecords || values >= maxValues) break;
  }
  return sample;
}

/**
 * Returns the values of a field that identify records; undefined if two different records have the same, or one has none. The
 * hash of the content of a record is made once, in `contents`, and only if it shares a value with another record.
 */
function* distinct(
  records: readonly Data[],
  name: string,
  contents: Map<Data, number>,
): Generator<undefined, ReadonlySet<string> | undefined> {
  const first = new Map<string, Data>();
  for (const record of records) {
    yield undefined;
    const value = keyOf(record, name);
    if (value === undefined) return undefined;
    const known = first.get(value);
    if (!known) first.set(value, record);
    else if ((yield* contentOf(known, contents)) !== (yield* contentOf(record, contents))) return undefined;
  }
  return new Set(first.keys());
}

function* contentOf(record: Data, contents: Map<Data, number>): Generator<undefined, number> {
  const known = contents.get(record);
  if (known !== undefined) return known;
  const [content = 0] = yield* hashesOf(record, ['']);
  contents.set(record, content);
  return content;
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

function memberOf(record: Data, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function isList(value: unknown, other: unknown): boolean {
  return Array.isArray(value) && (Array.isArray(other) || isNothing(other));
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
