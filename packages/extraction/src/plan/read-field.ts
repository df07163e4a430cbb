/** A selector in its object form, with defaults applied; `fields` is not validated yet. */
export interface ReadSpec {
  readonly selector: string;
  readonly all: boolean;
  readonly absolute: boolean;
  readonly fields: object | undefined;
}

const KEYS: Readonly<Record<string, string>> = {
  selector: 'string',
  all: 'boolean',
  absolute: 'boolean',
  fields: 'object',
};

/** Returns the object form of a field's selector, or a sentence that explains why it is invalid. */
export function readSpec(given: unknown): ReadSpec | string {
  if (typeof given === 'string') return { selector: given, all: false, absolute: false, fields: undefined };
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return 'It must be a selector string, or an object such as {"selector": ".card", "all": true, "fields": {…}}.';
  }
  for (const [key, value] of Object.entries(given)) {
    const type = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
    if (!type) return `"${key}" is not a known property: use ${Object.keys(KEYS).join(', ')}.`;
    const isOfType = type === 'object' ? isPlainObject(value) : typeof value === type;
    if (!isOfType) return `"${key}" must be ${type === 'object' ? 'an object' : `a ${type}`}.`;
  }
  const spec = given as Partial<ReadSpec>;
  if (spec.selector === undefined) return '"selector" is missing.';
  return {
    selector: spec.selector,
    all: spec.all ?? false,
    absolute: spec.absolute ?? false,
    fields: spec.fields,
  };
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names that could change the prototype of an object when the data is read. */
const DANGEROUS_NAMES = new Set(['__proto__']);

/** Explains why a field cannot have this name, or returns undefined. Data must survive JSON and MongoDB unchanged. */
export function findNameError(name: string): string | undefined {
  if (name === '') return 'A field needs a name.';
  if (name.includes('\0')) return 'A field name cannot contain the character NUL.';
  if (name.startsWith('$'))
    return 'A field name cannot begin with "$": the database reads such names as operators.';
  if (DANGEROUS_NAMES.has(name)) return `A field cannot be named "${name}".`;
  if (!name.isWellFormed())
    return 'A field name must be valid Unicode: it contains half of a surrogate pair.';
  return undefined;
}
