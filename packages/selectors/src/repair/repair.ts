import type { ExtractedValue, Selector, SelectorMap } from '@gleaner/contracts';
import { Budget } from '@gleaner/extraction';
import { Page } from '../page.ts';
import { shorten } from '../take.ts';
import { PageTexts } from './page-texts.ts';
import { asObject, cssOf, isEmpty, isSame, type PageAt, type Reading, read, takesAll } from './reading.ts';
import { markRecords, repairField, repairRecords } from './repair-records.ts';
import { type Attempt, type BothPages, repairMany, repairOne } from './repair-values.ts';
import { type CheckedPair, type ReadOptions, verify } from './verify.ts';

/** The same page at two times: while the selectors returned what they should, and since one does not. */
export interface PagePair {
  readonly good: PageAt;
  readonly bad: PageAt;
}

/** A selector to repair, among those around it. */
export interface RepairRequest {
  readonly selectors: SelectorMap;
  /** Names of the field, from the top: one, or two for a field of records. */
  readonly path: readonly string[];
  readonly locale?: string | undefined;
}

/** A selector that finds a field again, or why there is none. */
export type Repair =
  | FoundRepair
  | { readonly selector?: never; readonly isVerified?: never; readonly note: string };

interface FoundRepair {
  readonly selector: Selector;
  readonly isVerified: boolean;
  /** First values of the main page, as it was and as it is. */
  readonly before: readonly ExtractedValue[];
  readonly now: readonly ExtractedValue[];
  readonly reasons: readonly string[];
  readonly note?: never;
}

const MAX_ATTEMPTS = 40;
const MAX_SHOWN = 3;

const NOTES = {
  notFound: 'The field is not among the selectors of the schedule any more.',
  noCss: 'The field is read from JSON, for which no selectors are proposed: compare both pages.',
  tooDeep: 'The field is inside of records of records, for which no selectors are proposed.',
  never:
    'None of the kept pages had a value of the field: compare them, or wait for a fall that a page shows.',
  works: 'The selector finds its values on the kept page of now: the next run will show it.',
  gone: 'None of its values was found on the page as it is now: they may be gone, or all have changed.',
} as const;

/**
 * Proposes a selector for a field that has returned less than it used to: its values on the page as it was are looked for on
 * the page as it is, and a selector of the elements that have them is run over all pairs. It is verified if each page as it
 * was gives what the old selector gave, and each page as it is the same values where they are still there, and values of the
 * same shape elsewhere. Throws UNSUPPORTED_CONTENT when over the budget.
 */
export function repair(
  pairs: readonly PagePair[],
  { selectors, path: [name = '', inner, ...deeper], locale }: RepairRequest,
  budget: Budget = new Budget(),
): Repair {
  const own = Object.hasOwn(selectors, name) ? selectors[name] : undefined;
  if (own === undefined) return { note: NOTES.notFound };
  const field = inner === undefined ? own : asObject(own).fields?.[inner];
  if (field === undefined) return { note: NOTES.notFound };
  if (deeper.length > 0) return { note: NOTES.tooDeep };
  if (cssOf(field) === '' || cssOf(own) === '') return { note: NOTES.noCss };
  const options = { budget, locale };
  const checked = pairs.map((pair) => checkedPair(pair, own, options));
  const hadValue = ({ before }: CheckedPair) =>
    inner === undefined ? !isEmpty(before.value) : valuesInside(before.value, inner).length > 0;
  const mains = checked.filter(hadValue);
  const [first] = mains;
  if (!first) return { note: NOTES.never };
  const present = verifyAll(own, own, checked, options, first);
  const isOne = inner === undefined && !takesAll(own) && !asObject(own).fields;
  const hasValue = inner === undefined || valuesInside(present.now, inner).length > 0;
  if (present.isRight && hasValue && (!isOne || isSame(present.now, first.before.value)))
    return { note: NOTES.works };
  // On one page the value may have changed, or be in several places, and on another not.
  let plausible: FoundRepair | undefined;
  for (const main of mains) {
    const attempts = attemptsAt(own, inner, main, options);
    const found = choose(attempts, { own, inner, checked, main }, options);
    if (found?.isVerified) return found;
    plausible ??= found;
  }
  return plausible ?? { note: NOTES.gone };
}

function checkedPair({ good, bad }: PagePair, selector: Selector, options: ReadOptions): CheckedPair {
  const withTexts = (page: PageAt) => ({
    ...page,
    texts: new PageTexts(new Page(page.document, options.budget)),
  });
  const withGood = withTexts(good);
  return { good: withGood, bad: withTexts(bad), before: read(withGood, selector, options) };
}

