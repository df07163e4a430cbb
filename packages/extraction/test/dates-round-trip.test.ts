import { isDeepStrictEqual } from 'node:util';
import { createRandom } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { Budget } from '../src/budget.ts';
import type { Conversion, Converter } from '../src/convert/conversion.ts';
import { convertDates, convertDatetimes } from '../src/convert/dates/convert-dates.ts';

const LOCALES = (
  'en-US en-GB en-CA de de-AT fr fr-CA es es-MX it pt pt-PT nl pl cs sk sl hr sr sr-Latn ru uk be bg ro hu el tr da sv nb ' +
  'fi et lv lt is ca eu gl ka hy he ar ar-EG ar-SY ar-MA fa hi bn ta te gu th vi id ms fil sw ko ja zh zh-Hant'
).split(' ');

const NUMERIC = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;

const DATES: readonly Intl.DateTimeFormatOptions[] = [
  { dateStyle: 'full' },
  { dateStyle: 'long' },
  { dateStyle: 'medium' },
  NUMERIC,
  { year: 'numeric', month: '2-digit', day: '2-digit' },
];

const TIMES: readonly Intl.DateTimeFormatOptions[] = [
  { dateStyle: 'full', timeStyle: 'long' },
  { dateStyle: 'long', timeStyle: 'medium' },
  { dateStyle: 'medium', timeStyle: 'medium' },
  { ...NUMERIC, hour: 'numeric', minute: 'numeric', second: 'numeric', hour12: true },
];

const TEXTS_PER_FORMAT = 12;

describe('dates written by Intl.DateTimeFormat', () => {
  it.each(LOCALES)('are read in the locale %s', (locale) => {
    const moments = momentsOf(LOCALES.indexOf(locale));
    const wrong = [
      ...DATES.flatMap((options) => findWrong(convertDates, locale, options, moments, writeDate)),
      ...TIMES.flatMap((options) => findWrong(convertDatetimes, locale, options, moments, writeTime)),
    ];
    expect(wrong).toEqual([]);
  });
});

function findWrong(
  convert: Converter,
  locale: string,
  options: Intl.DateTimeFormatOptions,
  moments: readonly number[],
  write: (moment: number) => string,
): { text: string; conversion: Conversion | undefined; expected: string }[] {
  const format = new Intl.DateTimeFormat(locale, { ...options, calendar: 'gregory', timeZone: 'UTC' });
  return moments
    .map((moment) => {
      const text = format.format(moment);
      const context = {
        language: () => undefined,
        base: () => ({ href: '', encoding: 'utf-8' }),
        budget: new Budget(),
      };
      return { text, conversion: convert([text], { locale }, context)[0], expected: write(moment) };
    })
    .filter(({ conversion, expected }) => !isDeepStrictEqual(conversion, { value: expected }));
}

function writeDate(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

function writeTime(moment: number): string {
  return new Date(moment).toISOString().replace('.000Z', '+00:00');
}

/** Returns moments of whole seconds between 1970 and 2040, with each month among them. */
function momentsOf(seed: number): number[] {
  const random = createRandom(seed);
  return Array.from({ length: TEXTS_PER_FORMAT }, (_, month) =>
    Date.UTC(
      1970 + random.below(70),
      month,
      1 + random.below(28),
      random.below(24),
      random.below(60),
      random.below(60),
    ),
  );
}
