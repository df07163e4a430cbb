import { BSONRegExp, MaxKey, MinKey } from 'bson';
import { typeRank } from '../bson/compare-values.ts';
import { isRegex } from '../filter/parse-filter.ts';
import { encodeKey, rankByte } from '../keys/encode-key.ts';
import type { Condition } from './conditions.ts';

/** An end of an interval: just before or just after a value, or the start or end of a whole type. */
type Endpoint =
  | { readonly kind: 'value'; readonly bytes: Buffer; readonly isAfter: boolean }
  | { readonly kind: 'type'; readonly rank: number; readonly isEnd: boolean };

/** A stretch of an index field in ascending order; `text` is how explain shows it. */
export interface Interval {
  readonly low: Endpoint;
  readonly high: Endpoint;
  readonly text: string;
  readonly isPoint: boolean;
  /** True when documents that lack the field can lie in it. */
  readonly holdsNull: boolean;
}

/** The intervals that a condition confines a field to; undefined when an index can't help with it. */
export function intervalsOf({ operator, operand }: Condition): Interval[] | undefined {
  return BOUNDS[operator]?.(operand);
}

/** The intervals that lie in both lists, of which one has a single element; for indexes without arrays. */
export function intersect(left: readonly Interval[], right: readonly Interval[]): Interval[] {
  return left.flatMap((a) => right.flatMap((b) => overlap(a, b)));
}

/** The keys of an interval as `[lower, upper)` in an index of this direction. */
export function intervalBytes(interval: Interval, direction: 1 | -1): { lower: Buffer; upper: Buffer } {
  if (direction === 1) return { lower: ascending(interval.low), upper: ascending(interval.high) };
  return { lower: descending(interval.high), upper: descending(interval.low) };
}

const BOUNDS: Readonly<Record<string, (operand: unknown) => Interval[] | undefined>> = {
  $eq: (operand) => equalTo(operand),
  $in: (operand) => {
    const values = operand as readonly unknown[];
    return values.some(isRegex) ? undefined : values.flatMap((value) => equalTo(value));
  },
  $gt: (operand) => ordered(operand, '>'),
  $gte: (operand) => ordered(operand, '>='),
  $lt: (operand) => ordered(operand, '<'),
  $lte: (operand) => ordered(operand, '<='),
  $regex: (operand) => prefixOf(operand),
};

function point(value: unknown): Interval {
  const bytes = encodeKey([value], [1]);
  const text = show(value);
  return {
    low: { kind: 'value', bytes, isAfter: false },
    high: { kind: 'value', bytes, isAfter: true },
    text: `[${text}, ${text}]`,
    isPoint: true,
    holdsNull: value === null,
  };
}

/** An array equals a whole value, whose first element is then a key, or one element that is such an array. */
function equalTo(operand: unknown): Interval[] {
  if (Array.isArray(operand)) return [point(operand), point(operand[0])];
  return [point(operand ?? null)];
}

function ordered(operand: unknown, relation: '>' | '>=' | '<' | '<='): Interval[] | undefined {
  if (Array.isArray(operand) || operand instanceof MinKey || operand instanceof MaxKey) return undefined;
  if (operand === null || operand === undefined) return relation.length === 2 ? [point(null)] : [];
  const rank = typeRank(operand);
  const bytes = encodeKey([operand], [1]);
  const text = show(operand);
  if (relation.startsWith('>')) {
    return [
      {
        low: { kind: 'value', bytes, isAfter: relation === '>' },
        high: { kind: 'type', rank, isEnd: true },
        text: `${relation === '>' ? '(' : '['}${text}, end of type]`,
        isPoint: false,
        holdsNull: false,
      },
    ];
  }
  return [
    {
      low: { kind: 'type', rank, isEnd: false },
      high: { kind: 'value', bytes, isAfter: relation === '<=' },
      text: `[start of type, ${text}${relation === '<' ? ')' : ']'}`,
      isPoint: false,
      holdsNull: false,
    },
  ];
}

/** `/^abc/` without options needs only the strings that start with abc, and regular expressions equal to it. */
function prefixOf(operand: unknown): Interval[] | undefined {
  if (!(operand instanceof BSONRegExp) || operand.options !== '') return undefined;
  const literal = /^\^([\w \-/:@,;#%&=!~'"<>]+)/.exec(operand.pattern)?.[1];
  if (literal === undefined || operand.pattern.includes('|')) return undefined;
  const hasQuantifier = /^[*?{+]/.test(operand.pattern.slice(literal.length + 1));
  const prefix = hasQuantifier ? literal.slice(0, -1) : literal;
  if (prefix === '') return undefined;
  const bytes = encodeKey([prefix], [1]).subarray(0, -1);
  const range: Interval = {
    low: { kind: 'value', bytes, isAfter: false },
    high: { kind: 'value', bytes, isAfter: true },
    text: `["${prefix}", "${prefix}…")`,
    isPoint: false,
    holdsNull: false,
  };
  return [range, point(operand)];
}

function overlap(a: Interval, b: Interval): Interval[] {
  const low = Buffer.compare(ascending(a.low), ascending(b.low)) >= 0 ? a : b;
  const high = Buffer.compare(ascending(a.high), ascending(b.high)) <= 0 ? a : b;
  if (low === high) return [low];
  if (Buffer.compare(ascending(low.low), ascending(high.high)) >= 0) return [];
  const text = `${low.text.split(', ')[0]}, ${high.text.split(', ').at(-1)}`;
  return [{ low: low.low, high: high.high, text, isPoint: false, holdsNull: false }];
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

function show(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : JSON.stringify(value ?? null);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
