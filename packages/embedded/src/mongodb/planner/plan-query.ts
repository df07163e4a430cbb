import type { FilterNode } from '../filter/parse-filter.ts';
import type { IndexField } from '../indexes/parse-index-spec.ts';
import type { SortField } from '../indexes/parse-sort.ts';
import { type Condition, conditionsOf, impliesFilter, isExact, type PlannableIndex } from './conditions.ts';
import { type Interval, intersect, intervalBytes, intervalsOf } from './field-bounds.ts';

/** A way to reach every document that can match; the whole filter is applied to what it yields. */
export type Plan<I extends PlannableIndex = PlannableIndex> = CollectionPlan | IndexPlan<I>;

/** All documents in their natural order. */
export interface CollectionPlan {
  readonly kind: 'collection';
  readonly providesSort: boolean;
}

/** Ranges of encoded keys of one index, in the order in which they are to be read. */
export interface IndexPlan<I extends PlannableIndex> {
  readonly kind: 'index';
  readonly index: I;
  readonly ranges: readonly { readonly lower: Buffer; readonly upper: Buffer }[];
  readonly isReverse: boolean;
  readonly providesSort: boolean;
  /** True when the ranges hold the matching documents and no others. */
  readonly isExact: boolean;
  /** The one key that the filter asks for, where a unique index makes it the whole answer. */
  readonly uniqueKey: Buffer | undefined;
}

/** More points than this in one plan are scanned as one range, as MongoDB does. */
const MOST_RANGES = 1000;

/** Returns the best plan for a filter and a sort. */
export function planQuery<I extends PlannableIndex>(
  filter: FilterNode,
  sort: readonly SortField[],
  indexes: readonly I[],
): Plan<I> {
  const question = { filter, conditions: conditionsOf(filter), sort };
  const candidates = indexes
    .filter((index) => isUsable(index, question.conditions))
    .map((index) => planIndex(index, question))
    .filter(({ score }) => score > 0);
  const best = candidates.reduce<Candidate<I> | undefined>(
    (found, candidate) => (found === undefined || candidate.score > found.score ? candidate : found),
    undefined,
  );
  return best?.plan ?? { kind: 'collection', providesSort: sort.length === 0 };
}

const SORT_ONLY_SCORE = 1;

/** A query as it is planned against one index. */
interface Question {
  readonly filter: FilterNode;
  /** Conditions that the filter implies. */
  readonly conditions: readonly Condition[];
  readonly sort: readonly SortField[];
}

interface Candidate<I extends PlannableIndex> {
  readonly plan: IndexPlan<I>;
  readonly score: number;
}

/** Returns true unless a sparse or partial index lacks documents that the filter can match. */
function isUsable({ spec }: PlannableIndex, conditions: readonly Condition[]): boolean {
  if (spec.partialFilterExpression && !impliesFilter(conditions, spec.partialFilterExpression)) return false;
  if (!spec.isSparse) return true;
  return spec.fields.some((field) =>
    conditions.some((condition) => {
      if (condition.path !== field.path) return false;
      if (condition.operator === '$exists') return condition.operand === true;
      return intervalsOf(condition)?.every((interval) => !interval.holdsNull) ?? false;
    }),
  );
}

function planIndex<I extends PlannableIndex>(index: I, { filter, conditions, sort }: Question): Candidate<I> {
  const { fields } = index.spec;
  const bounds = boundFields(index, conditions);
  const points = bounds.filter((intervals) => intervals.every((interval) => interval.isPoint)).length;
  const worth = bounds.reduce((sum, intervals) => sum + worthOf(intervals), 0);
  const singles = bounds.findIndex((intervals) => intervals.length !== 1 || intervals[0]?.isPoint !== true);
  const fixed = singles === -1 ? bounds.length : singles;
  const order = index.isMultikey ? undefined : sortOrder(fields, fixed, sort);
  const isReverse = order === -1;
  const ranges = rangesOf(fields, bounds);
  const isWhole = points === fields.length && index.spec.isUnique && !index.isMultikey;
  const isAnswer = isWhole && ranges.length === 1 && conditions.length === fields.length;
  const holdsNull = bounds.some((intervals) => intervals.some((interval) => interval.holdsNull));
  const plan: IndexPlan<I> = {
    kind: 'index',
    index,
    ranges: isReverse ? ranges.reverse() : ranges,
    isReverse,
    providesSort: sort.length === 0 || order !== undefined,
    isExact: isExact({ filter, index, boundFields: bounds.length, ranges }),
    uniqueKey: isAnswer && !holdsNull ? ranges[0]?.lower : undefined,
  };
  const hasOrder = sort.length > 0 && order !== undefined;
  if (bounds.length === 0) return { plan, score: hasOrder ? SORT_ONLY_SCORE : 0 };
  return { plan, score: worth + (hasOrder ? 7 : 0) + (isWhole ? 1000 : 0) + 1 };
}

