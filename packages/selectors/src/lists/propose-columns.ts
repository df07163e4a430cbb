import { attributeOf, NodeKind } from '@gleaner/extraction';
import type { Page } from '../page.ts';
import type { Column } from '../suggestion.ts';
import { judgeName } from '../tokens/judge-name.ts';
import type { Token } from '../tokens/token.ts';
import type { TokenIndex } from '../tokens/token-index.ts';
import { classesOf, ownTokens } from '../tokens/tokens-of.ts';
import { readTake, shorten, type Take } from '../values/take.ts';
import { columnNameOf, distinctNames } from './column-name.ts';
import { type FieldPath, findFieldPaths } from './suggest-field.ts';

const MAX_RECORDS = 100;
const MAX_ELEMENTS = 300;
const MAX_COLUMNS = 12;

/** Share of the records that must have a value. */
const MIN_FILLED = 0.5;

/** Share of the records in which a selector must find the same element as the others. */
const MIN_AGREEMENT = 0.8;

/** Tags of markup inside a text, which is part of the value. */
const INLINE = new Set('b i em strong u s small sub sup code mark span br font abbr kbd'.split(' '));

/** Values at the same place of the records. */
interface Place {
  readonly take: Take;
  /** For each record, the element that holds the value. */
  readonly elements: Map<number, number>;
}

/** Proposes fields for what most records have: texts, links, images and dates at the same place, named as the page names them. */
export function proposeColumns(
  records: readonly number[],
  {
    picks,
    index,
    page,
  }: { readonly picks: readonly number[]; readonly index: TokenIndex; readonly page: Page },
): Column[] {
  const sample = records.slice(0, MAX_RECORDS);
  const places = new Map<string, Place>();
  for (const record of sample) collectPlaces(record, places, page);
  index.prepare([...places.values()].flatMap((place) => tokensNear(place, page)));
  const columns = new Map<string, Proposed>();
  for (const place of places.values()) {
    if (columns.size >= MAX_COLUMNS || page.isTired) break;
    if (place.elements.size < MIN_FILLED * sample.length) continue;
    const [best] = findFieldPaths({ records: sample, elements: place.elements, not: [] }, index, page);
    if (best === undefined || best.agreement < MIN_AGREEMENT) continue;
    const { column, key } = describe(best, { ...place, records: sample, picks }, page);
    // The image and the title of a card often have the same link.
    const known = columns.get(key);
    if (known === undefined || (!known.column.isPicked && column.isPicked)) columns.set(key, { column, key });
  }
  // A value that all records share is seldom wanted.
  const sorted = [...columns.values()]
    .map(({ column }) => column)
    .sort((left, right) => weight(left) - weight(right));
  const names = distinctNames(sorted.map(({ name }) => name));
  return sorted.map((column, at) => ({ ...column, name: names[at] as string }));
}

/** Returns the conditions on the first element of a place and on what is around it, to look them up together. */
function tokensNear({ elements }: Place, page: Page): readonly Token[] {
  const [[record, element] = [0, 0]] = elements;
  const around = page.ancestors(element, 3).filter((order) => order > record);
  return [element, ...around].flatMap((order) => ownTokens(order, page));
}

interface Proposed {
  readonly column: Column;
  /** Text that is the same for columns with the same values. */
  readonly key: string;
}

function weight({ distinct, isPicked }: Column): number {
  return distinct > 1 || isPicked ? 0 : 1;
}

function describe(
  { css, firsts }: FieldPath,
  {
    take,
    elements,
    records,
    picks,
  }: Place & { readonly records: readonly number[]; readonly picks: readonly number[] },
  page: Page,
): Proposed {
  const values = firsts.flatMap((order) => (order === undefined ? [] : [readTake(take, order, page) ?? '']));
  const [[record, element] = [0, 0]] = elements;
  const column = {
    name: columnNameOf(element, { record, take }, page),
    selector: css,
    take,
    filled: round(values.filter((value) => value !== '').length / records.length),
    distinct: new Set(values).size,
    values: values.slice(0, 3).map(shorten),
    isPicked: picks.some((pick) => firsts.includes(pick)),
  };
  return { column, key: `${take} ${JSON.stringify(values)}` };
}

function round(share: number): number {
  return Math.round(share * 100) / 100;
}

/** Adds the values of a record to those of the others, by the names on the way to them. */
function collectPlaces(record: number, places: Map<string, Place>, page: Page): void {
  const names = new Map<number, string>([[record, '']]);
  const inText = new Set<number>();
  const end = Math.min(page.end(record), record + MAX_ELEMENTS);
  for (let order = record; order < end; order++) {
    const around = page.parent(order);
    const name = order === record ? '' : `${names.get(around) ?? ''} > ${nameOf(order, page)}`;
    names.set(order, name);
    const isInline = inText.has(around) && INLINE.has(page.element(order).name);
    if (isInline || hasOwnText(order, page)) inText.add(order);
    for (const take of takesOf(order, page)) {
      if (take === 'text' && isInline) continue;
      const key = `${name} ${take}`;
      const place = places.get(key) ?? { take, elements: new Map() };
      places.set(key, place);
      if (!place.elements.has(record)) place.elements.set(record, order);
    }
  }
  page.work(end - record);
}

/** Returns what tells an element from others in a record: its names, or its place where names are missing. */
function nameOf(order: number, page: Page): string {
  const element = page.element(order);
  const classes = classesOf(element, page).filter(
    (name) => judgeName(name) === null || judgeName(name) === 'utility',
  );
  const property = attributeOf(element, 'itemprop') ?? '';
  const isNamed = classes.length > 0 || property !== '';
  const isCell = element.name === 'td' || element.name === 'th';
  return `${element.name}.${classes.sort().join('.')}[${property}]${isNamed && !isCell ? '' : page.placeOf(order)}`;
}

function takesOf(order: number, page: Page): Take[] {
  const element = page.element(order);
  const takes: Take[] = [];
  const has = (name: string): boolean => (attributeOf(element, name) ?? '') !== '';
  if (element.name === 'script' || element.name === 'style' || element.name === 'noscript') return [];
  if (element.name === 'time' && has('datetime')) return ['attr(datetime)'];
  if (element.name === 'meta') return has('content') ? ['attr(content)'] : [];
  if (hasOwnText(order, page)) takes.push('text');
  if (element.name === 'a' && has('href')) takes.push('attr(href)');
  if (element.name === 'img') takes.push(has('src') ? 'attr(src)' : 'attr(data-src)');
  return takes;
}

function hasOwnText(order: number, page: Page): boolean {
  for (let child = page.element(order).first; child !== null; child = child.next) {
    page.work(1);
    if (child.kind === NodeKind.text && /\S/.test(child.value)) return true;
  }
  return false;
}
