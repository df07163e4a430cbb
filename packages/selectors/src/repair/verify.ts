import type { ExtractedData, ExtractedValue, Selector, SelectorMap } from '@gleaner/contracts';
import type { Budget } from '@gleaner/extraction';
import { findAgain } from './find-again.ts';
import type { Mark, PageTexts } from './page-texts.ts';
import {
  asObject,
  isEmpty,
  isSame,
  type PageAt,
  type Reading,
  read,
  shapeOfValue,
  takeFor,
  takesAll,
} from './reading.ts';
import { markRecords } from './repair-records.ts';

/** A page as it was, and as it is, with what the old selector returned for it as it was. */
export interface CheckedPair {
  readonly good: PageAt & { readonly texts: PageTexts };
  readonly bad: PageAt & { readonly texts: PageTexts };
  readonly before: Reading;
}

/** Options of reading. */
export interface ReadOptions {
  readonly budget: Budget;
  readonly locale?: string | undefined;
}

/** Result of running a selector over both pages. */
export interface Verification {
  /** The page as it was gives the same values as the old selector. */
  readonly keepsGood: boolean;
  /** The page as it is gives the same values where they are there, and values of the same shape elsewhere. */
  readonly isRight: boolean;
  readonly now: ExtractedValue;
}

/** Share of the values that must look as they did, and of the records that must be found again. */
const MOST = 0.8;

/** Runs a selector over a page as it was, and as it is. */
export function verify(
  selector: Selector,
  old: Selector,
  { good, bad, before }: CheckedPair,
  options: ReadOptions,
): Verification {
  const keepsGood = isSame(read(good, selector, options).value, before.value);
  const reading = read(bad, selector, options);
  const now = reading.value;
  if (isEmpty(before.value)) return { keepsGood, isRight: true, now };
  if (isEmpty(now)) return { keepsGood, isRight: false, now };
  const pair = { good: good.texts, bad: bad.texts };
  const isRight = asObject(old).fields
    ? areRecordsRight(old, { before, reading }, pair)
    : takesAll(old)
      ? areValuesRight(old, { before, now }, pair)
      : isValueRight(old, { before, now }, pair);
  return { keepsGood, isRight, now };
}

interface Texts {
  readonly good: PageTexts;
  readonly bad: PageTexts;
}

function isValueRight(
  old: Selector,
  { before, now }: { readonly before: Reading; readonly now: ExtractedValue },
  { good, bad }: Texts,
): boolean {
  const [order] = before.matches[''] ?? [];
  const mark = order === undefined ? undefined : good.markOf(order, takeFor(old, order, good.page));
  if (isSame(now, before.value)) return true;
  // The same text elsewhere on the page is not the value.
  const again = order === undefined || !mark ? undefined : findAgain(order, mark, { good, bad });
  return again?.isCertain !== true && shapeOfValue(now) === shapeOfValue(before.value);
}

function areValuesRight(
  old: Selector,
  { before, now }: { readonly before: Reading; readonly now: ExtractedValue },
  { good, bad }: Texts,
): boolean {
  if (!Array.isArray(before.value) || !Array.isArray(now)) return false;
  const found = new Set(now.map((value) => JSON.stringify(value)));
  const orders = before.matches[''] ?? [];
  const isMissing = (value: ExtractedValue, index: number): boolean => {
    const order = orders[index];
    if (order === undefined || isEmpty(value) || found.has(JSON.stringify(value))) return false;
    const mark = good.markOf(order, takeFor(old, order, good.page));
    return mark !== undefined && bad.find(mark).length > 0;
  };
  const known = before.value.filter((value) => found.has(JSON.stringify(value))).length;
  const isAlike = shapesAgree(before.value, now) && now.length <= 2 * before.value.length + 2;
  return known > 0 && isAlike && !before.value.some(isMissing);
}

/** Returns whether most values now look as most did before. */
function shapesAgree(before: readonly ExtractedValue[], now: readonly ExtractedValue[]): boolean {
  const usual = new Set(before.map(shapeOfValue));
  const alike = now.filter((value) => usual.has(shapeOfValue(value))).length;
  return alike >= MOST * now.length;
}

