import type { FieldFall, FieldHealth, FieldMeasures, HealthMeasure, HealthState } from '@gleaner/contracts';
import type { FieldStats, Shape } from './measure-page.ts';
import type { WatchedField } from './watched-fields.ts';

/** Runs that a field is judged by. */
export const MAX_RUNS = 20;
/** Runs without which nothing is judged. */
export const MIN_RUNS = 3;
/** Records or pages that do not lose a field all at once by chance. */
const MIN_PLACES = 2;
/** Runs in a row that make a fall. */
const FALL_RUNS = 2;
/** Share of the median that is low. */
const LOW = 0.5;
/** Share of the texts that makes a shape a usual one. */
const USUAL_SHARE = 0.1;

/** Values of a field in a run; low if it was less than half of what was usual, and came back by itself. */
export interface JudgedStats extends FieldStats {
  readonly isLow?: true;
}

/** State of a field over the runs of a schedule. */
export interface FieldState {
  readonly hash: string;
  readonly isMany: boolean;
  readonly isConverted: boolean;
  /** Up to twenty runs, oldest first; none since the field has fallen. */
  readonly history: readonly JudgedStats[];
  /** The low runs since then. */
  readonly streak: readonly FieldStats[];
  /** The last run. */
  readonly now: FieldStats;
  /** It was judged by enough runs with an earlier selector. */
  readonly isEstablished?: boolean;
  readonly fallen?: FieldFall & { readonly jobId: string; readonly at: string };
}

/** States of the fields of a schedule, by path. */
export type FieldStates = Readonly<Record<string, FieldState>>;

/** A run to judge. */
export interface MeasuredRun {
  readonly jobId: string;
  readonly at: string;
  readonly stats: ReadonlyMap<string, FieldStats>;
}

/** The states after a run, and what happened in it. */
export interface Judgement {
  readonly fields: FieldStates;
  readonly health: HealthState;
  /** Fallen fields of this run, and recovered ones. */
  readonly fell: readonly FieldFall[];
  readonly recovered: readonly FieldFall[];
  /** Some field is low in this run. */
  readonly isLow: boolean;
  /** Some field is low in this run that was not before. */
  readonly isNewlyLow: boolean;
  /** Fields that are low in this run. */
  readonly low: readonly string[];
  /** Fields that are low and return nothing, or something else: their values are not those of the pages. */
  readonly lost: readonly string[];
}

/**
 * Judges what a run returned by the runs before it: a field falls when a measure is below half its median in two runs in a
 * row, or in more if it was low for longer before and came back by itself. It comes back with the first run that is not low,
 * or, where its selector was changed, that has a value. Without an answer about a field, such as one of records that are not
 * there, its state stays as it was.
 */
export function judgeRun(
  before: FieldStates,
  watched: readonly WatchedField[],
  { jobId, at, stats }: MeasuredRun,
): Judgement {
  const judged = watched.flatMap((field): JudgedField[] => {
    const known = Object.hasOwn(before, field.path) ? before[field.path] : undefined;
    const now = stats.get(field.path);
    if (now && now.asked > 0) return [judgeField(known, field, { jobId, at, now })];
    return known ? [{ path: field.path, state: known }] : [];
  });
  const fields = Object.fromEntries(judged.map(({ path, state }) => [path, state]));
  return {
    fields,
    health: healthOf(fields),
    fell: judged.flatMap(({ fell }) => fell ?? []),
    recovered: judged.flatMap(({ recovered }) => recovered ?? []),
    isLow: judged.some(({ low }) => low !== undefined),
    isNewlyLow: judged.some(({ low }) => low === 'newly'),
    low: judged.flatMap(({ path, low }) => (low ? [path] : [])),
    lost: judged.flatMap(({ path, isLost }) => (isLost ? [path] : [])),
  };
}

/** Judgement of one field. */
interface JudgedField {
  readonly path: string;
  readonly state: FieldState;
  readonly fell?: FieldFall;
  readonly recovered?: FieldFall;
  readonly low?: 'newly' | 'still';
  /** Its values are not those of the pages. */
  readonly isLost?: boolean;
}