/** Yields the selectors to try, as the whole selector at the top. */
function* attemptsAt(
  own: Selector,
  inner: string | undefined,
  { good, bad, before }: CheckedPair,
  options: ReadOptions,
): Generator<Attempt> {
  const both: BothPages = { good: good.texts, bad: bad.texts };
  const orders = before.matches[''] ?? [];
  const record = asObject(own);
  if (inner !== undefined) {
    const records = markRecords(record, takesAll(own) ? orders : orders.slice(0, 1), both.good);
    const now: Reading = read(bad, own, options);
    const found = { records, orders: now.matches[''] ?? [] };
    yield* repairField(record, inner, found, both);
  } else if (record.fields) {
    const records = markRecords(record, takesAll(own) ? orders : orders.slice(0, 1), both.good);
    yield* repairRecords(record, records, both);
  } else if (takesAll(own)) yield* repairMany(own, orders, both);
  else if (orders[0] !== undefined) yield* repairOne(own, orders[0], both);
}

interface Checking {
  readonly own: Selector;
  readonly inner: string | undefined;
  readonly checked: readonly CheckedPair[];
  readonly main: CheckedPair;
}

/** Returns the first verified attempt, else the first one that is right on the page as it is. */
function choose(
  attempts: Iterable<Attempt>,
  checking: Checking,
  options: ReadOptions,
): FoundRepair | undefined {
  const { own, inner, checked, main } = checking;
  let plausible: FoundRepair | undefined;
  let tried = 0;
  const known = new Set<string>();
  for (const { selector, isCertain, reasons } of attempts) {
    const key = JSON.stringify(selector);
    if (known.has(key)) continue;
    known.add(key);
    if (tried++ >= MAX_ATTEMPTS) break;
    const { keepsGood, isRight, now } = verifyAll(selector, own, checked, options, main);
    if (!isRight || (inner !== undefined && valuesInside(now, inner).length === 0)) continue;
    const shown = (value: ExtractedValue) =>
      (inner === undefined ? listOf(value) : valuesInside(value, inner)).slice(0, MAX_SHOWN).map(shortened);
    const found: FoundRepair = {
      selector: inner === undefined ? selector : (asObject(selector).fields?.[inner] ?? selector),
      isVerified: keepsGood && (isCertain || areSeveral(checked)) && !isByChance(selector, own),
      before: shown(main.before.value),
      now: shown(now),
      reasons: [...new Set(reasons)],
    };
    if (found.isVerified) return found;
    plausible ??= found;
  }
  return plausible;
}

/** Runs a selector over all pairs; `now` is the value of the main one. */
function verifyAll(
  selector: Selector,
  own: Selector,
  checked: readonly CheckedPair[],
  options: ReadOptions,
  main = checked[0],
) {
  let keepsGood = true;
  let isRight = true;
  let now: ExtractedValue = null;
  for (const pair of checked) {
    const result = verify(selector, own, pair, options);
    keepsGood &&= result.keepsGood;
    isRight &&= result.isRight;
    if (pair === main) now = result.now;
    if (!isRight) break;
  }
  return { keepsGood, isRight, now };
}

/** Positions that change with the listed items, such as `article:nth-of-type(9)`. */
const POSITION = /:(?:nth|first|last|only)-/;

/** Returns whether a single value is chosen by a position, apart from those of the old selector. */
function isByChance(selector: Selector, own: Selector): boolean {
  if (takesAll(own) || asObject(own).fields) return false;
  return POSITION.test(cssOf(selector).replace(`${cssOf(own)}, `, ''));
}

/** Returns whether several pages had different values, all of which were found again. */
function areSeveral(checked: readonly CheckedPair[]): boolean {
  const values = checked.flatMap(({ before }) => (isEmpty(before.value) ? [] : [before.value]));
  return values.length > 1 && values.some((value) => !isSame(value, values[0]));
}

function listOf(value: ExtractedValue): readonly ExtractedValue[] {
  return Array.isArray(value) ? value : isEmpty(value) ? [] : [value];
}

function valuesInside(value: ExtractedValue, name: string): readonly ExtractedValue[] {
  return listOf(value).flatMap((record) => {
    const isRecord = typeof record === 'object' && record !== null && !Array.isArray(record);
    const inner = isRecord ? (record as Readonly<Record<string, ExtractedValue>>)[name] : undefined;
    return isEmpty(inner) ? [] : [inner as ExtractedValue];
  });
}

function shortened(value: ExtractedValue): ExtractedValue {
  if (typeof value === 'string') return shorten(value);
  if (Array.isArray(value)) return value.slice(0, MAX_SHOWN).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shortened(each)]));
}
