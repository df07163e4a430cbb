import type { ChangeCounts, SelectorMap } from '@gleaner/contracts';
import { hashesOf, hashOf } from './canonical.ts';
import { type Data, isRecord, keyOf } from './diff-value.ts';

/** A record of a list, or what a page has beside its lists. */
export interface Unit {
  /** Path of the list; empty for the page. */
  readonly list: string;
  readonly place: number;
  readonly value: Data;
  /** Hash of its key or, without one, of its contents. */
  readonly identity: number;
  readonly content: number;
  readonly isKeyless: boolean;
}

/** One content of a record, and the place of a page that has it. */
interface Version {
  readonly content: number;
  readonly at: number;
  readonly isProof: boolean;
}

/** Everything that has one identity. */
export interface Entry extends Pick<Unit, 'list' | 'identity' | 'isKeyless'> {
  readonly before: Version[];
  readonly after: Version[];
}

export interface Difference extends Pick<Unit, 'list' | 'identity' | 'isKeyless'> {
  readonly before: Version | undefined;
  readonly after: Version | undefined;
}

/**
 * Yields what a page has beside its records, and the records, each content once; undefined between small steps of reading a large
 * one, so that the caller can give turns.
 */
export function* unitsOf(
  data: Data,
  page: string,
  keys: ReadonlyMap<string, string>,
): Generator<Unit | undefined, void> {
  const lists = listsIn(data);
  const own = withoutLists(data, '', lists);
  const [ofPage = 0] = yield* hashesOf(own, ['']);
  yield { list: '', place: 0, value: own, isKeyless: false, identity: hashOf(`\n${page}`), content: ofPage };
  for (const [list, values] of lists) {
    for (const [place, value] of values.entries()) {
      const key = keyOf(value, keys.get(list));
      const texts = key === undefined ? ['', `${list}\n#`] : [''];
      const [content = 0, byContent = 0] = yield* hashesOf(value, texts);
      const identity = key === undefined ? byContent : hashOf(`${list}\n=${key}`);
      yield { list, place, value, identity, content, isKeyless: key === undefined };
    }
  }
}

/** Adds one content of a record to what is known of it on one side. */
export function addVersion(
  entries: Map<number, Entry>,
  { identity, list, isKeyless }: Unit,
  name: 'before' | 'after',
  version: Version,
): void {
  const entry = entries.get(identity) ?? { list, identity, isKeyless, before: [], after: [] };
  entries.set(identity, entry);
  const known = entry[name].findIndex(({ content }) => content === version.content);
  if (known < 0) entry[name].push(version);
  // If one of the pages that have it proves nothing, it may still be there, or have been there before.
  else if (!version.isProof) entry[name][known] = version;
}

/** Yields how entries differ. Records without a key that were replaced by as many others are taken for the same ones. */
export function* differencesIn(entries: Iterable<Entry>): Generator<Difference> {
  const keyless = new Map<string, { removed: Difference[]; added: Difference[] }>();
  for (const { list, identity, isKeyless, before, after } of entries) {
    const old = before.filter(({ content }) => !after.some((version) => version.content === content));
    const fresh = after.filter(({ content }) => !before.some((version) => version.content === content));
    for (let index = 0; index < Math.max(old.length, fresh.length); index += 1) {
      const difference = { list, identity, isKeyless, before: old[index], after: fresh[index] };
      const { before: one, after: other } = difference;
      if (!(one && other) && !(one ?? other)?.isProof) continue;
      if (!isKeyless) {
        yield difference;
        continue;
      }
      const ofList = keyless.get(list) ?? { removed: [], added: [] };
      keyless.set(list, ofList);
      ofList[one ? 'removed' : 'added'].push(difference);
    }
  }
  for (const { removed, added } of keyless.values()) {
    if (removed.length !== added.length) yield* [...removed, ...added];
    else yield* removed.map((difference, index) => ({ ...difference, after: added[index]?.after }));
  }
}

/** Returns the kind of a difference. */
export function kindOf({ before, after }: Difference): keyof ChangeCounts {
  if (!before) return 'added';
  return after ? 'changed' : 'removed';
}

/** Returns the lists of records in the data of a page, by their paths. */
export function listsIn(data: Data, outer = ''): Map<string, readonly Data[]> {
  const found = new Map<string, readonly Data[]>();
  for (const [name, value] of Object.entries(data)) {
    const path = outer + name;
    if (Array.isArray(value) && value.length > 0 && value.every(isRecord)) found.set(path, value);
    else if (isRecord(value))
      for (const [list, records] of listsIn(value, `${path}.`)) found.set(list, records);
  }
  return found;
}

function withoutLists(data: Data, outer: string, lists: ReadonlyMap<string, unknown>): Data {
  const rest = Object.entries(data).filter(([name]) => !lists.has(outer + name));
  return Object.fromEntries(
    rest.map(([name, value]) => [
      ...[name, isRecord(value) ? withoutLists(value, `${outer}${name}.`, lists) : value],
    ]),
  );
}

/** Yields the path and name of each `key` that selectors name. */
export function* keysIn(selectors: SelectorMap, outer = ''): Generator<readonly [string, string]> {
  for (const [name, selector] of Object.entries(selectors)) {
    if (typeof selector === 'string' || !selector.fields) continue;
    const path = outer + name;
    if (selector.key !== undefined) yield [path, selector.key];
    yield* keysIn(selector.fields, `${path}.`);
  }
}

/** Hash of an empty page, whose appearance and disappearance says nothing. */
export const EMPTY = hashOf('{}');