function judgeField(
  known: FieldState | undefined,
  field: WatchedField,
  { jobId, at, now }: Pick<MeasuredRun, 'jobId' | 'at'> & { readonly now: FieldStats },
): JudgedField {
  const { path, hash, isMany, isConverted } = field;
  const isEstablished =
    known !== undefined && (known.history.length >= MIN_RUNS || known.isEstablished === true);
  const traits = { hash, isMany, isConverted, ...(isEstablished && { isEstablished }) };
  const isOther = known === undefined || known.hash !== hash;
  if (!known || (isOther && (!known.fallen || now.filled > 0))) {
    const isUnmet = unmetExpectation(field, now) !== undefined;
    const state = { ...traits, history: isUnmet ? [] : [now], streak: isUnmet ? [now] : [], now };
    return { path, state, ...recovery(known, field, now), ...(isUnmet && { low: 'newly' }) };
  }
  const { fallen, ...rest } = known;
  const low = lowMeasure(field, known, now);
  if (!low) {
    const state = { ...rest, history: withRuns(known, now), streak: [], now };
    return { path, state, ...recovery(known, field, now) };
  }
  const isLost = now.filled === 0 || low.measure === 'shape' || low.measure === 'conversion';
  if (fallen) return { path, state: { ...known, ...traits, now }, low: 'still', isLost };
  const streak = [...known.streak, now].slice(-MAX_RUNS);
  const isFall = streak.length >= runsToFall(field, known.history);
  const state = { ...known, streak, now, ...(isFall && { fallen: { ...low, path, jobId, at } }) };
  const fell = isFall && { fell: { path, ...low } };
  return { path, state, ...fell, low: known.streak.length === 0 ? 'newly' : 'still', isLost };
}

/** Returns the health of a schedule with these fields. */
function healthOf(fields: FieldStates): HealthState {
  const fallen = Object.values(fields).filter((field) => field.fallen);
  if (fallen.length === 0) return 'ok';
  return fallen.some(({ now }) => now.filled === 0) ? 'broken' : 'drifting';
}

/** Returns a field as it is shown. */
export function describeField(path: string, field: FieldState): FieldHealth {
  const { history, now, fallen } = field;
  const measures = measuresOf(now, field, usualShapes(history));
  return {
    path,
    health: fallen ? (now.filled === 0 ? 'broken' : 'drifting') : 'ok',
    before: history.length < MIN_RUNS ? null : roundAll(mediansOf(history, field)),
    now: roundAll(measures),
    ...(fallen && { fallen }),
  };
}

function roundAll({ fill, count, conversion, shape }: FieldMeasures): FieldMeasures {
  const rounded = (value: number | null) => (value === null ? null : round(value));
  return {
    fill: rounded(fill),
    count: rounded(count),
    conversion: rounded(conversion),
    shape: rounded(shape),
  };
}

/** Returns the recovery of a field, if it had fallen. */
function recovery(
  known: FieldState | undefined,
  field: WatchedField,
  now: FieldStats,
): { readonly recovered?: FieldFall } {
  if (!known?.fallen) return {};
  const { measure, before } = known.fallen;
  const measured = measuresOf(now, field, usualShapes(known.history))[measure];
  return { recovered: { path: field.path, measure, before, now: round(measured ?? 0) } };
}

/** Returns the history with the low runs that were no fall, or have ended, and the run after them. */
function withRuns({ history, streak }: FieldState, now: FieldStats): readonly JudgedStats[] {
  const low = streak.map((stats) => ({ ...stats, isLow: true as const }));
  return [...history, ...low, now].slice(-MAX_RUNS);
}

/** Returns the number of low runs in a row that make a fall: more than those that came back by themselves. */
function runsToFall({ expect }: WatchedField, history: readonly JudgedStats[]): number {
  if (expect) return FALL_RUNS;
  let longest = 0;
  let current = 0;
  for (const { isLow } of history) {
    current = isLow ? current + 1 : 0;
    longest = Math.max(longest, current);
  }
  return Math.max(FALL_RUNS, longest + 1);
}

/** Measures in the order in which the cause of a fall is looked for: without a value, nothing else can be said. */
const ORDER = ['conversion', 'count', 'fill', 'shape'] as const satisfies readonly HealthMeasure[];

