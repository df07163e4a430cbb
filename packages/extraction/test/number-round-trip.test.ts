import { createRandom } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { Budget } from '../src/budget.ts';
import type { Conversion, JsonValue } from '../src/convert/conversion.ts';
import { convertNumbers } from '../src/convert/number.ts';
import { convertPrices } from '../src/convert/price.ts';

/** Locales with all kinds of separators, digits, signs and places of the currency, each with its currency. */
const CURRENCY_BY_LOCALE = {
  'en-US': 'USD',
  'en-GB': 'GBP',
  'en-IN': 'INR',
  'en-ZA': 'ZAR',
  'en-AU': 'AUD',
  'de-DE': 'EUR',
  'de-AT': 'EUR',
  'de-CH': 'CHF',
  'fr-FR': 'EUR',
  'fr-CH': 'CHF',
  'fr-CA': 'CAD',
  'es-ES': 'EUR',
  'es-MX': 'MXN',
  'it-IT': 'EUR',
  'pt-BR': 'BRL',
  'pt-PT': 'EUR',
  'nl-NL': 'EUR',
  'sv-SE': 'SEK',
  'da-DK': 'DKK',
  'nb-NO': 'NOK',
  'fi-FI': 'EUR',
  'is-IS': 'ISK',
  'pl-PL': 'PLN',
  'cs-CZ': 'CZK',
  'hu-HU': 'HUF',
  'ro-RO': 'RON',
  'bg-BG': 'EUR',
  'lt-LT': 'EUR',
  'ru-RU': 'RUB',
  'uk-UA': 'UAH',
  'tr-TR': 'TRY',
  'el-GR': 'EUR',
  'he-IL': 'ILS',
  'ar-EG': 'EGP',
  'fa-IR': 'IRR',
  'hi-IN': 'INR',
  'bn-BD': 'BDT',
  'th-TH': 'THB',
  'vi-VN': 'VND',
  'id-ID': 'IDR',
  'ja-JP': 'JPY',
  'ko-KR': 'KRW',
  'zh-CN': 'CNY',
  'zh-TW': 'TWD',
  'my-MM': 'MMK',
  'gsw-CH': 'CHF',
  'ccp-BD': 'BDT',
};

const VALUES_PER_LOCALE = 25;

describe.each(Object.entries(CURRENCY_BY_LOCALE))(
  'what Intl.NumberFormat writes in %s',
  (locale, currency) => {
    const random = createRandom(locale.length + locale.charCodeAt(0) * 1000 + locale.charCodeAt(3));
    const context = {
      language: () => undefined,
      base: () => ({ href: '', encoding: 'utf-8' }),
      budget: new Budget(),
    };

    function values(decimals: number): number[] {
      return Array.from({ length: VALUES_PER_LOCALE }, () => {
        const value = (random.below(10 ** 9) - 3 * 10 ** 8) / 10 ** random.below(9);
        return Number(value.toFixed(decimals)) || 0;
      });
    }

    it('is read as the same number', () => {
      const expected = values(4);
      for (const useGrouping of ['auto', 'always', false] as const) {
        const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 4, useGrouping });
        const texts = expected.map((value) => format.format(value));
        expect(convertNumbers(texts, { locale }, context)).toEqual(expected.map((value) => ({ value })));
      }
    });

    it.each(['symbol', 'narrowSymbol', 'code', 'name'] as const)(
      'is read as the same price, by %s',
      (currencyDisplay) => {
        for (const code of currencyDisplay === 'narrowSymbol' ? [currency] : [currency, 'EUR']) {
          const format = new Intl.NumberFormat(locale, {
            style: 'currency',
            currency: code,
            currencyDisplay,
          });
          const expected = values(format.resolvedOptions().maximumFractionDigits ?? 0);
          const texts = expected.map((value) => format.format(value));
          expect(convertPrices(texts, { locale }, context)).toEqual(
            expected.map((amount) => ({ value: { amount, currency: code } })),
          );
        }
      },
    );

    it('is read as the same number, or called ambiguous, without the locale', () => {
      const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 });
      const price = new Intl.NumberFormat(locale, { style: 'currency', currency });
      const decimals = price.resolvedOptions().maximumFractionDigits ?? 0;
      const numbers = values(4);
      const read = numbers.map((value) => convertNumbers([format.format(value)], {}, context)[0]);
      expect(read.filter(isSure).length).toBeGreaterThan(VALUES_PER_LOCALE / 2);
      for (const [order, conversion] of read.entries()) {
        if (isSure(conversion)) expect(conversion.value).toBe(numbers[order]);
      }
      for (const amount of values(decimals)) {
        const [conversion] = convertPrices([price.format(amount)], {}, context);
        if (!isSure(conversion)) continue;
        expect(conversion.value).toHaveProperty('amount', amount);
        if (conversion.currencyDoubt !== undefined) continue;
        expect([null, currency]).toContainEqual((conversion.value as { currency: unknown }).currency);
      }
    });
  },
);

/** Returns true for a value that is not called ambiguous. */
function isSure(conversion: Conversion | undefined): conversion is Extract<Conversion, { value: JsonValue }> {
  return conversion !== undefined && 'value' in conversion && conversion.ambiguity === undefined;
}
