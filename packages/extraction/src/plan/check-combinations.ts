import type { FieldType, RecordSelector } from '@gleaner/contracts';

/** Keys of a field, and its surroundings. */
export interface FieldTraits {
  readonly keys: RecordSelector;
  /** Suffix of the selector; null without one. */
  readonly suffix: 'text' | 'html' | 'attribute' | null;
  /** True with `all` and with `::all`. */
  readonly takesAll: boolean;
  /** Kind of the record around the field; null at the top. */
  readonly record: 'element' | 'json' | null;
}

/** Returns a sentence for each combination of keys that has no meaning, with the keys to write instead. */
export function findCombinationProblems(traits: FieldTraits): string[] {
  return RULES.filter(([isBroken]) => isBroken(traits)).map(([, message]) => message);
}

type Rule = readonly [isBroken: (traits: FieldTraits) => boolean, message: string];

const isOf =
  (...types: FieldType[]) =>
  ({ keys: { type } }: FieldTraits): boolean =>
    type !== undefined && types.includes(type);

/** Types that read the element itself instead of its text. */
const readsElement = isOf('table', 'rows', 'markdown');
const isBoolean = isOf('boolean');
const isCount = isOf('count');
const isRecord = ({ keys }: FieldTraits): boolean => keys.fields !== undefined;
const has =
  (...names: (keyof RecordSelector)[]) =>
  ({ keys }: FieldTraits): boolean =>
    names.some((name) => keys[name] !== undefined && keys[name] !== false);

/** Returns true if the value is text, or the types of JSON. */
const isUntyped = ({ keys: { type } }: FieldTraits): boolean => type === undefined || type === 'string';

const SOURCE_RULES: readonly Rule[] = [
  [
    (traits) => has('from')(traits) && traits.record !== null,
    '"from" reads captured responses: use it in a field at the top, whose "fields" are read from what it finds.',
  ],
  [
    (traits) => has('from')(traits) && (!has('json')(traits) || traits.keys.selector !== undefined),
    '"from" reads captured responses, which are JSON: add "json", and leave out "selector".',
  ],
  [
    ({ keys, record }) =>
      keys.selector === undefined && keys.json === undefined && keys.from === undefined && record !== 'json',
    '"selector" is missing.',
  ],
  [
    ({ keys, record }) => keys.json === undefined && record === 'json',
    'The record is JSON: write {"json": "$.name"} to read a member of it.',
  ],
  [
    ({ keys, record }) => keys.selector !== undefined && keys.json !== undefined && record === 'json',
    'The record is JSON, in which selectors find nothing: leave out "selector".',
  ],
  [
    ({ keys, record }) => keys.selector === undefined && keys.json !== undefined && record === 'element',
    '"json" reads the text of an element here: add a "selector", such as ":scope::attr(data-json)".',
  ],
  [
    (traits) => has('json')(traits) && traits.suffix === 'html',
    '"json" reads a text or an attribute: leave out ::html.',
  ],
];

const TEXT_RULES: readonly Rule[] = [
  [
    (traits) =>
      has('whitespace')(traits) &&
      (isRecord(traits) || has('json')(traits) || (traits.suffix ?? 'text') !== 'text' || !isUntyped(traits)),
    '"whitespace" applies to texts: leave it out with ::attr, ::html, "json", "fields" and other types than string.',
  ],
  [
    (traits) =>
      has('exclude')(traits) && (isRecord(traits) || isCount(traits) || traits.keys.selector === undefined),
    '"exclude" leaves out text of one element: use it in a field that reads the text of a "selector".',
  ],
  [
    (traits) => has('exclude')(traits) && (traits.suffix ?? 'text') !== 'text',
    '"exclude" leaves out text: leave out ::attr and ::html.',
  ],
  [
    (traits) => has('pattern')(traits) && (isRecord(traits) || isCount(traits) || readsElement(traits)),
    '"pattern" matches a text: leave it out with "fields" and the types count, table, rows and markdown.',
  ],
];

const TYPE_RULES: readonly Rule[] = [
  [
    (traits) => has('type')(traits) && isRecord(traits),
    '"fields" makes records: leave out "type", and give each field its own.',
  ],
  [
    (traits) => readsElement(traits) && (has('json')(traits) || traits.suffix !== null),
    'The types table, rows and markdown read the element: leave out "json", ::text, ::attr and ::html.',
  ],
  [(traits) => isCount(traits) && traits.takesAll, 'The type count counts all matches: leave out "all".'],
  [
    (traits) => isCount(traits) && traits.suffix !== null,
    'The type count counts elements: leave out ::text, ::attr and ::html; "[href]" matches those with an attribute.',
  ],
  [
    (traits) => isBoolean(traits) && traits.takesAll && !has('pattern', 'json')(traits),
    'The type boolean tells whether there is a match: leave out "all", or add a "pattern" for each match.',
  ],
  [
    (traits) => has('absolute')(traits) && !isRecord(traits) && !isUntyped(traits) && !isOf('url')(traits),
    '"absolute" returns a URL: leave it out, or use the type url.',
  ],
  [
    (traits) => has('absolute')(traits) && has('json')(traits),
    '"absolute" resolves attributes: use the type url with "json".',
  ],
  [
    (traits) =>
      isOf('url')(traits) && traits.suffix === null && !isRecord(traits) && !has('json', 'pattern')(traits),
    'The type url needs to know where the URL is: add ::attr(href), or ::text for one that is written out.',
  ],
];

const VALUE_RULES: readonly Rule[] = [
  [
    (traits) => (isBoolean(traits) || isCount(traits)) && traits.keys.default !== undefined,
    'The types boolean and count always have a value: leave out "default".',
  ],
  [
    (traits) => (isBoolean(traits) || isCount(traits)) && has('required')(traits),
    'The types boolean and count always have a value: leave out "required".',
  ],
  [
    (traits) => traits.keys.default !== undefined && has('required')(traits),
    'A field with a default is never missing: leave out "default" or "required".',
  ],
];

const OPTION_RULES: readonly Rule[] = [
  [
    (traits) =>
      has('locale')(traits) &&
      !isRecord(traits) &&
      !isOf('number', 'integer', 'price', 'date', 'datetime')(traits),
    '"locale" needs the type number, integer, price, date or datetime.',
  ],
  [
    (traits) => has('currency')(traits) && !isRecord(traits) && !isOf('price')(traits),
    '"currency" needs the type price.',
  ],
  [
    (traits) => has('format')(traits) && !isOf('date', 'datetime')(traits),
    '"format" needs the type date or datetime.',
  ],
  [
    (traits) => has('timezone')(traits) && !isRecord(traits) && !isOf('datetime')(traits),
    '"timezone" needs the type datetime.',
  ],
  [
    (traits) => has('key')(traits) && !(isRecord(traits) && traits.takesAll),
    '"key" tells the records of a list apart: add "all" and "fields".',
  ],
  [
    ({ keys: { key, fields } }) => key !== undefined && fields !== undefined && !Object.hasOwn(fields, key),
    '"key" must be the name of one of "fields".',
  ],
  [
    (traits) =>
      (traits.keys.expect?.min ?? 0) > 1 && !traits.takesAll && !isOf('count', 'table', 'rows')(traits),
    '"expect.min" counts values, and this field has one: add "all", or use "expect.fill".',
  ],
];

const RULES: readonly Rule[] = [
  ...SOURCE_RULES,
  ...TEXT_RULES,
  ...TYPE_RULES,
  ...VALUE_RULES,
  ...OPTION_RULES,
];