/** Returns a score for the bounds on a field: one of several values may still occur in most documents. */
function worthOf(intervals: readonly Interval[]): number {
  if (!intervals.every(isPoint)) return 5;
  return intervals.length > 1 ? 6 : 10;
}

/** Intervals for leading fields: points as long as there are any, then at most one field with a range. */
function boundFields(index: PlannableIndex, conditions: readonly Condition[]): Interval[][] {
  const bounds: Interval[][] = [];
  let ranges = 1;
  const roots = new Set<string>();
  for (const field of index.spec.fields) {
    const root = field.parts[0] as string;
    if (index.isMultikey && roots.has(root)) break;
    const intervals = boundField(field, conditions, index.isMultikey);
    if (intervals === undefined) break;
    ranges *= intervals.length;
    if (ranges > MOST_RANGES) break;
    bounds.push(intervals);
    roots.add(root);
    if (!intervals.every((interval) => interval.isPoint)) break;
  }
  return bounds;
}

/** In a multikey index one element may meet one condition and another the next: only one can bound the scan. */
function boundField(
  field: IndexField,
  conditions: readonly Condition[],
  isMultikey: boolean,
): Interval[] | undefined {
  const usable = conditions
    .filter((condition) => condition.path === field.path)
    .map(intervalsOf)
    .filter((intervals) => intervals !== undefined)
    .filter((intervals) => field.direction === 1 || !intervals.some(({ isAscending }) => isAscending));
  const pointsFirst = usable.sort((a, b) => Number(b.every(isPoint)) - Number(a.every(isPoint)));
  if (isMultikey) return pointsFirst[0];
  return pointsFirst.reduce<Interval[] | undefined>(
    (met, intervals) => (met === undefined ? intervals : intersect(met, intervals)),
    undefined,
  );
}

function isPoint(interval: Interval): boolean {
  return interval.isPoint;
}

/**
 * 1 or -1 when reading the index forwards or backwards yields the sort. Ranges are read in the order of keys, so only the
 * fields count; those held to one value don't.
 */
function sortOrder(
  fields: readonly IndexField[],
  fixed: number,
  sort: readonly SortField[],
): 1 | -1 | undefined {
  if (sort.length === 0) return 1;
  const fixedPaths = new Set(fields.slice(0, fixed).map((field) => field.path));
  const wanted = sort.filter((field) => !fixedPaths.has(field.path));
  if (wanted.length === 0) return 1;
  const rest = fields.slice(fixed);
  const direction = wanted[0]?.direction === rest[0]?.direction ? 1 : -1;
  const isCovered = wanted.every((field, i) => {
    const own = rest[i];
    return own !== undefined && own.path === field.path && own.direction * direction === field.direction;
  });
  return isCovered ? direction : undefined;
}

function rangesOf(fields: readonly IndexField[], bounds: readonly (readonly Interval[])[]) {
  let prefixes: { lower: Buffer; upper: Buffer }[] = [{ lower: Buffer.alloc(0), upper: Buffer.from([0xff]) }];
  bounds.forEach((intervals, i) => {
    const { direction } = fields[i] as IndexField;
    prefixes = prefixes.flatMap((prefix) =>
      intervals.map((interval) => {
        const { lower, upper } = intervalBytes(interval, direction);
        return { lower: Buffer.concat([prefix.lower, lower]), upper: Buffer.concat([prefix.lower, upper]) };
      }),
    );
  });
  const sorted = prefixes.sort(
    (a, b) => Buffer.compare(a.lower, b.lower) || Buffer.compare(b.upper, a.upper),
  );
  return sorted.filter(
    (range, i) => i === 0 || Buffer.compare(range.lower, sorted[i - 1]?.upper as Buffer) >= 0,
  );
}
