import type { ExtractedData, ExtractedValue, Selector, SelectorMap } from '@gleaner/contracts';
import type { Shape } from '@gleaner/extraction';
import { findFieldPaths } from '../lists/suggest-field.ts';
import { suggestList } from '../lists/suggest-list.ts';
import { asObject, cssOf, isEmpty, isSame, read } from '../repair/reading.ts';
import { takeOf } from '../take.ts';
import { TokenIndex } from '../tokens/token-index.ts';
import { NO_SELECTOR, NO_VALUE, type Solving } from './solving.ts';
import { selectorOf } from './typed-selector.ts';

type ScalarShape = Extract<Shape, { kind: 'scalar' }>;
type ObjectShape = Extract<Shape, { kind: 'object' }>;

/** Elements by which a list is looked for. */
const MAX_PICKS = 100;

/** Returns the selector of a list of single values; undefined if none gives them all. */
export function solveTexts(
  shape: ScalarShape,
  path: string,
  items: readonly ExtractedValue[],
  solving: Solving,
): Selector | undefined {
  const { at, elements } = solving;
  const orders = items.flatMap((_item, index) => elements[`${path}.${index}`] ?? []);
  const options = listsOf(orders, solving).map(({ selector, take }) => ({
    ...asObject(selectorOf(selector, take, shape)),
    all: true,
  }));
  const holdsAll = (selector: Selector): boolean => {
    const { value } = read(at, selector, solving);
    const found = new Set((Array.isArray(value) ? value : []).map((each) => JSON.stringify(each)));
    return found.size <= 2 * items.length + 2 && items.every((item) => found.has(JSON.stringify(item)));
  };
  const right = options.find(holdsAll);
  if (right === undefined) solving.miss(path, NO_SELECTOR);
  return right;
}

/** Returns the selector of a list of objects, with the fields whose values it gives in every record. */
export function solveRecords(
  shape: ObjectShape,
  path: string,
  items: readonly ExtractedValue[],
  solving: Solving,
): Selector | undefined {
  const columns = shape.fields.flatMap(([name, field]): Column[] => {
    if (field.kind !== 'scalar') {
      solving.miss(`${path}.${name}`, 'A list or an object inside of a list has no selector: flatten it.');
      return [];
    }
    const orders = items.map((_item, index) => solving.elements[`${path}.${index}.${name}`]);
    if (orders.some((order) => order !== undefined)) return [{ name, shape: field, orders }];
    solving.miss(`${path}.${name}`, NO_VALUE);
    return [];
  });
  const countOf = ({ orders }: Column) => orders.filter((order) => order !== undefined).length;
  const [fullest] = columns.toSorted((one, other) => countOf(other) - countOf(one));
  const picks = fullest?.orders.filter((order) => order !== undefined) ?? [];
  const solved = listsOf(picks, solving).map(({ selector }) =>
    solveColumns({ selector, columns, items: items as readonly ExtractedData[] }, solving),
  );
  const [best] = solved.toSorted(
    (one, other) => Object.keys(other.fields).length - Object.keys(one.fields).length,
  );
  for (const { name } of columns)
    if (best?.fields[name] === undefined) solving.miss(`${path}.${name}`, NO_SELECTOR);
  return best && Object.keys(best.fields).length > 0 ? withoutEmpty(best, solving) : undefined;
}

interface RecordList {
  readonly selector: string;
  readonly all: boolean;
  readonly fields: SelectorMap;
}

/** Leaves out records without any value, such as the head of a table, if a condition on the list can. */
function withoutEmpty(list: RecordList, solving: Solving): RecordList {
  const rowsOf = (each: RecordList): readonly ExtractedData[] => {
    const { value } = read(solving.at, each, solving);
    return (Array.isArray(value) ? value : []) as readonly ExtractedData[];
  };
  const rows = rowsOf(list);
  const filled = rows.filter((row) => !Object.values(row).every(isEmpty));
  if (filled.length === rows.length) return list;
  const options = Object.values(list.fields)
    .map((field) => `${list.selector}:has(${cssOf(field)})`)
    .filter((selector) => selector.split(':has(').length === 2)
    .map((selector) => ({ ...list, selector }));
  return options.find((option) => JSON.stringify(rowsOf(option)) === JSON.stringify(filled)) ?? list;
}

/** A field of the records, and its element in each item. */
interface Column {
  readonly name: string;
  readonly shape: ScalarShape;
  readonly orders: readonly (number | undefined)[];
}

interface Records {
  readonly selector: string;
  readonly columns: readonly Column[];
  readonly items: readonly ExtractedData[];
}

/** Finds selectors of the fields in the records of a list. */
function solveColumns({ selector, columns, items }: Records, solving: Solving): RecordList {
  const { at, page } = solving;
  const list = { selector, all: true };
  const records = page.find(selector)(null);
  // The record of each item: the innermost one around its elements.
  const places = items.map((_item, index) => {
    const order = columns.map(({ orders }) => orders[index]).find((each) => each !== undefined);
    return order === undefined
      ? -1
      : records.findLastIndex((record) => record === order || page.isInside(order, record));
  });
  if (new Set(places).size < places.length || places.includes(-1)) return { ...list, fields: {} };
  const index = new TokenIndex(page);
  const fields = columns.flatMap(({ name, shape, orders }) => {
    const known = orders.flatMap((order, at): [number, number][] =>
      order === undefined ? [] : [[records[places[at] as number] as number, order]],
    );
    const inside = known.filter(([record, order]) => record === order || page.isInside(order, record));
    const [first] = inside;
    if (first === undefined || inside.length < known.length) return [];
    const take = takeOf(first[1], page);
    const right = findFieldPaths({ records, elements: new Map(inside), not: [] }, index, page)
      .map(({ css }) => selectorOf(css, take, shape))
      .find((field) => {
        const { value } = read(at, { ...list, fields: { [name]: field } }, solving);
        const rows = (Array.isArray(value) ? value : []) as readonly ExtractedData[];
        return items.every(
          (item, at) => isEmpty(item[name]) || isSame(rows[places[at] as number]?.[name], item[name]),
        );
      });
    return right === undefined ? [] : [[name, right] as const];
  });
  return { ...list, fields: Object.fromEntries(fields) };
}

function listsOf(orders: readonly number[], { page, others }: Solving) {
  const picks = [...new Set(orders)].slice(0, MAX_PICKS);
  return picks.length === 0 ? [] : suggestList({ picks, not: [] }, page, others);
}
