import { cutText } from '@gleaner/contracts';
import type { Budget } from '../budget.ts';
import type { BaseUrl } from '../dom/parse-url.ts';
import type { JsonValue } from '../json/visit-json.ts';

export type { JsonValue };

/** Result of converting one text: a value, or a sentence that explains why there is none. */
export type Conversion =
  | {
      readonly value: JsonValue;
      /** A sentence that explains the guess, when the text has more than one reading. */
      readonly ambiguity?: string;
      /** A sentence about a currency that the text leaves open. */
      readonly currencyDoubt?: string;
      /** A sentence about a number that is kept as text, since JavaScript would round it. */
      readonly inexact?: string;
    }
  | { readonly problem: string };

/** Options of a field that change how its texts are read. Plain data, validated with the plan. */
export interface ConversionOptions {
  /** BCP 47 tag, such as `de` or `en-US`: of the field, else of the request. */
  readonly locale?: string;
  /** ISO 4217 code of prices whose text does not name their currency with certainty. */
  readonly currency?: string;
  /** Pattern of dates in Unicode's letters, such as `dd.MM.yyyy HH:mm`. */
  readonly format?: string;
  /** IANA time zone of times without an offset; UTC by default. */
  readonly timezone?: string;
}

/** Properties of the document that a converter may use besides the text. */
export interface ConversionContext {
  /** Returns the language of the document (BCP 47), or undefined when it names none. */
  readonly language: () => string | undefined;
  /** Returns the base of relative URLs. */
  readonly base: () => BaseUrl;
  /** Returns the currency that the page itself declares for its prices, if it declares a single one. */
  readonly currency?: () => string | undefined;
  readonly budget: Budget;
}

/**
 * Converts all texts of a field on one page, so that one reading can hold for all of them; the results have the order of
 * the texts.
 */
export type Converter = (
  texts: readonly string[],
  options: ConversionOptions,
  context: ConversionContext,
) => readonly Conversion[];

const MAX_QUOTED_CHARS = 80;

/** Returns a text of a page in quotation marks for a sentence: on one line, cut at 80 characters. */
export function quote(text: string): string {
  const line = text
    .slice(0, 4 * MAX_QUOTED_CHARS)
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= MAX_QUOTED_CHARS) return `"${line.toWellFormed()}"`;
  return `"${cutText(line, MAX_QUOTED_CHARS - 1).toWellFormed()}…"`;
}
