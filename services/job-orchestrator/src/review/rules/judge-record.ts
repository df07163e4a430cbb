import {
  fieldsOf,
  LIMITS,
  leavesOf,
  type Rule,
  type RuleCondition,
  type RuleLeaf,
  type RuleValue,
} from '@gleaner/contracts';
import { encodeValue } from './encode-value.ts';

/** Memory of one rule about one record. */
export interface RuleMemory {
  /** It held when it was last judged, and was told of, or held from the beginning. */
  readonly on?: true;
  /** It could not be judged yet, so that a condition may have held before. */
  readonly isNew?: true;
  /** Time at which it last told, in milliseconds. */
  readonly at?: number;
  /** Base of `by`: the values of the last message, or the first ones. */
  readonly by?: Values;
  /** Values that `changed` compares with. */
  readonly was?: Values;
  /** It holds, and further runs have to confirm it. */
  readonly held?: Held;
}

/** A condition that holds in runs, before it is told of. */
interface Held {
  /** Number of these runs, and the time of the last one. */
  readonly runs: number;
  readonly at: number;
  /** The record was added in the first one. */
  readonly isAdded?: true;
  /** Values before it. */
  readonly last: Values;
}

/** Values by field: as they are if short, else with the hash of the whole (`encodeValue`). */
export type Values = Readonly<Record<string, RuleValue>>;

/** A record of a run as a rule sees it. A field that is not there, or has fallen, is missing. */
export interface SeenRecord {
  readonly values: Values;
  readonly isAdded: boolean;
  readonly isRemoved: boolean;
  /** The rule or the page was not judged before, so that a condition may have held before. */
  readonly isInitial: boolean;
}

/** A value that a message names. */
export interface ToldValue {
  readonly field: string;
  readonly before?: RuleValue;
  readonly after?: RuleValue;
}

/** Memory of a rule after a record, and the values to tell of; undefined if there is nothing to tell. */
export interface RecordJudgement {
  readonly memory: RuleMemory;
  readonly told: readonly ToldValue[] | undefined;
}

/** Truth of a condition; undefined while a deciding value is missing. */
type Truth = boolean | undefined;

/**
 * Judges a record by a rule. It tells once when the rule becomes true: an event, such as a change, is over once it is told of.
 * Without an answer, everything stays as it was. In the cooldown after a message nothing is told, and it is judged afterwards
 * by what was known before.
 */
export function judgeRecord(
  rule: Rule,
  remembered: RuleMemory,
  seen: SeenRecord,
  { nowMs, last }: { readonly nowMs: number; readonly last: Values },
): RecordJudgement {
  const memory = notLater(remembered, nowMs);
  const values = chosen(seen.values, rule);
  const base: RuleMemory = Object.assign({ by: values, was: values }, memory);
  const by = { ...numbersOf(values), ...numbersOf(base.by) };
  const { held } = memory;
  const isAdded = seen.isAdded || (held?.isAdded === true && !seen.isRemoved);
  const truth = holds(rule.when, { ...seen, isAdded }, { by, was: base.was ?? values });
  const isInitial = seen.isInitial || memory.isNew === true;
  if (truth === undefined) {
    const isNew = isInitial && lacksField(rule, values);
    const { isNew: _was, ...kept } = memory;
    const known = { ...kept, by, was: { ...values, ...base.was } };
    return { memory: isNew ? { ...known, isNew } : known, told: undefined };
  }
  const isNews = isInitial ? rule.initial === true : memory.on !== true || rule.every === true;
  const isTold = truth && isNews;
  const isCooling = memory.at !== undefined && nowMs - memory.at < (rule.cooldown ?? 0);
  if (isTold && isCooling) return { memory: { ...memory, by }, told: undefined };
  const before = held?.last ?? last;
  const runs = countRuns(held, nowMs);
  if (isTold && memory.on !== true && runs <= (rule.confirm ?? 0)) {
    const at = runs === held?.runs ? held.at : nowMs;
    const waits = { runs, at, ...(isAdded && { isAdded }), last: before };
    return { memory: { ...memory, by, was: base.was ?? values, held: waits }, told: undefined };
  }
  const known = { by, was: base.was ?? values };
  const told = isTold ? toldValues(rule, { seen, base: known, last: before }) : undefined;
  const after = { by: { ...by, ...(isTold && numbersOf(values)) }, was: { ...base.was, ...values } };
  const isOn = truth && holds(rule.when, { ...seen, isAdded: false, isRemoved: false }, after) === true;
  const at = isTold ? nowMs : memory.at;
  return { memory: { ...(isOn && { on: true }), ...(at !== undefined && { at }), ...after }, told };
}

