/** A selector in its long form, with defaults filled in; `fields` is checked by its reader. */
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

/** The long form of what a caller gave for a field, or a sentence that says what is wrong with it. */
export function readSpec(given: unknown): ReadSpec | string {
  if (typeof given === 'string') return { selector: given, all: false, absolute: false, fields: undefined };
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return 'It has to be a selector string, or an object like {"selector": ".card", "all": true, "fields": {…}}.';
  }
  for (const [key, value] of Object.entries(given)) {
    const type = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
    if (!type) return `"${key}" is not known here; there are: ${Object.keys(KEYS).join(', ')}.`;
    const isOfType = type === 'object' ? isPlainObject(value) : typeof value === type;
    if (!isOfType) return `"${key}" has to be ${type === 'object' ? 'an object' : `a ${type}`}.`;
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
