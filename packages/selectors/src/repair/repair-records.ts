import type { RecordSelector, Selector, SelectorMap } from '@gleaner/contracts';
import { findFieldPaths } from '../lists/suggest-field.ts';
import { suggestList } from '../lists/suggest-list.ts';
import { reasonsFor } from '../path.ts';
import { suggestOne } from '../suggest.ts';
import { readTake } from '../take.ts';
import { TokenIndex } from '../tokens/token-index.ts';
import type { Mark, PageTexts } from './page-texts.ts';
import { asObject, cssOf, takeFor, withCss } from './reading.ts';
import { type Attempt, BOTH, type BothPages, sharedClasses } from './repair-values.ts';

/** A record of the page as it was, and the marks of the fields that have a value. */
export interface MarkedRecord {
  readonly order: number;
  readonly marks: ReadonlyMap<string, Mark>;
}

/** A field of records, with what it is called on both pages. */
interface RepairedField {
  readonly alone: Selector;
  readonly both: Selector;
  readonly reasons: readonly string[];
}

const MAX_RECORDS = 60;
const MAX_PICKS = 12;
const MAX_PATHS = 4;
/** Share of the known records in which a selector must find their values. */
const MIN_AGREEMENT = 0.9;

/** Returns the records of a page with the values of their fields that can be recognized elsewhere. */
export function markRecords(
  { fields = {} }: RecordSelector,
  orders: readonly number[],
  texts: PageTexts,
): readonly MarkedRecord[] {
  const { page } = texts;
  return orders.slice(0, MAX_RECORDS).map((order) => {
    const marks = new Map<string, Mark>();
    for (const [name, field] of Object.entries(fields)) {
      const css = cssOf(field);
      const [first] = css === '' || asObject(field).fields ? [] : page.find(css)(order);
      const mark = first === undefined ? undefined : texts.markOf(first, takeFor(field, first, page));
      if (mark) marks.set(name, mark);
    }
    return { order, marks };
  });
}

/** Yields selectors of the records that have the values of these records now, with selectors of their fields. */
export function* repairRecords(
  selector: RecordSelector,
  records: readonly MarkedRecord[],
  { bad }: Pick<BothPages, 'bad'>,
): Generator<Attempt> {
  const anchors = anchorsOf(records, bad);
  const byField = Map.groupBy(anchors, ({ field }) => field);
  const best = [...byField].toSorted(([, one], [, other]) => other.length - one.length).slice(0, 2);
  const isSingle = selector.all !== true && !/::\s*all\b/i.test(selector.selector ?? '');
  for (const [, picked] of best) {
    if (!isSingle && picked.length < Math.min(2, records.length)) continue;
    const picks = picked.slice(0, MAX_PICKS).map(({ element }) => element);
    for (const { css, reasons } of recordSelectors(picks, isSingle, bad)) {
      const orders = bad.page.find(css)(null);
      const pairs = pairRecords(anchors, orders, bad);
      if (pairs.size === 0) continue;
      const fields = repairFields(selector.fields ?? {}, { pairs, orders }, bad);
      const all = [...reasons, ...fields.flatMap((field) => field[1].reasons)];
      const outer = { ...selector, ...asObject(withCss(selector, css)) };
      const union = { ...selector, ...asObject(withCss(selector, `${cssOf(selector)}, ${css}`)) };
      const isCertain = true;
      yield { selector: { ...outer, fields: fieldsOf(fields, 'alone') }, isCertain, reasons: all };
      yield { selector: { ...union, fields: fieldsOf(fields, 'alone') }, isCertain, reasons: [...all, BOTH] };
      yield { selector: { ...union, fields: fieldsOf(fields, 'both') }, isCertain, reasons: [...all, BOTH] };
    }
  }
}

/** Yields selectors of records that are still found, with another one for a field, and for other fields that were lost. */
export function* repairField(
  selector: RecordSelector,
  name: string,
  found: { readonly records: readonly MarkedRecord[]; readonly orders: readonly number[] },
  { bad }: Pick<BothPages, 'bad'>,
): Generator<Attempt> {
  const field = selector.fields?.[name];
  if (field === undefined) return;
  const { records, orders } = found;
  const pairs = pairRecords(anchorsOf(records, bad), orders, bad);
  // Others may have been lost as well, and are checked with it.
  const others = repairFields(selector.fields ?? {}, { pairs, orders }, bad);
  const index = new TokenIndex(bad.page);
  for (const { css, reasons } of fieldSelectors(name, { pairs, orders }, bad, index)) {
    const alone = { ...fieldsOf(others, 'alone'), [name]: withCss(field, css) };
    const both = { ...fieldsOf(others, 'both'), [name]: withCss(field, `${cssOf(field)}, ${css}`) };
    yield { selector: { ...selector, fields: alone }, isCertain: true, reasons };
    yield { selector: { ...selector, fields: both }, isCertain: true, reasons: [...reasons, BOTH] };
  }
}

function fieldsOf(fields: ReturnType<typeof repairFields>, name: 'alone' | 'both'): SelectorMap {
  return Object.fromEntries(fields.map(([field, each]) => [field, each[name]]));
}

