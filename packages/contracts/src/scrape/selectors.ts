import { LIMITS } from '../limits.ts';
import { MapOf, OneOf } from '../map-of.ts';
import { Type } from '../type.ts';

/**
 * Selects data from a page: `<css>[::text | ::attr(<name>) | ::html][::all]`, or a record whose `fields` are scoped to
 * the element. `packages/extraction` checks the grammar.
 */
export type Selector = string | RecordSelector;

/** Types that values are converted to. */
export const FIELD_TYPES = [
  'string',
  'number',
  'integer',
  'price',
  'boolean',
  'date',
  'datetime',
  'url',
  'json',
  'table',
  'rows',
  'markdown',
  'count',
] as const;

/** Type that the value of a field is converted to. */
export type FieldType = (typeof FIELD_TYPES)[number];

/**
 * A selector with options. They are applied in one order: selector, exclude, json, pattern, type, default, required.
 * Either `selector` or `json` is given.
 */
export interface RecordSelector {
  readonly selector?: string;
  readonly all?: boolean;
  readonly absolute?: boolean;
  readonly fields?: SelectorMap;
  readonly whitespace?: 'collapse' | 'keep';
  readonly exclude?: string;
  readonly json?: string;
  readonly from?: string;
  readonly pattern?: string;
  readonly type?: FieldType;
  readonly default?: ExtractedValue;
  readonly required?: boolean;
  readonly locale?: string;
  readonly currency?: string;
  readonly format?: string;
  readonly timezone?: string;
  readonly key?: string;
  readonly expect?: Expectation;
}

/** Bounds of a field's own for what it returns in a job, or in a run of a schedule. */
export interface Expectation {
  readonly fill?: number;
  readonly min?: number;
}

/** Selectors by the name of the field that they fill. */
export type SelectorMap = { readonly [field: string]: Selector };

/** A value of `data`: a text, a converted value, a record, a list of these, or null without a match. */
export type ExtractedValue = string | number | boolean | null | readonly ExtractedValue[] | ExtractedData;

/** Field names and their values. */
export type ExtractedData = { readonly [field: string]: ExtractedValue };

/** Refers to the component `Selector`, which refers to itself. */
const SelectorRef = Type.Unsafe<Selector>({ $ref: '#/components/schemas/Selector' });

export const SelectorMapSchema = MapOf(SelectorRef, {
  maxProperties: LIMITS.maxSelectorFields,
  description: 'Output field name to selector. At most 100 fields and 64 KiB, nested ones included.',
  examples: [{ title: 'h1', prices: '.price::text::all' }],
});

/** A text that is not empty; the error message of any other value names the expected one. */
const text = (expected: string, options: object) =>
  Type.Optional(Type.String({ minLength: 1, 'x-expected': expected, ...options }));

