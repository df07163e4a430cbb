import { Type } from 'typebox';
import { LIMITS } from '../limits.ts';
import { MapOf } from '../map-of.ts';

/**
 * Selects data from a page: `<css>[::text | ::attr(<name>) | ::html][::all]`, or a record whose `fields` are scoped to
 * the element. `packages/extraction` checks the grammar.
 */
export type Selector = string | RecordSelector;

/** A selector with options: a list of records (`all`, `fields`), or absolute links (`absolute`). */
export interface RecordSelector {
  selector: string;
  all?: boolean;
  absolute?: boolean;
  fields?: SelectorMap;
}

/** Selectors by the name of the field that they fill. */
export type SelectorMap = { [field: string]: Selector };

/** A value of `data`: a text, a list of texts, a record, a list of records, or null without a match. */
export type ExtractedValue = string | null | readonly ExtractedValue[] | ExtractedData;

/** Field names and their values. */
export type ExtractedData = { readonly [field: string]: ExtractedValue };

/** Refers to the component `Selector`, which refers to itself. */
const SelectorRef = Type.Unsafe<Selector>({ $ref: '#/components/schemas/Selector' });

export const SelectorMapSchema = MapOf(SelectorRef, {
  maxProperties: LIMITS.maxSelectorFields,
  description: 'Output field name to selector. At most 100 fields and 64 KiB, nested ones included.',
  examples: [{ title: 'h1', prices: '.price::text::all' }],
});

export const SelectorSchema = Type.Unsafe<Selector>({
  description: '`<css>[::text | ::attr(<name>) | ::html][::all]`, or an object for lists of records.',
  'x-expected': 'a selector string such as "h1::text", or an object {selector, all, absolute, fields}',
  anyOf: [
    { type: 'string' },
    Type.Object(
      {
        selector: Type.String({
          description: 'Selects the element of the record; with `all`, every element.',
        }),
        all: Type.Optional(Type.Boolean({ description: 'Every match, as an array. Default false.' })),
        absolute: Type.Optional(
          Type.Boolean({ description: "Resolve href and src against the page's base URL. Default false." }),
        ),
        fields: Type.Optional(SelectorMapSchema),
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
    'One entry per key of `selectors`: a string, null without a match, an array with `::all`, records with `fields`.',
});
