import type { RecordSelector } from '@gleaner/contracts';
import { SelectorError } from '../css/selector.ts';
import type { FieldSelector } from './parse-field-selector.ts';
import type { FieldValue, PlannedField } from './plan.ts';

/** Keys of a field, with all other options for taking a value from a match. */
export interface ValueOptions {
  readonly keys: RecordSelector;
  readonly fields: readonly PlannedField[] | undefined;
  /** True if the field or a record around it resolves URLs. */
  readonly isAbsolute: boolean;
}

/** Returns the value that a field takes from a match. Throws a SelectorError if its suffix does not fit its keys. */
export function planValue(
  value: FieldSelector['value'],
  { keys, fields, isAbsolute }: ValueOptions,
): FieldValue {
  if (fields) {
    if (value)
      throw new SelectorError(
        `"fields" makes records: leave out ::${value.kind === 'attribute' ? 'attr' : value.kind}.`,
      );
    return { kind: 'record', fields };
  }
  if (value?.kind === 'attribute') {
    if (keys.absolute && !isUrlAttribute(value.name)) {
      throw new SelectorError(
        `"absolute" resolves URLs, such as ::attr(href) and ::attr(src); ::attr(${value.name}) does not hold a URL.`,
      );
    }
    return { ...value, isAbsolute: isAbsolute && isUrlAttribute(value.name) };
  }
  if (keys.absolute) throw new SelectorError('"absolute" resolves URLs: add ::attr(href) or ::attr(src).');
  return value ?? { kind: readsTime(keys) ? 'time' : 'text' };
}

/** Returns true for dates with no other source of their text, to be read from `<time datetime>`. */
function readsTime({ type, json, pattern, exclude }: RecordSelector): boolean {
  const isDate = type === 'date' || type === 'datetime';
  return isDate && json === undefined && pattern === undefined && exclude === undefined;
}

/** Attributes with a single URL, including the attributes of lazy-loading scripts. */
const URL_ATTRIBUTES = new Set(
  `href src action formaction poster cite data background longdesc manifest usemap codebase classid profile icon
  xlink:href content url`.split(/\s+/),
);

/** Returns true if `absolute` can resolve the attribute: it holds one URL by definition, or is `data-…`. */
function isUrlAttribute(name: string): boolean {
  const folded = name.toLowerCase();
  return URL_ATTRIBUTES.has(folded) || folded.startsWith('data-');
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
