/** Place of a change: the list, the record in it by its key, and the field of the record or of the page. */
export interface ChangePlace {
  readonly list: string;
  readonly record: string;
  readonly field: string;
}

/** Splits the path of a change: `products[Emma].price` is the field `price` of the record `Emma` in the list `products`. */
export function placeOf(path: string): ChangePlace {
  if (path === '') return { list: '', record: '', field: 'the page' };
  const open = path.indexOf('[');
  // The key itself may have brackets; those of a record within the record come behind a dot.
  const close = open < 0 ? -1 : path.search(/\](?=\.[^\]]*$|$)/);
  if (close < open || open < 0) return { list: '', record: '', field: path };
  const field = path.slice(close + 1).replace(/^\./, '');
  return { list: path.slice(0, open), record: path.slice(open + 1, close), field };
}

/** Returns a value as a line of text: the fields of a record by their names. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map(describeValue).join(', ');
  return Object.entries(value)
    .filter(([, member]) => member !== null && member !== undefined)
    .map(([name, member]) => `${name}: ${describeValue(member)}`)
    .join(' · ');
}

/** Parts of two texts: the equal starts and ends, and the difference between them. */
export interface MarkedDifference {
  readonly start: string;
  readonly old: string;
  readonly fresh: string;
  readonly end: string;
}

/** Texts up to this length are short enough to be read whole. */
const SHORT = 60;
const CONTEXT = 40;

/** Finds the part in which two texts differ, with some words around it; short texts differ as a whole. */
export function markDifference(before: string, after: string): MarkedDifference {
  if (before.length <= SHORT && after.length <= SHORT)
    return { start: '', old: before, fresh: after, end: '' };
  const [one, other] = [wordsOf(before), wordsOf(after)];
  const most = Math.min(one.length, other.length);
  let first = 0;
  while (first < most && one[first] === other[first]) first += 1;
  let last = 0;
  while (last < most - first && one.at(-1 - last) === other.at(-1 - last)) last += 1;
  const start = one.slice(0, first).join('');
  const end = last === 0 ? '' : one.slice(-last).join('');
  return {
    start: start.length > CONTEXT ? `…${start.slice(-CONTEXT)}` : start,
    old: one.slice(first, one.length - last).join(''),
    fresh: other.slice(first, other.length - last).join(''),
    end: end.length > CONTEXT ? `${end.slice(0, CONTEXT)}…` : end,
  };
}

function wordsOf(text: string): string[] {
  return text.match(/\s+|[^\s]+/g) ?? [];
}