export const SelectorSchema = Type.Unsafe<Selector>({
  description:
    '`<css>[::text | ::attr(<name>) | ::html][::all]`, or an object with options, which are applied in this order: selector, exclude, json, pattern, type, default, required.',
  'x-expected': 'a selector string such as "h1::text", or an object such as {"selector": "h1"}',
  examples: [
    'h1',
    { selector: '.price', type: 'price', currency: 'EUR', required: true },
    { selector: '.card', all: true, fields: { title: 'h2', url: 'a::attr(href)' } },
  ],
  anyOf: [
    { type: 'string' },
    Type.Object(
      {
        selector: Type.Optional(
          Type.String({
            description:
              'Selects the element; with `all`, every element. It may be left out when `json` reads a JSON document or the record around the field.',
          }),
        ),
        all: Type.Optional(Type.Boolean({ description: 'Every match, as an array. Default false.' })),
        absolute: Type.Optional(
          Type.Boolean({ description: "Resolve href and src against the page's base URL. Default false." }),
        ),
        fields: Type.Optional(SelectorMapSchema),
        whitespace: Type.Optional(
          OneOf(['collapse', 'keep'], {
            description:
              'White space of a text: one space for each run, or unchanged, with line breaks at br and between blocks. Default collapse.',
          }),
        ),
        exclude: text('a CSS selector list such as "sup, .hidden"', {
          description: 'CSS selector list of descendants whose text is left out.',
          examples: ['sup, .visually-hidden'],
        }),
        json: text('a JSONPath such as "$.offers[*].price"', {
          description:
            'JSONPath (RFC 9535, without functions) into the text of the element, the body of a JSON document, or the JSON record around the field. Values keep their JSON type.',
          examples: ['$.offers[*].price'],
        }),
        from: text('the name of one of "capture"', {
          description:
            'Name of a capture: `json` reads its responses instead of the page, all of them in their order.',
          examples: ['offers'],
        }),
        pattern: text('a regular expression such as "(\\d+) left"', {
          description:
            'Regular expression in RE2 syntax, at most 1 KiB: the value is its first group, or the whole match if it has none. It reads the first 64 KiB of the text.',
          examples: ['(\\d+) left'],
        }),
        type: Type.Optional(
          OneOf(FIELD_TYPES, {
            description:
              'Type of the value. A text that does not convert becomes null, with the warning VALUE_NOT_CONVERTED.',
          }),
        ),
        default: Type.Optional(
          Type.Unsafe<ExtractedValue>({
            description: 'Any JSON of at most 4 KiB; replaces null.',
            examples: [0],
          }),
        ),
        required: Type.Optional(
          Type.Boolean({
            description:
              'Without a value, a record of a list is left out, and anything else fails with REQUIRED_FIELD_MISSING. Default false.',
          }),
        ),
        locale: text('a language tag such as "de" or "en-US"', {
          description: 'BCP 47 tag of the language that numbers, prices and dates are written in.',
          examples: ['de'],
        }),
        currency: text('a currency code such as "EUR"', {
          description: 'ISO 4217 code of prices whose text does not name their currency.',
          examples: ['EUR'],
        }),
        format: text('a date pattern such as "dd.MM.yyyy HH:mm"', {
          description: 'Format of the dates; without it, common formats are recognized.',
          examples: ['dd.MM.yyyy HH:mm'],
        }),
        timezone: text('a time zone such as "Europe/Berlin"', {
          description: 'IANA time zone of times that do not name their offset. Default UTC.',
          examples: ['Europe/Berlin'],
        }),
        key: text('the name of one of "fields"', {
          description:
            'Of a list of records: the field that tells them apart when runs are compared. Without it, one is looked for: an id, a URL, a unique text.',
          examples: ['sku'],
        }),
        expect: Type.Optional(
          Type.Object(
            {
              fill: Type.Optional(
                Type.Number({
                  minimum: 0,
                  maximum: 1,
                  description:
                    'Least share of the pages, or of the records around the field, that have a value.',
                }),
              ),
              min: Type.Optional(
                Type.Integer({
                  minimum: 0,
                  description: 'Least number of values or records on a page, on average over the pages.',
                }),
              ),
            },
            {
              additionalProperties: false,
              minProperties: 1,
              'x-expected': 'an object with "fill", "min" or both, such as {"fill": 0.9}',
              description:
                'Bounds of its own: a job in which the field returns less is `partial`, with the warning EXPECTATION_FAILED. For the health of a schedule they replace what was usual. Only pages of the verdict `content` count.',
              examples: [{ fill: 0.9, min: 10 }],
            },
          ),
        ),
      },
      { additionalProperties: false },
    ),
  ],
});

/** `data` of a scrape: one entry per selector. */
export const ExtractedDataSchema = Type.Unsafe<ExtractedData>({
  type: 'object',
  additionalProperties: true,
  description:
    'One entry per key of `selectors`: a string or a value of the requested `type`, null without a match, an array with `::all`, records with `fields`.',
});