function areRecordsRight(
  old: Selector,
  { before, reading }: { readonly before: Reading; readonly reading: Reading },
  { bad, good }: Texts,
): boolean {
  const [was, is] = [recordsOf(before.value), recordsOf(reading.value)];
  const fields = asObject(old).fields ?? {};
  const orders = reading.matches[''] ?? [];
  const key = keyOf(Object.keys(fields), was, is);
  if (key === undefined) return false;
  if (takesAll(old) && (is.length > 2 * was.length + 2 || is.length * 2 < was.length)) return false;
  const byKey = new Map(is.map((record, index) => [JSON.stringify(record[key]), index]));
  const beforeOrders = before.matches[''] ?? [];
  if (countNested(orders, bad) > countNested(beforeOrders, good)) return false;
  if (countRepeated(is, key) > countRepeated(was, key)) return false;
  const gone = new Set(Object.keys(fields));
  let pairs = 0;
  let missing = 0;
  for (const [index, record] of was.entries()) {
    const place = byKey.get(JSON.stringify(record[key]));
    const marks = marksOf(fields, beforeOrders, index, good);
    if (place === undefined) {
      const mark = marks.get(key);
      if (mark && bad.find(mark).length > 0) missing += 1;
      continue;
    }
    pairs += 1;
    for (const name of Object.keys(fields)) {
      if (isEmpty(record[name])) continue;
      const mark = marks.get(name);
      const isInside = mark !== undefined && bad.find(mark, orders[place]).length > 0;
      if (mark !== undefined && bad.find(mark).length > 0) gone.delete(name);
      if (isInside && !isSame(record[name], is[place]?.[name])) return false;
    }
  }
  if (pairs === 0 || missing > (1 - MOST) * (pairs + missing)) return false;
  return Object.keys(fields).every((name) => {
    const [usual, now] = [valuesOf(was, name), valuesOf(is, name)];
    if (usual.length === 0) return true;
    // A value that all records had, all have now: what has none is not one of them.
    const least = usual.length === was.length ? 1 : MOST;
    const isFilled = now.length / is.length >= (least * usual.length) / was.length;
    return shapesAgree(usual, now) && (isFilled || (gone.has(name) && now.length === 0));
  });
}

/** Returns the number of records that are inside of the one before. */
function countNested(orders: readonly number[], { page }: PageTexts): number {
  return orders.filter((order, index) => page.isInside(order, orders[index - 1] ?? order)).length;
}

/** Returns the number of records that have the key of another one. */
function countRepeated(records: readonly ExtractedData[], key: string): number {
  const keys = valuesOf(records, key).map((value) => JSON.stringify(value));
  return keys.length - new Set(keys).size;
}

function recordsOf(value: ExtractedValue): readonly ExtractedData[] {
  const all = Array.isArray(value) ? value : [value];
  return all.filter(
    (each): each is ExtractedData => typeof each === 'object' && each !== null && !Array.isArray(each),
  );
}

function valuesOf(records: readonly ExtractedData[], name: string): readonly ExtractedValue[] {
  return records.flatMap((record) => (isEmpty(record[name]) ? [] : [record[name] as ExtractedValue]));
}

/** Returns the field by which most records of both sides are the same ones; undefined if none tells them apart. */
function keyOf(
  names: readonly string[],
  was: readonly ExtractedData[],
  is: readonly ExtractedData[],
): string | undefined {
  const judged = names.flatMap((name) => {
    const values = valuesOf(was, name).map((value) => JSON.stringify(value));
    if (values.length === 0 || new Set(values).size < MOST * values.length) return [];
    const now = new Set(valuesOf(is, name).map((value) => JSON.stringify(value)));
    return [{ name, common: values.filter((value) => now.has(value)).length }];
  });
  const [best] = judged.toSorted((one, other) => other.common - one.common);
  return best && best.common > 0 ? best.name : undefined;
}

/** Returns the marks of the fields of the record at an index. */
function marksOf(
  fields: SelectorMap,
  orders: readonly number[],
  index: number,
  texts: PageTexts,
): ReadonlyMap<string, Mark> {
  const order = orders[index];
  const [record] = order === undefined ? [] : markRecords({ fields }, [order], texts);
  return record?.marks ?? new Map();
}
