import type { Table } from '../store/key-value-store.ts';

/** A half-open range of keys, `lower` included and `upper` not. */
export interface KeyRange {
  readonly lower: Buffer;
  readonly upper: Buffer;
}

/** A key and its value. */
export interface Entry {
  readonly key: Buffer;
  readonly value: Buffer;
}

const FIRST_CHUNK = 16;
const LARGEST_CHUNK = 512;
const COUNTED_AT_ONCE = 10_000;

/**
 * The entries of a range in order, or in reverse. They are read in chunks that start small, each from the state of
 * its moment, so that a scan can be left open for minutes without holding back the reuse of pages.
 */
export function* scanRange(table: Table, range: KeyRange, isReverse: boolean): Generator<Entry, void, void> {
  let { lower, upper } = range;
  for (let chunkSize = FIRST_CHUNK; ; chunkSize = Math.min(chunkSize * 4, LARGEST_CHUNK)) {
    const chunk = isReverse
      ? lastEntries(table, lower, upper, chunkSize)
      : firstEntries(table, lower, upper, chunkSize);
    yield* chunk;
    const last = chunk.at(-1);
    if (last === undefined || chunk.length < chunkSize) return;
    if (isReverse) upper = last.key;
    else lower = after(last.key);
  }
}

/** Counts the entries of a range; yields numbers to be added up, each after a short time. */
export function* countRange(table: Table, { lower, upper }: KeyRange): Generator<number, void, void> {
  for (let start = lower; ; ) {
    const [next] = table.getKeys({ start, end: upper, offset: COUNTED_AT_ONCE, limit: 1, snapshot: false });
    yield next ? COUNTED_AT_ONCE : table.getKeysCount({ start, end: upper });
    if (next === undefined) return;
    start = next;
  }
}

/** The smallest key above a key. */
export function after(key: Buffer): Buffer {
  return Buffer.concat([key, ZERO]);
}

const ZERO = Buffer.from([0]);

function firstEntries(table: Table, lower: Buffer, upper: Buffer, limit: number): Entry[] {
  return copyEntries(table.getRange({ start: lower, end: upper, limit, snapshot: false }));
}

/** LMDB's reverse ranges start at the upper key and include it. */
function lastEntries(table: Table, lower: Buffer, upper: Buffer, limit: number): Entry[] {
  const range = { start: upper, end: lower, inclusiveEnd: true, exclusiveStart: true, reverse: true, limit };
  return copyEntries(table.getRange({ ...range, snapshot: false }));
}

function copyEntries(entries: Iterable<Entry>): Entry[] {
  return Array.from(entries, ({ key, value }) => ({ key, value }));
}
