import type { FieldType } from '@gleaner/contracts';
import type { Conversion, ConversionContext, ConversionOptions, Converter, JsonValue } from './conversion.ts';
import { convertDates, convertDatetimes } from './dates/convert-dates.ts';
import { convertJson } from './json.ts';
import { convertIntegers, convertNumbers } from './number.ts';
import { convertPrices } from './price.ts';
import { quote } from './quote.ts';
import { convertUrls } from './url.ts';

/** Type of a field, and everything that its conversion may use. */
export interface Conversions {
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
  const known = values.map((value) => (typeof value === 'string' ? value : rule.fromJson(value, options)));
  const texts = known.filter((value) => typeof value === 'string');
  const converted = rule.convert(texts, options, context).values();
  return known.map((value) => (typeof value === 'string' ? (converted.next().value as Conversion) : value));
}

/** Types that are converted from texts, and from values of JSON. */
interface TypeRule {
  readonly convert: Converter;
  /** Converts a value of JSON that is not a text, or returns the text to convert instead. */
  readonly fromJson: (value: JsonValue, options: ConversionOptions) => Conversion | string;
}

const RULES: ReadonlyMap<FieldType, TypeRule> = new Map<FieldType, TypeRule>([
  ['string', { convert: (texts) => texts.map((value) => ({ value })), fromJson: textOf }],
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

/** Converts numbers of JSON, and no other values than texts. */
function fromNumber(
  convert: (value: number, options: ConversionOptions) => Conversion | string,
): TypeRule['fromJson'] {
  return (value, options) => (typeof value === 'number' ? convert(value, options) : notText(value));
}

function integerOf(value: number): Conversion {
  if (Number.isSafeInteger(value)) return { value };
  return { problem: `${value} is not an integer: use "number".` };
}

function priceOf(amount: number, { currency = null }: { readonly currency?: string | null }): Conversion {
  return { value: { amount, currency } };
}

function notText(value: JsonValue): Conversion {
  return { problem: `${quote(textOf(value))} is not a text.` };
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
