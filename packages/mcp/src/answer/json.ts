/** A value that JSON can hold. */
export type Json =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Json[]
  | { readonly [name: string]: Json };

/** Characters that are not seen but read: marks of direction, of width zero, and the tags that hide text from people. */
const HIDDEN = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}]/gu;

/** Writes a value as JSON in which every hidden character of a page is visible as an escape. */
export function stringify(value: Json): string {
  return (JSON.stringify(value) ?? 'null').replaceAll(HIDDEN, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Returns true for a list. */
export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** Returns the JSON Pointer (RFC 6901) of an entry. */
export function child(path: string, key: string | number): string {
  return `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Returns the value at a JSON Pointer; undefined if the pointer leads nowhere. */
export function valueAt(value: Json, path: string): Json {
  const keys = path
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  return keys.reduce<Json>((each, key) => {
    if (Array.isArray(each)) return /^\d+$/.test(key) ? each[Number(key)] : undefined;
    if (typeof each !== 'object' || each === null || !Object.hasOwn(each, key)) return undefined;
    return (each as Readonly<Record<string, Json>>)[key];
  }, value);
}

/** Returns a text, a list or an object from this character or entry on. */
export function rest(value: Json, from: number): Json {
  if (typeof value === 'string' || Array.isArray(value)) return value.slice(from);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).slice(from));
}
