import { attributeOf, NodeKind, textOf } from '@gleaner/extraction';
import type { Page } from '../page.ts';
import type { Column } from '../suggestion.ts';
import { readTake, shorten, type Take } from '../take.ts';
import { judgeName } from '../tokens/judge-name.ts';
import type { Token } from '../tokens/token.ts';
import type { TokenIndex } from '../tokens/token-index.ts';
import { classesOf, ownTokens } from '../tokens/tokens-of.ts';
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

const MAX_NAME_CHARS = 30;

/** Names of values that classes do not name, by tag. */
const TAG_NAMES: ReadonlyMap<string, string> = new Map([
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'summary', 'caption', 'dt', 'th'].map(
    (tag) => [tag, 'title'] as const,
  ),
  ['a', 'link'],
  ['img', 'image'],
  ['time', 'date'],
  ['p', 'text'],
  ['dd', 'description'],
  ['td', 'column'],
]);

/** Returns a name for a field from what the page calls it: `itemprop`, the head of the column, classes, or the tag. */
function columnNameOf(
  order: number,
  { record, take }: { readonly record: number; readonly take: Take },
  page: Page,
): string {
  const named = nameInPage(order, record, page) ?? TAG_NAMES.get(page.element(order).name) ?? 'value';
  if (take === 'text' || take === 'attr(content)' || take === 'attr(datetime)') return named;
  const suffix = take === 'attr(href)' ? 'Url' : take === 'attr(src)' ? 'Image' : '';
  if (suffix === '' || named.toLowerCase().endsWith(suffix.toLowerCase())) return named;
  return named === 'link' ? 'url' : `${named}${suffix}`;
}

function nameInPage(order: number, record: number, page: Page): string | undefined {
  const head = headOf(order, page);
  if (head !== undefined) return head;
  for (let at = order; at > record; at = page.parent(at)) {
    const property = attributeOf(page.element(at), 'itemprop');
    if (property) return toName(property);
    const own = classesOf(page.element(at), page).find((name) => judgeName(name) === null);
    const name = own === undefined ? undefined : toName(own);
    if (name !== undefined) return name;
    if (/^h[1-6]$/.test(page.element(at).name)) return 'title';
    // A name of what contains several values does not tell them apart.
    if (page.end(page.parent(at)) - page.parent(at) > 4) return undefined;
  }
  return undefined;
}

/** Returns the text of the head of a cell's column, which is in the same place of the first row with heads. */
function headOf(order: number, page: Page): string | undefined {
  const cell = [order, ...page.ancestors(order, 4)].find((at) => page.element(at).name === 'td');
  if (cell === undefined) return undefined;
  const row = page.parent(cell);
  const table = page.ancestors(row, 3).find((at) => page.element(at).name === 'table');
  if (table === undefined) return undefined;
  const place = [...page.children(row)].indexOf(cell);
  const end = Math.min(page.end(table), table + 60);
  for (let at = table + 1; at < end; at++) {
    if (page.element(at).name !== 'tr') continue;
    const heads = [...page.children(at)];
    if (!heads.every((head) => page.element(head).name === 'th')) continue;
    const head = heads[place];
    return head === undefined ? undefined : toName(textOf(page.element(head), page.budget));
  }
  return undefined;
}

/** Makes a name in camel case from a class, a property or a head: the last part of `card__title`. */
function toName(text: string): string | undefined {
  const part = text.trim().split(/__|:/).at(-1) ?? '';
  const words = part
    .slice(0, 2 * MAX_NAME_CHARS)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const name = words
    .map(
      (word, index) =>
        (index === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1),
    )
    .join('')
    .slice(0, MAX_NAME_CHARS);
  return /^\p{L}/u.test(name) && name.length > 1 && name.isWellFormed() ? name : undefined;
}

/** Makes names different by numbers. */
function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let number = 2; taken.has(own); number++) own = `${name}${number}`;
    taken.add(own);
    return own;
  });
}
