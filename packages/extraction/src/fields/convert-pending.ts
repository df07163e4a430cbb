import type { ExtractedValue, FieldType } from '@gleaner/contracts';
import type { Budget } from '../budget.ts';
import type { Conversion, ConversionOptions, JsonValue } from '../convert/conversion.ts';
import { convertValues } from '../convert/converters.ts';
import { attributeOf, isHtmlElement, type Node } from '../dom/node.ts';
import { languageOf, type ParsedDocument } from '../dom/parse-document.ts';
import { spendJson } from '../json/visit-json.ts';
import { once } from '../once.ts';
import type { FieldSteps } from '../plan/plan.ts';
import { isUnseen, rawText } from '../read/text-of.ts';
import type { ExtractionState, PendingValue, SteppedField } from './extraction-state.ts';

/** Converts the values of each field together, and writes the results to their places. */
export function convertPending(state: ExtractionState): void {
  const { base, budget, run, steps } = state;
  if (steps.pending.size === 0) return;
  const language = once(() => languageOf(run.document));
  const currency = once(() => pageCurrency(run.document, budget));
  for (const [field, values] of steps.pending) {
    const ofField = field.steps as FieldSteps;
    const convert = (given: readonly JsonValue[]): readonly Conversion[] =>
      convertValues(given, {
        type: ofField.type as FieldType,
        options: withLocale(ofField.options, steps.locale),
        context: { base, budget, currency, language },
      });
    const stepped = { field, steps: ofField };
    const conversions = convertWithSpares(values, convert);
    values.forEach(({ write }, index) => {
      writeConversion(stepped, conversions[index] as Conversion, write, state);
    });
  }
}

function withLocale(options: ConversionOptions, locale: string | undefined): ConversionOptions {
  return locale === undefined ? options : { locale, ...options };
}

/** Converts the values, or their spare texts where the conversion fails. */
function convertWithSpares(
  values: readonly PendingValue[],
  convert: (given: readonly JsonValue[]) => readonly Conversion[],
): readonly Conversion[] {
  const converted = convert(values.map(({ value }) => value));
  if (values.every(({ spare }) => spare === undefined)) return converted;
  const conversions = [...converted];
  const failed = values.flatMap(({ spare }, index) => {
    const isFailed = spare !== undefined && 'problem' in (conversions[index] as Conversion);
    return isFailed ? [{ index, spare }] : [];
  });
  const spares = failed.length === 0 ? [] : convert(failed.map(({ spare }) => spare));
  for (const [order, { index }] of failed.entries()) conversions[index] = spares[order] as Conversion;
  return conversions;
}

/** Writes a converted value, or the default or null with a warning for a text that does not convert. */
function writeConversion(
  { field, steps }: SteppedField,
  conversion: Conversion,
  write: (value: ExtractedValue) => void,
  { budget, steps: { warnings } }: ExtractionState,
): void {
  const value = 'problem' in conversion ? null : conversion.value;
  if ('problem' in conversion) warnings.add(field, 'VALUE_NOT_CONVERTED', () => conversion.problem);
  else {
    const { ambiguity, currencyDoubt, inexact } = conversion;
    if (ambiguity !== undefined) warnings.add(field, 'VALUE_AMBIGUOUS', () => ambiguity);
    if (currencyDoubt !== undefined) warnings.add(field, 'CURRENCY_AMBIGUOUS', () => currencyDoubt);
    if (inexact !== undefined) warnings.add(field, 'VALUE_NOT_EXACT', () => inexact);
  }
  const result = value ?? steps.fallback?.value ?? null;
  spendJson(result, budget);
  write(result);
}

/** Properties of `meta` that name the currency of the page's prices. */
const PROPERTIES = new Set(['og:price:currency', 'product:price:currency', 'pricecurrency']);

const PRICE_CURRENCY = /"priceCurrency"\s*:\s*"([A-Za-z]{3})"/g;

/** Returns the currency that a page declares in its metadata and JSON-LD, or undefined if it declares none or several. */
function pageCurrency({ elements }: ParsedDocument, budget: Budget): string | undefined {
  budget.spend(elements.length);
  const codes = new Set<string>();
  for (const element of elements) {
    if (isHtmlElement(element, 'meta')) addMeta(element, codes);
    else if (
      isHtmlElement(element, 'script') &&
      /^\s*application\/ld\+json/i.test(attributeOf(element, 'type') ?? '')
    ) {
      for (const [, code = ''] of rawText(element, isUnseen, budget).matchAll(PRICE_CURRENCY))
        codes.add(code.toUpperCase());
    }
  }
  const [code] = codes;
  return codes.size === 1 ? code : undefined;
}

function addMeta(meta: Node, codes: Set<string>): void {
  const name = attributeOf(meta, 'property') ?? attributeOf(meta, 'itemprop') ?? attributeOf(meta, 'name');
  if (name === undefined || !PROPERTIES.has(name.trim().toLowerCase())) return;
  const code = attributeOf(meta, 'content')?.trim().toUpperCase() ?? '';
  if (/^[A-Z]{3}$/.test(code)) codes.add(code);
}
