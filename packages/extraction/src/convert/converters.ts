import type { FieldType } from '@gleaner/contracts';
import { parseUrl } from '../dom/parse-url.ts';
import { readJson } from '../json/read-json.ts';
import { jsonText } from '../json/visit-json.ts';
import {
  type Conversion,
  type ConversionContext,
  type ConversionOptions,
  type Converter,
  type JsonValue,
  quote,
} from './conversion.ts';
import { convertDates, convertDatetimes } from './dates/convert-dates.ts';
import { convertIntegers, convertNumbers } from './number.ts';
import { convertPrices } from './price.ts';

/** Type of a field, and everything that its conversion may use. */
interface Conversions {
  readonly type: FieldType;
  readonly options: ConversionOptions;
  readonly context: ConversionContext;
}

/** Converts all values of a field: texts together, values of JSON one by one; the results have their order. */
export function convertValues(
  values: readonly JsonValue[],
  { type, options, context }: Conversions,
): readonly Conversion[] {
  const rule = RULES.get(type);
  if (!rule) throw new Error(`No texts are converted to the type "${type}".`);
  if (areTexts(values)) return rule.convert(values, options, context);
  const known = values.map((value) =>
    typeof value === 'string' ? value : rule.fromJson(value, options, context),
  );
  const texts = known.filter((value) => typeof value === 'string');
  const converted = rule.convert(texts, options, context).values();
  return known.map((value) => (typeof value === 'string' ? (converted.next().value as Conversion) : value));
}

function areTexts(values: readonly JsonValue[]): values is readonly string[] {
  return values.every((value) => typeof value === 'string');
}

/** Types that are converted from texts, and from values of JSON. */
interface TypeRule {
  readonly convert: Converter;
  /** Converts a value of JSON that is not a text, or returns the text to convert instead. */
  readonly fromJson: (
    value: JsonValue,
    options: ConversionOptions,
    context: ConversionContext,
  ) => Conversion | string;
}

const notText: TypeRule['fromJson'] = (value, _options, { budget }) => ({
  problem: `${quote(jsonText(value, budget))} is not a text.`,
});

/** Parses each text as JSON. */
const convertJson: Converter = (texts, _options, { budget }) =>
  texts.map((text) => {
    const reading = readJson(text, budget);
    if ('problem' in reading) return { problem: `${quote(text)}: ${reading.problem}` };
    const [first] = reading.inexact ?? [];
    if (first === undefined) return { value: reading.value };
    return {
      value: reading.value,
      inexact: `${first} is kept as text, because a number would lose some of its digits.`,
    };
  });

/** Resolves each text as a URL against the base of the page; only http and https count. Equal texts are resolved once. */
export const convertUrls: Converter = (texts, _options, { base, budget }) => {
  const known = new Map<string, Conversion>();
  const resolve = (text: string): Conversion => {
    const url = text.trim() === '' ? null : parseUrl(text, base(), budget);
    if (url?.protocol === 'http:' || url?.protocol === 'https:') return { value: url.href };
    return { problem: `${quote(text)} is not a URL with http or https.` };
  };
  return texts.map((text) => {
    budget.spendReading(text.length);
    const conversion = known.get(text) ?? resolve(text);
    known.set(text, conversion);
    return conversion;
  });
};

const RULES: ReadonlyMap<FieldType, TypeRule> = new Map<FieldType, TypeRule>([
  [
    'string',
    {
      convert: (texts) => texts.map((value) => ({ value })),
      fromJson: (value, _options, { budget }) => jsonText(value, budget),
    },
  ],
  ['number', { convert: convertNumbers, fromJson: fromNumber((value) => ({ value })) }],
  ['integer', { convert: convertIntegers, fromJson: fromNumber(integerOf) }],
  ['price', { convert: convertPrices, fromJson: fromNumber(priceOf) }],
  ['date', { convert: convertDates, fromJson: fromNumber(String) }],
  ['datetime', { convert: convertDatetimes, fromJson: fromNumber(String) }],
  ['json', { convert: convertJson, fromJson: (value) => ({ value }) }],
  ['url', { convert: convertUrls, fromJson: notText }],
]);

/** Returns true if values are converted to the type; the other types read elements. */
export function isConvertible(type: FieldType | null): boolean {
  return type !== null && RULES.has(type);
}

/** Converts numbers of JSON, which were not rounded, and no other values than texts. */
function fromNumber(
  convert: (value: number, options: ConversionOptions, context: ConversionContext) => Conversion | string,
): TypeRule['fromJson'] {
  return (value, options, context) =>
    typeof value === 'number' ? convert(value, options, context) : notText(value, options, context);
}

function integerOf(value: number): Conversion {
  if (Number.isInteger(value)) return { value };
  return { problem: `${value} is not an integer: use "number".` };
}

function priceOf(
  amount: number,
  { currency: option }: ConversionOptions,
  { currency }: ConversionContext,
): Conversion {
  return { value: { amount, currency: option ?? currency?.() ?? null } };
}