/** Returns the memory without times in the future: where a clock was set back, cooldowns and confirmations begin again and do not wait for it. */
function notLater(memory: RuleMemory, nowMs: number): RuleMemory {
  const { at = nowMs, held } = memory;
  if (at <= nowMs && (held?.at ?? nowMs) <= nowMs) return memory;
  return {
    ...memory,
    ...(at > nowMs && { at: nowMs }),
    ...(held && { held: { ...held, at: Math.min(held.at, nowMs) } }),
  };
}

/** Returns the number of runs that have found a condition, this one included if it is long enough after the last. */
function countRuns(held: Held | undefined, nowMs: number): number {
  if (!held) return 1;
  return nowMs - held.at >= LIMITS.confirmAfterMs ? held.runs + 1 : held.runs;
}

/** Returns whether a field that a rule reads is missing, because it has fallen. */
function lacksField(rule: Rule, values: Values): boolean {
  return [...leavesOf(rule.when)].some(({ leaf }) =>
    fieldsOf(leaf).some((field) => !Object.hasOwn(values, field)),
  );
}

function numbersOf(values: Values = {}): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === 'number'));
}

/** Returns the values of the fields that a rule reads. */
function chosen(values: Values, rule: Rule): Values {
  const fields = new Set([...leavesOf(rule.when)].flatMap(({ leaf }) => fieldsOf(leaf)));
  return Object.fromEntries(Object.entries(values).filter(([field]) => fields.has(field)));
}

function holds(condition: RuleCondition, seen: SeenRecord, base: RuleMemory): Truth {
  if ('all' in condition) {
    const truths = condition.all.map((each) => holds(each, seen, base));
    return truths.includes(false) ? false : truths.includes(undefined) ? undefined : true;
  }
  if ('any' in condition) {
    const truths = condition.any.map((each) => holds(each, seen, base));
    return truths.includes(true) ? true : truths.includes(undefined) ? undefined : false;
  }
  return leafHolds(condition, seen, base);
}

function leafHolds(leaf: RuleLeaf, { values, isAdded, isRemoved }: SeenRecord, base: RuleMemory): Truth {
  if ('added' in leaf) return isAdded;
  if ('removed' in leaf) return isRemoved;
  if ('changed' in leaf) {
    const truths = leaf.changed.map((field) => {
      const [before, now] = [valueAt(base.was, field), valueAt(values, field)];
      return before === undefined || now === undefined ? undefined : before !== now;
    });
    return truths.includes(true) ? true : truths.includes(undefined) ? undefined : false;
  }
  const now = valueAt(values, leaf.field);
  if ('becomes' in leaf) return now === undefined ? undefined : now === encodeValue(leaf.becomes);
  if (typeof now !== 'number') return undefined;
  if ('below' in leaf) return now < leaf.below;
  if ('above' in leaf) return now > leaf.above;
  const before = valueAt(base.by, leaf.field);
  return typeof before === 'number' ? hasMoved(before, now, leaf.by) : undefined;
}

/** Returns whether a number has moved by a share, such as `-10%`. */
function hasMoved(before: number, now: number, by: string): boolean {
  const share = Number.parseFloat(by) / 100;
  // Rounded, so that 90 is ten percent below 100.
  const moved = Math.round(((now - before) / Math.abs(before)) * 1e9) / 1e9;
  if (before === 0) return now !== 0 && (by.startsWith('-') ? now < 0 : by.startsWith('+') ? now > 0 : true);
  if (by.startsWith('-')) return moved <= share;
  if (by.startsWith('+')) return moved >= share;
  return Math.abs(moved) >= share;
}

function valueAt(values: Values | undefined, field: string): RuleValue | undefined {
  return values && Object.hasOwn(values, field) ? values[field] : undefined;
}

function toldValues(
  rule: Rule,
  { seen, base, last }: { readonly seen: SeenRecord; readonly base: RuleMemory; readonly last: Values },
): readonly ToldValue[] {
  const told = new Map<string, ToldValue>();
  for (const { leaf } of leavesOf(rule.when)) {
    const known = 'by' in leaf ? base.by : 'changed' in leaf ? base.was : last;
    for (const field of fieldsOf(leaf)) {
      const [before, after] = [valueAt(known, field), valueAt(seen.values, field)];
      if (told.has(field) || (before === undefined && after === undefined)) continue;
      const isNew = before !== undefined && before !== after;
      told.set(field, { field, ...(isNew && { before }), ...(after !== undefined && { after }) });
    }
  }
  return [...told.values()];
}
