import { typeRank } from '../bson/compare-values.ts';
import { encodeKey, rankByte } from '../indexes/encode-key.ts';
import type { Condition } from './conditions.ts';

/** An end of an interval: just before or just after a value, or the start or end of a whole type. */
type Endpoint =
  | { readonly kind: 'value'; readonly bytes: Buffer; readonly isAfter: boolean }
  | { readonly kind: 'type'; readonly rank: number; readonly isEnd: boolean };

/** A stretch of an index field in ascending order. */
export interface Interval {
  readonly low: Endpoint;
  readonly high: Endpoint;
  readonly isPoint: boolean;
  /** True when only its ascending form is known: a string prefix has no simple counterpart in a descending field. */
  readonly isAscending?: boolean;
  /** True when documents that lack the field can lie in it. */
  readonly holdsNull: boolean;
}

/** The intervals that a condition confines a field to; undefined when an index can't help with it. */
export function intervalsOf({ operator, operand }: Condition): Interval[] | undefined {
  return BOUNDS[operator]?.(operand);
}

/** The intersection of two lists of intervals, one of them with a single element; for indexes without arrays. */
export function intersect(left: readonly Interval[], right: readonly Interval[]): Interval[] {
  return left.flatMap((a) => right.flatMap((b) => overlap(a, b)));
}

/** The keys of an interval as `[lower, upper)` in an index of this direction. */
export function intervalBytes(interval: Interval, direction: 1 | -1): { lower: Buffer; upper: Buffer } {
  if (direction === 1) return { lower: ascending(interval.low), upper: ascending(interval.high) };
  return { lower: descending(interval.high), upper: descending(interval.low) };
}

const BOUNDS: Readonly<Record<string, (operand: unknown) => Interval[] | undefined>> = {
  $eq: equalTo,
  $in: (operand) => (operand as readonly unknown[]).flatMap(equalTo),
  $gt: (operand) => ordered(operand, '>'),
  $gte: (operand) => ordered(operand, '>='),
  $lt: (operand) => ordered(operand, '<'),
  $lte: (operand) => ordered(operand, '<='),
  $regex: prefixOf,
};

function point(value: unknown): Interval {
  const bytes = encodeKey([value], [1]);
  return { ...between(after(bytes, false), after(bytes, true)), isPoint: true, holdsNull: value === null };
}

function between(low: Endpoint, high: Endpoint): Interval {
  return { low, high, isPoint: false, holdsNull: false };
}

/** The end just after a value's bytes, or just before them. */
function after(bytes: Buffer, isAfter: boolean): Endpoint {
  return { kind: 'value', bytes, isAfter };
}

/** An array equals a whole value, whose first element is then a key, or one element that is such an array. */
function equalTo(operand: unknown): Interval[] {
  if (Array.isArray(operand)) return [point(operand), point(operand[0])];
  return [point(operand ?? null)];
}

function ordered(operand: unknown, relation: '>' | '>=' | '<' | '<='): Interval[] | undefined {
  if (Array.isArray(operand)) return undefined;
  if (operand === null || operand === undefined) return relation.length === 2 ? [point(null)] : [];
  const rank = typeRank(operand);
  const bytes = encodeKey([operand], [1]);
  return relation.startsWith('>')
    ? [between(after(bytes, relation === '>'), { kind: 'type', rank, isEnd: true })]
    : [between({ kind: 'type', rank, isEnd: false }, after(bytes, relation === '<='))];
}

/** `^abc` needs only the strings that start with abc. */
function prefixOf(pattern: unknown): Interval[] | undefined {
  const prefix = /^\^([\p{L}\p{N}]+)$/u.exec(String(pattern))?.[1];
  if (prefix === undefined) return undefined;
  const bytes = encodeKey([prefix], [1]).subarray(0, -1);
  return [{ ...between(after(bytes, false), after(bytes, true)), isAscending: true }];
}

function overlap(a: Interval, b: Interval): Interval[] {
  const low = Buffer.compare(ascending(a.low), ascending(b.low)) >= 0 ? a : b;
  const high = Buffer.compare(ascending(a.high), ascending(b.high)) <= 0 ? a : b;
  if (low === high) return [low];
  const isEmpty = Buffer.compare(ascending(low.low), ascending(high.high)) >= 0;
  return isEmpty ? [] : [between(low.low, high.high)];
}

const ABOVE = Buffer.from([0xff]);

function ascending(end: Endpoint): Buffer {
  if (end.kind === 'type') return Buffer.from([rankByte(end.rank) + Number(end.isEnd)]);
  return end.isAfter ? Buffer.concat([end.bytes, ABOVE]) : end.bytes;
}

function descending(end: Endpoint): Buffer {
  if (end.kind === 'type') return Buffer.from([0xff - rankByte(end.rank) + Number(!end.isEnd)]);
  const inverted = Buffer.from(end.bytes.map((byte) => 0xff - byte));
  return end.isAfter ? inverted : Buffer.concat([inverted, ABOVE]);
}
