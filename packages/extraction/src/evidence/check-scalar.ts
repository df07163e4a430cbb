import type { Budget } from '../budget.ts';
import type { ConversionContext, JsonValue } from '../convert/conversion.ts';
import { convertValues } from '../convert/converters.ts';
import { findNumbers } from '../convert/numerals/numeral.ts';
import type { PageEvidence } from './page-evidence.ts';
import type { ScalarShape } from './shape.ts';
import { type Range, TextIndex } from './text-index.ts';

/** Relation of a value to the page: a part of its text, made by our converters of one, or neither. */
export type EvidenceStatus = 'verbatim' | 'converted' | 'missing';

/** A value that a page shows. */
export interface Shown {
  readonly value: JsonValue;
  readonly status: EvidenceStatus;
}

/** Page and language for the comparison of values. */
export interface ScalarContext {
  readonly evidence: PageEvidence;
  readonly locale: string | undefined;
  readonly budget: Budget;
}

type Check = (value: unknown, quote: string, shape: ScalarShape, context: ScalarContext) => Shown | undefined;

/** Returns the value as a quote of the page shows it; undefined if it does not. */
export function checkScalar(
  value: unknown,
  quote: string,
  shape: ScalarShape,
  context: ScalarContext,
): Shown | undefined {
  return CHECKS[shape.type](value, quote, shape, context);
}

const checkNumber: Check = (value, quote, { type }, context) => {
  const wanted = typeof value === 'string' ? Number(value) : value;
  if (typeof wanted !== 'number' || !Number.isFinite(wanted)) return undefined;
  if (type === 'integer' && !Number.isInteger(wanted)) return undefined;
  const texts = numbersIn(quote, context.budget);
  const isEqual = convert(texts, 'number', context).some((each) => Number(each) === wanted);
  if (!isEqual) return undefined;
  const isVerbatim = new TextIndex(quote, context.budget).find(String(wanted)).length > 0;
  return { value: wanted, status: isVerbatim ? 'verbatim' : 'converted' };
};

const checkString: Check = (value, quote, shape, context) => {
  if (typeof value !== 'string' || (shape.choices && !shape.choices.includes(value))) return undefined;
  const dated = checkDate(value, quote, shape, context);
  if (dated) return dated;
  const place = partOf(quote, value, context.budget);
  if (!place) return undefined;
  // The page's own form, which may differ in white space and marks.
  return { value: shape.choices ? value : quote.slice(place.from, place.to), status: 'verbatim' };
};

function partOf(quote: string, value: string, budget: Budget): Range | undefined {
  return new TextIndex(quote, budget).find(value)[0];
}

const DATE_TYPES = { date: 'date', 'date-time': 'datetime', uri: undefined } as const;

/** Finds a date that the quote writes in another form. */
function checkDate(
  value: string,
  quote: string,
  { format }: ScalarShape,
  context: ScalarContext,
): Shown | undefined {
  const type = format && DATE_TYPES[format];
  if (!type) return undefined;
  const time = Date.parse(value);
  const isEqual = convert([quote], type, context).some(
    (each) =>
      each === value || (type === 'datetime' && !Number.isNaN(time) && Date.parse(String(each)) === time),
  );
  return isEqual ? { value, status: quote === value ? 'verbatim' : 'converted' } : undefined;
}

const CHECKS: Readonly<Record<ScalarShape['type'], Check>> = {
  number: checkNumber,
  integer: checkNumber,
  string: checkString,
  boolean: () => undefined,
};

/** Numbers of one quote that are looked at. */
const MAX_NUMBERS = 20;

/** Returns each number of a text with the sign and currency before it, so that each is the first of its text. */
function numbersIn(text: string, budget: Budget): readonly string[] {
  const texts: string[] = [];
  let from = 0;
  budget.spendReading(8 * text.length);
  for (const { end } of findNumbers(text)) {
    texts.push(text.slice(from, end + 2));
    from = end;
    if (texts.length === MAX_NUMBERS) break;
  }
  return texts;
}

function convert(
  texts: readonly string[],
  type: 'number' | 'date' | 'datetime',
  { evidence, locale, budget }: ScalarContext,
): readonly JsonValue[] {
  const context: ConversionContext = {
    language: () => evidence.language,
    base: () => ({ href: evidence.base, encoding: 'utf-8' }),
    budget,
  };
  const options = locale === undefined ? {} : { locale };
  // One by one: how another value is written says nothing of this one.
  return texts.flatMap((text) =>
    convertValues([text], { type, options, context }).flatMap((each) =>
      'value' in each ? [each.value] : [],
    ),
  );
}
