import { describe, expect, it } from '@jest/globals';
import { Budget } from '../budget.ts';
import type { Conversion, ConversionOptions } from './conversion.ts';
import { convertPrices } from './price.ts';

function price(
  text: string,
  options: ConversionOptions = {},
  language?: string,
  currency?: string,
): Conversion | undefined {
  const context = {
    language: () => language,
    currency: () => currency,
    base: () => ({ href: 'https://shop.example/', encoding: 'utf-8' }),
    budget: new Budget(),
  };
  return convertPrices([text], options, context)[0];
}

function paid(amount: number, currency: string | null) {
  return { value: { amount, currency } };
}

describe('convertPrices', () => {
  it.each([
    ['12,50 €', 12.5, 'EUR'],
    ['€12.50', 12.5, 'EUR'],
    ['£5', 5, 'GBP'],
    ['US$ 12.50', 12.5, 'USD'],
    ['US$:12.99', 12.99, 'USD'],
    ['AU $59.95', 59.95, 'AUD'],
    ['EUR1,200.00', 1200, 'EUR'],
    ['100 zar', 100, 'ZAR'],
    ['$ 12 CAD', 12, 'CAD'],
    ['SGD$123', 123, 'SGD'],
    ['S/.500', 500, 'PEN'],
    ['1.299,00 zł/szt.', 1299, 'PLN'],
    ["CHF 1'049,95", 1049.95, 'CHF'],
    ['CHF-5.00', -5, 'CHF'],
    ['-€ 5,00', -5, 'EUR'],
    ['- € 5,00', 5, 'EUR'],
    ['-,99 €', 0.99, 'EUR'],
    ['£..75', 0.75, 'GBP'],
    ['£ ...75', 75, 'GBP'],
    ['1.198,- €', 1198, 'EUR'],
    ['12,000원', 12_000, 'KRW'],
    ['3,500円', 3500, 'JPY'],
    ['Preis (€): 12,99', 12.99, 'EUR'],
  ])('reads %j', (text, amount, currency) => {
    expect(price(text)).toEqual(paid(amount, currency));
  });

  it.each([
    ['2 for £5', 5, 'GBP'],
    ['50% off: 20 €', 20, 'EUR'],
    ['AED 8000 (USD 2179)', 8000, 'AED'],
    ['205,68 € 205.68', 205.68, 'EUR'],
    ['10 € 20 $', 10, 'EUR'],
    ['DKK 100 SEK 120', 100, 'DKK'],
    ['10-20 €', 10, 'EUR'],
    ['From 26 to 50 €', 26, 'EUR'],
    ['35€99', 35.99, 'EUR'],
    ['35€ 99', 35.99, 'EUR'],
    ['35€ 999', 35, 'EUR'],
  ])('finds the price in %j', (text, amount, currency) => {
    expect(price(text)).toEqual(paid(amount, currency));
  });

  it.each(['12', 'TOP 12', '12 kraft'])('finds no currency in %j', (text) => {
    expect(price(text)).toEqual(paid(12, null));
  });

  it.each([
    ['$1,575.81', 'en', 1575.81, 'USD', 'The currency "$" was read as USD'],
    ['$12', 'de', 12, 'USD', 'The currency "$" was read as USD'],
    ['$12', 'es', 12, null, 'The currency "$" is not resolved'],
    ['kr 12', undefined, 12, null, 'The currency "kr" is not resolved'],
    ['¥12', 'en', 12, null, 'The currency "¥" is not resolved'],
    ['Rs. 12', 'en', 12, null, 'The currency "Rs" is not resolved'],
    ['12 руб.', undefined, 12, null, 'The currency "руб" is not resolved'],
  ])('says that %j on a page in %s leaves its currency open', (text, language, amount, currency, doubt) => {
    expect(price(text, {}, language)).toEqual({
      ...paid(amount, currency),
      currencyDoubt: `${doubt}, but several countries use it: set "currency" or "locale" to decide.`,
    });
  });

  it('takes the currency that the page declares, where the text leaves it open', () => {
    expect(price('$12', {}, 'en-US', 'CAD')).toEqual(paid(12, 'CAD'));
    expect(price('12', {}, 'en', 'CAD')).toEqual(paid(12, 'CAD'));
    expect(price('12 €', {}, 'en', 'CAD')).toEqual(paid(12, 'EUR'));
    expect(price('12', { currency: 'EUR' }, 'en', 'CAD')).toEqual(paid(12, 'EUR'));
    expect(price('kr 12', {}, 'sv', 'EUR')).toEqual(paid(12, 'SEK'));
  });

  it.each([
    ['99¢', 'en-US', 0.99, 'USD'],
    ['12.5 ¢', 'en-CA', 0.125, 'CAD'],
    ['99p', 'en-GB', 0.99, 'GBP'],
    ['85c', 'en-AU', 0.85, 'AUD'],
    ['50 cents', 'en-ZA', 0.5, 'ZAR'],
    ['70 коп.', 'ru', 0.7, 'RUB'],
    ['1,50 лв.', 'bg', 1.5, 'BGN'],
  ])('reads %j on a page in %s', (text, language, amount, currency) => {
    expect(price(text, {}, language)).toEqual(paid(amount, currency));
  });

  it.each(['1080p', '480p', '12 p', '99cm'])('takes no unit of %j for hundredths', (text) => {
    expect(price(text)).toEqual(paid(Number.parseInt(text, 10), null));
  });

  it('keeps an amount with too many digits for a number as text', () => {
    expect(price('12345678901234567890 €')).toEqual({
      value: { amount: '12345678901234567890', currency: 'EUR' },
      inexact: '"12345678901234567890 €" is kept as text, because a number would lose some of its digits.',
    });
  });

  it.each([
    ['$12', 'en-AU', 'AUD'],
    ['$12', 'es-MX', 'MXN'],
    ['12 kr', 'sv', 'SEK'],
    ['12 kr.', 'da', 'DKK'],
    ['¥12', 'ja', 'JPY'],
    ['¥12', 'zh', 'CNY'],
    ['12 руб.', 'ru', 'RUB'],
    ['12 руб.', 'ru-BY', 'BYN'],
    ['12 евро', 'ru', 'EUR'],
    ['R12', 'en-ZA', 'ZAR'],
  ])('resolves %j by the country of %s', (text, locale, currency) => {
    expect(price(text, { locale })).toEqual(paid(12, currency));
    expect(price(text, {}, locale)).toEqual(paid(12, currency));
  });

  it('prefers the currency option to the country, and the text to the option', () => {
    expect(price('$12', { currency: 'CAD', locale: 'en-AU' })).toEqual(paid(12, 'CAD'));
    expect(price('12', { currency: 'CAD' })).toEqual(paid(12, 'CAD'));
    expect(price('€12', { currency: 'CAD' })).toEqual(paid(12, 'EUR'));
    expect(price('12 USD', { currency: 'CAD' })).toEqual(paid(12, 'USD'));
  });

  it('says that a symbol does not fit the currency option', () => {
    expect(price('$12', { currency: 'EUR' })).toEqual({
      ...paid(12, null),
      ambiguity: 'The text names its currency "$", which does not stand for EUR: check "currency".',
    });
  });

  it.each([
    ['Free', '"Free" contains no price.'],
    ['50% OFF', '"50% OFF" contains no price.'],
    ['€ 5 Mio.', '"€ 5 Mio." is abbreviated ("Mio"): take it as a string.'],
    ['$5K', '"$5K" is abbreviated ("K"): take it as a string.'],
    ['$.750.30', '"$.750.30" is not converted: the separators between its digits fit no number.'],
  ])('does not convert %j', (text, problem) => {
    expect(price(text)).toEqual({ problem });
  });

  it.each([
    ['1,234 €', 1234],
    ['$119. 95', 119.95],
    ['1.837, 32 €', 1837.32],
    ['(5.00 €)', 5],
    ['£1.2m', 1.2],
  ])('says that %j has another reading', (text, amount) => {
    expect(price(text)).toHaveProperty('value.amount', amount);
    expect(price(text)).toHaveProperty('ambiguity');
  });

  it('doubts three decimals, except in currencies that have them, or where the locale was requested', () => {
    expect(price('1,234 €', {}, 'de')).toEqual({
      ...paid(1.234, 'EUR'),
      ambiguity:
        '"1,234 €" was read as 1.234, but three decimals are rare in prices: set "locale" to decide.',
    });
    expect(price('1.234 KWD', {}, 'en')).toEqual(paid(1.234, 'KWD'));
    expect(price('1,234 €', { locale: 'de' })).toEqual(paid(1.234, 'EUR'));
  });

  it('reads the separators that a locale uses in prices', () => {
    expect(price('€ 1.234', { locale: 'de-AT' })).toEqual(paid(1234, 'EUR'));
    expect(price('1.234 CHF', { locale: 'fr-CH' })).toEqual(paid(1.234, 'CHF'));
  });

  it('takes a symbol that is also a multiple for the symbol where the locale uses it', () => {
    expect(price('5 K', { locale: 'my-MM' })).toEqual(paid(5, 'MMK'));
  });

  it.each([
    ['9'.repeat(1_000_000)],
    ['1,'.repeat(1_000_000)],
    ['$'.repeat(1_000_000)],
    ['1% '.repeat(300_000)],
    ['\u00a0'.repeat(1_000_000)],
    ['USD '.repeat(300_000)],
    [`(${' '.repeat(1_000_000)}`],
  ])('finds a problem in a hostile text', (text) => {
    expect(price(text)).toHaveProperty('problem');
  });

  it('pays for symbols', () => {
    const context = {
      language: () => undefined,
      base: () => ({ href: '', encoding: 'utf-8' }),
      budget: new Budget({ maxSteps: 10_000 }),
    };
    expect(() => convertPrices([`1${'$'.repeat(2000)}`], {}, context)).toThrow(/more work/);
  });
});
