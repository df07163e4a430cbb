import { attributeOf, textOf } from '@gleaner/extraction';
import type { Page } from '../page.ts';
import { judgeName } from '../tokens/judge-name.ts';
import { classesOf } from '../tokens/tokens-of.ts';
import type { Take } from '../values/take.ts';

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
export function columnNameOf(
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
export function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let number = 2; taken.has(own); number++) own = `${name}${number}`;
    taken.add(own);
    return own;
  });
}
