import { type Conversion, type Converter, quote } from './conversion.ts';
import { findNumbers } from './numerals/numeral.ts';
import { type Amount, fieldConventions, fieldLocale, readAmount, readSource } from './read-amount.ts';

/**
 * Converts the first number of each text, with its sign. The separators are those of the `locale`, else those that other
 * values of the field prove, else those of the page's language, else what the text itself suggests.
 */
export const convertNumbers: Converter = (texts, options, context) =>
  readAmounts(texts, options, context).map((amount) => ('problem' in amount ? amount : converted(amount)));

/** Converts the first number of each text if it is whole: `12.0` is 12, and `12.5` is a problem. */
export const convertIntegers: Converter = (texts, options, context) =>
  readAmounts(texts, options, context).map((amount, order) => {
    if ('problem' in amount) return amount;
    if (amount.isInteger) return converted(amount);
    return {
      problem: `${quote(texts[order] ?? '')} is ${amount.value}, which is not an integer: use "number".`,
    };
  });

function readAmounts(...[texts, options, context]: Parameters<Converter>): readonly Amount[] {
  const sources = texts.map((text) => readSource(text, context));
  const numbers = sources.map(({ plain }) => findNumbers(plain).next().value ?? undefined);
  const field = fieldConventions(numbers, 'decimal', fieldLocale(options, context));
  return sources.map((source, order) => readAmount(source, numbers[order], field));
}

function converted({ value, ambiguity, inexact }: Exclude<Amount, { problem: string }>): Conversion {
  return { value, ...(ambiguity !== undefined && { ambiguity }), ...(inexact !== undefined && { inexact }) };
}
