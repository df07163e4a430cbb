import { describe, expect, it } from '@jest/globals';
import { Budget } from '../budget.ts';
import type { Conversion, ConversionContext, ConversionOptions } from './conversion.ts';
import { convertIntegers, convertNumbers } from './number.ts';

interface Page {
  readonly language?: string;
  readonly budget?: Budget;
}

function contextOf({ language, budget = new Budget() }: Page): ConversionContext {
  return {
    language: () => language,
    base: () => ({ href: 'https://shop.example/', encoding: 'utf-8' }),
    budget,
  };
}

function number(text: string, options: ConversionOptions = {}, page: Page = {}): Conversion | undefined {
  return convertNumbers([text], options, contextOf(page))[0];
}

function numbers(texts: readonly string[], options: ConversionOptions = {}, page: Page = {}) {
  return convertNumbers(texts, options, contextOf(page));
}

function integer(text: string, options: ConversionOptions = {}): Conversion | undefined {
  return convertIntegers([text], options, contextOf({}))[0];
}

describe('convertNumbers', () => {
  it.each([
    ['12', 12],
    ['In stock: 12 pieces of 20', 12],
    ['12 %', 12],
    ['(12)', 12],
    ['12kg', 12],
    ['10-20', 10],
    ['iPhone-15', 15],
    ['0.5', 0.5],
    ['.75', 0.75],
    [',89', 0.89],
    ['v.75', 75],
    ['-,99', 0.99],
    ['3 T-shirts', 3],
    ['0', 0],
    ['-0', 0],
  ])('takes the first number of %j', (text, value) => {
    expect(number(text)).toEqual({ value });
  });

  it.each([
    ['-5', -5],
    ['\u22125.5', -5.5],
    ['+5', 5],
    ['-$5.00', -5],
    ['€-5', -5],
    ['-kr 5', -5],
    ['-EUR 5', -5],
    ['CHF-5', -5],
    ['SKU-5', 5],
    ['\u200e\u22125', -5],
    ['- 5', 5],
  ])('reads the sign of %j', (text, value) => {
    expect(number(text)).toEqual({ value });
  });

  it.each([
    ['1,234.56', 1234.56],
    ['1.234,56', 1234.56],
    ['1,234,567', 1_234_567],
    ['1.234.567', 1_234_567],
    ['12,34,567.8', 1_234_567.8],
    ["1'234.5", 1234.5],
    ['1’234’567', 1_234_567],
    ['1 234 567', 1_234_567],
    ['1 234,50', 1234.5],
    ['1\u202f234', 1234],
    ['1\u00a0234,5', 1234.5],
    ['0.123', 0.123],
    ['0,123', 0.123],
    ['1234,567', 1234.567],
    ['1,5', 1.5],
    ['1.198,-', 1198],
    ['1 2 3', 1],
    ['205,68 205.68', 205.68],
  ])('reads %j, whose text has one reading', (text, value) => {
    expect(number(text)).toEqual({ value });
  });

  it.each([
    ['\u0661\u066c\u0662\u0663\u0664\u066b\u0665', 1234.5],
    ['\u06f1\u06f2\u066b\u06f5', 12.5],
    ['\u0967\u0968,\u0969\u096a,\u096b\u096c\u096d', 1_234_567],
    ['\uff11\uff0c\uff12\uff13\uff14\uff0e\uff15', 1234.5],
    ['\u{1d7d7}\u{1d7d8}', 90],
  ])('reads the digits of %j', (text, value) => {
    expect(number(text)).toEqual({ value });
  });

  it.each([
    ['1e5', 100_000],
    ['1.5E-3', 0.0015],
    ['1.234e+2', 123.4],
    ['5e', 5],
  ])('reads scientific notation: %j', (text, value) => {
    expect(number(text)).toEqual({ value });
  });

  it.each([
    ['on request', '"on request" contains no number.'],
    ['1.2k', '"1.2k" is abbreviated ("k"): take it as a string.'],
    ['5 million', '"5 million" is abbreviated ("million"): take it as a string.'],
    ['3万円', '"3万円" is abbreviated ("万"): take it as a string.'],
    ['4½', '"4½" contains a fraction or a power of ten: take it as a string.'],
    ['1.5 × 10³', '"1.5 × 10³" contains a fraction or a power of ten: take it as a string.'],
    ['15.08.2017', '"15.08.2017" is not converted: the separators between its digits fit no number.'],
    ['1,2,3', '"1,2,3" is not converted: the separators between its digits fit no number.'],
    ['1.234,567.8', '"1.234,567.8" is not converted: the separators between its digits fit no number.'],
  ])('does not convert %j', (text, problem) => {
    expect(number(text)).toEqual({ problem });
  });

  it.each([
    ['9007199254740993', '9007199254740993'],
    ['−12,345,678,901,234,567,890', '-12345678901234567890'],
    ['0.12345678901234567890', '0.12345678901234567890'],
    ['1e400', '1e400'],
    ['1E-400', '1e-400'],
  ])('keeps %j as text, because a number would lose digits', (text, value) => {
    const inexact = `"${text}" is kept as text, because a number would lose some of its digits.`;
    expect(number(text)).toEqual({ value, inexact });
  });

  it.each([
    ['9007199254740992', 2 ** 53],
    ['0.30000000000000004', 0.1 + 0.2],
    ['19.989999999999998', 19.99],
    ['1.50000000000000000000', 1.5],
    ['00000000000000000007', 7],
    ['1e300', 1e300],
    ['12000000000000000000', 12e18],
  ])('reads %j, of which a number keeps all digits', (text, value) => {
    expect(number(text)).toEqual({ value });
  });

  it.each([
    ['− 12,5 %', -12.5],
    ['Change: − 3', -3],
    ['- 4 %', 4],
    ['5 − 3', 5],
  ])('reads the sign of %j', (text, value) => {
    expect(number(text, { locale: 'de' })).toEqual({ value });
  });

  it('knows the abbreviations of the locale', () => {
    expect(number('3 тыс.', { locale: 'ru' })).toHaveProperty('problem');
    expect(number('5 mil', { locale: 'es' })).toHaveProperty('problem');
  });

  it('says that a letter may stand for a multiple', () => {
    expect(number('1.2m')).toEqual({
      value: 1.2,
      ambiguity: '"1.2m" was read as 1.2, but "m" may stand for a multiple: set "pattern" to leave it out.',
    });
    expect(number('20 m²')).toEqual({ value: 20 });
  });

  it('takes one separator before three digits for a group, and says so', () => {
    expect(number('1,234')).toEqual({
      value: 1234,
      ambiguity: '"1,234" was read as 1234, but may be 1.234: set "locale" to decide.',
    });
    expect(number('3.350')).toHaveProperty('value', 3350);
  });

  it('says that a space may stand between two numbers', () => {
    expect(number('Phone 15 128 GB')).toEqual({
      value: 15_128,
      ambiguity:
        '"Phone 15 128 GB" was read as 15128, but may be two numbers: set "locale" or "pattern" to decide.',
    });
    expect(number('10 000', { locale: 'fr' })).toEqual({ value: 10_000 });
  });

  it('reads separators as the locale does', () => {
    expect(number('1.234', { locale: 'de' })).toEqual({ value: 1234 });
    expect(number('1,234', { locale: 'de' })).toEqual({ value: 1.234 });
    expect(number('1,234', { locale: 'en' })).toEqual({ value: 1234 });
    expect(number('1.234', { locale: 'en' })).toEqual({ value: 1.234 });
    expect(number('1.234', { locale: 'pt-BR' })).toEqual({ value: 1234 });
  });

  it('prefers the locale to the language of the page', () => {
    expect(number('1.234', {}, { language: 'de' })).toEqual({ value: 1234 });
    expect(number('1.234', {}, { language: 'de_AT' })).toEqual({ value: 1234 });
    expect(number('1.234', { locale: 'en' }, { language: 'de' })).toEqual({ value: 1.234 });
  });

  it.each(['', 'x', 'English, US', 'de'.repeat(100), 'xx-YY'])('ignores the language %j', (language) => {
    expect(number('1.234', {}, { language })).toHaveProperty('ambiguity');
  });

  it('says that a text contradicts the locale, and reads it as it must be', () => {
    const ambiguity =
      '"1,234.56" was read as 1234.56, but "de" writes numbers in another way: check "locale".';
    expect(number('1,234.56', { locale: 'de' })).toEqual({ value: 1234.56, ambiguity });
    expect(number('1.5', { locale: 'de' })).toHaveProperty('value', 1.5);
    expect(number('1.5', { locale: 'de' })).toHaveProperty('ambiguity');
    expect(number('1,234,567', { locale: 'de' })).toHaveProperty('ambiguity');
  });

  it('does not warn of a page whose language differs from its numbers, if they have one reading', () => {
    expect(number('12.99', {}, { language: 'de' })).toEqual({ value: 12.99 });
    expect(number('1,234.56', {}, { language: 'de' })).toEqual({ value: 1234.56 });
  });

  it('does not take a separator that the locale does not use for its decimal mark', () => {
    expect(number('1.234', { locale: 'fr' })).toHaveProperty('value', 1234);
    expect(number('1.234', { locale: 'fr' })).toHaveProperty('ambiguity');
  });

  it('reads all values of a field in the convention that one of them proves', () => {
    expect(numbers(['12,50', '1.234', '1,234'])).toEqual([
      { value: 12.5 },
      { value: 1234 },
      { value: 1.234 },
    ]);
    expect(numbers(['1,234,567', '1.234'])).toEqual([{ value: 1_234_567 }, { value: 1.234 }]);
    expect(numbers(['1 234 567', '15 128'])).toEqual([{ value: 1_234_567 }, { value: 15_128 }]);
  });

  it('decides nothing by values that contradict each other', () => {
    const [, , third] = numbers(['1.5', '1,5', '1,234']);
    expect(third).toHaveProperty('value', 1234);
    expect(third).toHaveProperty('ambiguity');
  });

  it('prefers other values to the language of the page, and the locale to other values, and says so', () => {
    const ambiguity =
      '"1,234" was read as 1234, but may be 1.234, as other values and the locale disagree: set "locale" to decide.';
    expect(numbers(['1,234.56', '1,234'], {}, { language: 'de' })[1]).toEqual({ value: 1234, ambiguity });
    const [, requested] = numbers(['1,234.56', '1,234'], { locale: 'de' });
    expect(requested).toHaveProperty('value', 1.234);
    expect(requested).toHaveProperty('ambiguity');
  });

  it('keeps the order of the texts', () => {
    expect(numbers(['1', 'none', '3'])).toEqual([
      { value: 1 },
      { problem: '"none" contains no number.' },
      { value: 3 },
    ]);
  });

  it('quotes at most 80 characters', () => {
    const conversion = number('word '.repeat(1000));
    expect(conversion).toHaveProperty(
      'problem',
      `"${`${'word '.repeat(16)}`.slice(0, 79)}…" contains no number.`,
    );
  });

  it.each([
    ['9'.repeat(1_000_000)],
    ['1,'.repeat(1_000_000)],
    ['1,234,'.repeat(200_000)],
    [`1${' 234'.repeat(300_000)}`],
    ['\u00a0'.repeat(1_000_000)],
    ['\u0663'.repeat(1_000_000)],
    [`${' '.repeat(65_536)}12`],
    [`${' '.repeat(65_530)}1234567`],
  ])('finds a problem in a hostile text', (text) => {
    expect(number(text)).toHaveProperty('problem');
  });

  it('pays for what it reads', () => {
    const budget = new Budget({ maxSteps: 1000 });
    expect(() => number('a'.repeat(10_000), {}, { budget })).toThrow(/more work/);
    expect(() => number('\u00a0'.repeat(200), {}, { budget: new Budget({ maxSteps: 1000 }) })).toThrow(
      /more work/,
    );
    expect(number('12', {}, { budget: new Budget({ maxSteps: 200 }) })).toEqual({ value: 12 });
  });
});

describe('convertIntegers', () => {
  it.each([
    ['12', 12],
    ['12.0', 12],
    ['1,234.00', 1234],
    ['1e3', 1000],
    ['-7 items', -7],
  ])('converts %j', (text, value) => {
    expect(integer(text)).toEqual({ value });
  });

  it.each(['12.5', '0.99999999999999999999', '1e-1', 'many'])('does not convert %j', (text) => {
    expect(integer(text)).toHaveProperty('problem');
  });

  it('names the number that is not whole', () => {
    expect(integer('12.5')).toEqual({ problem: '"12.5" is 12.5, which is not an integer: use "number".' });
    expect(integer('1,234', { locale: 'de' })).toHaveProperty('problem');
  });

  it('says which reading it chose', () => {
    expect(integer('1,234')).toHaveProperty('value', 1234);
    expect(integer('1,234')).toHaveProperty('ambiguity');
  });
});