/** Returns the first measure of a run below its usual value or the bounds of the field, or undefined. */
function lowMeasure(
  field: WatchedField,
  known: FieldState,
  now: FieldStats,
): Omit<FieldFall, 'path'> | undefined {
  const { history } = known;
  const measures = measuresOf(now, field, usualShapes(history));
  const unmet = unmetExpectation(field, now);
  if (unmet) return unmet;
  if (history.length < MIN_RUNS) return suddenLoss(field, known, now);
  const before = mediansOf(history, field);
  for (const measure of ORDER) {
    if (isBounded(field, measure)) continue;
    const [was, is] = [before[measure], measures[measure]];
    if (was === null || is === null || was === 0 || is >= LOW * was) continue;
    return { measure, before: round(was), now: round(is) };
  }
  return undefined;
}

/**
 * Returns the loss of a field that had values in the run before and has none: in several records or pages at once, or after
 * many runs with an earlier selector. Then it needs no further runs to be judged by.
 */
function suddenLoss(
  field: WatchedField,
  { history, isEstablished }: FieldState,
  now: FieldStats,
): Omit<FieldFall, 'path'> | undefined {
  const last = history.at(-1);
  const measure = field.isMany ? 'count' : 'fill';
  if (!last || now.filled > 0 || last.filled < LOW * last.asked || isBounded(field, measure))
    return undefined;
  if (!isEstablished && Math.min(now.asked, last.asked) < MIN_PLACES) return undefined;
  const before = measuresOf(last, field, usualShapes(history))[measure];
  return { measure, before: round(before ?? 0), now: 0 };
}

/** Returns the bound of its own that a field does not meet. */
export function unmetExpectation(
  { expect, isMany }: Pick<WatchedField, 'expect' | 'isMany'>,
  { asked, filled, values }: FieldStats,
): Omit<FieldFall, 'path'> | undefined {
  if (!expect || asked === 0) return undefined;
  const [fill, count] = [filled / asked, (isMany ? values : filled) / asked];
  if (expect.fill !== undefined && fill < expect.fill)
    return { measure: 'fill', before: expect.fill, now: round(fill) };
  if (expect.min !== undefined && count < expect.min)
    return { measure: 'count', before: expect.min, now: round(count) };
  return undefined;
}

/** Returns whether a bound of the field's own replaces what was usual. */
function isBounded({ expect }: WatchedField, measure: HealthMeasure): boolean {
  if (!expect) return false;
  if (measure === 'fill') return true;
  return measure === 'count' && expect.min !== undefined;
}

type Traits = Pick<FieldState, 'isMany' | 'isConverted'>;

/** Returns the medians of a field over runs. */
export function mediansOf(history: readonly FieldStats[], traits: Traits): FieldMeasures {
  const usual = usualShapes(history);
  const all = history.map((stats) => measuresOf(stats, traits, usual));
  const median = (measure: HealthMeasure): number | null => {
    const values = all.flatMap((measures) => measures[measure] ?? []).toSorted((a, b) => a - b);
    return values.length === 0 ? null : (values[values.length >> 1] as number);
  };
  return {
    fill: median('fill'),
    count: median('count'),
    conversion: median('conversion'),
    shape: median('shape'),
  };
}

/** Returns the measures of a field in one run; null where a run says nothing. */
export function measuresOf(
  { asked, filled, values, unconverted, shapes }: FieldStats,
  { isMany, isConverted }: Traits,
  usual: ReadonlySet<Shape>,
): FieldMeasures {
  const read = values + unconverted;
  const texts = Object.values(shapes).reduce((sum, count) => sum + count, 0);
  const alike = [...usual].reduce((sum, shape) => sum + (shapes[shape] ?? 0), 0);
  return {
    fill: asked === 0 ? null : filled / asked,
    count: isMany && asked > 0 ? values / asked : null,
    conversion: isConverted && read > 0 ? values / read : null,
    shape: texts === 0 || usual.size === 0 ? null : alike / texts,
  };
}

/** Returns the shapes that texts of a field usually have. */
export function usualShapes(history: readonly FieldStats[]): ReadonlySet<Shape> {
  const counts = new Map<Shape, number>();
  for (const { shapes } of history) {
    for (const [shape, count] of Object.entries(shapes) as [Shape, number][])
      counts.set(shape, (counts.get(shape) ?? 0) + count);
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return new Set([...counts].flatMap(([shape, count]) => (count >= USUAL_SHARE * total ? [shape] : [])));
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
