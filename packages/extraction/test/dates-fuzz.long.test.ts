import { createRandom } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { Budget } from '../src/budget.ts';
import { convertDates, convertDatetimes } from '../src/convert/dates/convert-dates.ts';

const TEXTS = 2_000;
const LONGEST = 14;

const PIECES = (
  '1 2 03 05 12 13 29 31 00 99 24 2024 1999 2567 1403 12345678 1714731300 / . - , : – T Z W18 + -0800 +02:00 10:15 25:61 ' +
  '10:15:30.5 am p.m. AM 下午 오후 May mars listopad мая Dez. พ.ค. мая مايو 年 月 日 년 월 일 Fri vendredi 星期五 of de kl. um Uhr h ' +
  "UTC CET (PDT) noon 令和 ' th 3rd € % # $ ( ) \u200f \u0000 ago"
).split(' ');

const LANGUAGES = [
  undefined,
  'en',
  'en-US',
  'de',
  'fr',
  'cs',
  'hu',
  'ja',
  'ko',
  'th',
  'fa',
  'ar',
  'sv',
  'x-y',
];

const WRITTEN_DAY = /^\d{4}-\d\d-\d\d$/;
const WRITTEN_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?[+-]\d\d:\d\d$/;

it('writes days that exist, or names a problem, whatever a text contains', () => {
  const random = createRandom(7);
  for (let number = 0; number < TEXTS; number += 1) {
    const pieces = Array.from({ length: 1 + random.below(LONGEST) }, () => random.pick(PIECES));
    const text = pieces.join(random.pick(['', ' ', ' ', '.']));
    const language = random.pick(LANGUAGES);
    const context = {
      language: () => language,
      base: () => ({ href: '', encoding: 'utf-8' }),
      budget: new Budget(),
    };
    const [date] = convertDates([text], {}, context);
    const [time] = convertDatetimes([text], { timezone: 'Asia/Kolkata' }, context);
    if (date && 'value' in date) {
      const value = String(date.value);
      expect(value).toMatch(WRITTEN_DAY);
      expect(new Date(value).toISOString().slice(0, 10)).toBe(value);
    } else expect(time).toEqual(date);
    if (time && 'value' in time) expect(time.value).toMatch(WRITTEN_TIME);
  }
});