/** A value of a record that is in one place of the other page. */
interface Anchor {
  readonly record: MarkedRecord;
  readonly field: string;
  readonly element: number;
}

/** Returns the values of a single record that occur in one place of the page. */
function anchorsOf(records: readonly MarkedRecord[], bad: PageTexts): Anchor[] {
  const counts = new Map<string, number>();
  const keyOf = ({ take, value }: Mark) => `${take} ${value}`;
  for (const { marks } of records) {
    for (const key of new Set([...marks.values()].map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return records.flatMap((record) =>
    [...record.marks].flatMap(([field, mark]) => {
      if (counts.get(keyOf(mark)) !== 1) return [];
      const places = bad.find(mark);
      const element = places[0]?.elements[0];
      // The image and the title of a card often have the same link.
      const isOne = places.length === 1 || (mark.take !== 'text' && places.length <= 3);
      return isOne && element !== undefined ? [{ record, field, element }] : [];
    }),
  );
}

/** Yields selectors of the records around elements. */
function* recordSelectors(picks: readonly number[], isSingle: boolean, { page }: PageTexts) {
  if (!isSingle) {
    const lists = [...suggestList({ picks, not: [] }, page, []), ...sharedClasses(picks, page)];
    for (const { selector, reasons } of lists) yield { css: selector, reasons };
    return;
  }
  const [pick] = picks;
  if (pick === undefined) return;
  for (const order of page.ancestors(pick, 4)) {
    const [best] = suggestOne(order, page, []);
    if (best) yield { css: best.selector, reasons: best.reasons };
  }
}

/** Returns the record on the page for each earlier record; none for ambiguous ones. */
function pairRecords(
  anchors: readonly Anchor[],
  orders: readonly number[],
  { page }: PageTexts,
): ReadonlyMap<MarkedRecord, number> {
  const votes = new Map<MarkedRecord, Map<number, number>>();
  for (const { record, element } of anchors) {
    const around = orders.findLast((order) => order === element || page.isInside(element, order));
    if (around === undefined) continue;
    const ofRecord = votes.get(record) ?? new Map<number, number>();
    votes.set(record, ofRecord.set(around, (ofRecord.get(around) ?? 0) + 1));
  }
  const pairs = new Map<MarkedRecord, number>();
  const taken = new Set<number>();
  for (const [record, candidates] of votes) {
    const [best] = [...candidates].toSorted(([, one], [, other]) => other - one);
    if (!best || taken.has(best[0])) continue;
    taken.add(best[0]);
    pairs.set(record, best[0]);
  }
  return pairs;
}

/** Earlier records with their current counterparts. */
interface Paired {
  readonly pairs: ReadonlyMap<MarkedRecord, number>;
  /** All records of the page as it is. */
  readonly orders: readonly number[];
}

function repairFields(
  fields: SelectorMap,
  paired: Paired,
  bad: PageTexts,
): (readonly [string, RepairedField])[] {
  const index = new TokenIndex(bad.page);
  return Object.entries(fields).map(([name, field]) => {
    if (cssOf(field) === '' || findsAll(cssOf(field), name, paired, bad))
      return [name, { alone: field, both: field, reasons: [] }];
    const [best] = fieldSelectors(name, paired, bad, index);
    if (!best)
      return [
        name,
        { alone: field, both: field, reasons: [`The values of "${name}" were not found in the records.`] },
      ];
    const both = withCss(field, `${cssOf(field)}, ${best.css}`);
    return [name, { alone: withCss(field, best.css), both, reasons: best.reasons }];
  });
}

/** Returns whether a selector finds the values of a field in the records that stand for the earlier ones. */
function findsAll(css: string, name: string, { pairs }: Paired, { page }: PageTexts): boolean {
  const find = page.find(css);
  const known = [...pairs].flatMap(([{ marks }, order]) => {
    const mark = marks.get(name);
    return mark ? [{ mark, order }] : [];
  });
  const finding = known.filter(({ mark, order }) => {
    const [first] = find(order);
    return first !== undefined && readTake(mark.take, first, page) === mark.value;
  });
  return finding.length > 0 && finding.length >= MIN_AGREEMENT * known.length;
}

/** Yields selectors relative to the records that find the values of a field, the best first. */
function* fieldSelectors(name: string, { pairs, orders }: Paired, bad: PageTexts, index: TokenIndex) {
  for (const innermost of [true, false]) {
    const elements = new Map<number, number>();
    for (const [{ marks }, order] of pairs) {
      const mark = marks.get(name);
      const [place] = mark ? bad.find(mark, order) : [];
      const element = innermost ? place?.elements[0] : place?.elements.at(-1);
      if (element !== undefined) elements.set(order, element);
    }
    const marked = [...pairs.keys()].filter(({ marks }) => marks.has(name)).length;
    if (elements.size === 0 || elements.size * 2 < marked) continue;
    const paths = findFieldPaths({ records: orders, elements, not: [] }, index, bad.page);
    for (const { path, css, agreement } of paths.slice(0, MAX_PATHS)) {
      if (agreement >= MIN_AGREEMENT) yield { css, reasons: reasonsFor(path) };
    }
  }
}
