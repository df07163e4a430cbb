import { describe, expect, it } from '@jest/globals';
import { Budget } from '../../budget.ts';
import type { Conversion, ConversionOptions } from '../conversion.ts';
import { convertDates, convertDatetimes } from './convert-dates.ts';

function contextOf(language?: string, maxSteps?: number) {
  const budget = new Budget(maxSteps === undefined ? {} : { maxSteps });
  return {
    language: () => language,
    base: () => ({ href: 'https://example.com/', encoding: 'utf-8' }),
    budget,
  };
}

function dates(texts: readonly string[], options: ConversionOptions = {}, language?: string) {
  return convertDates(texts, options, contextOf(language));
}

function dateOf(text: string, options: ConversionOptions = {}, language?: string) {
  return dates([text], options, language)[0];
}

function timeOf(text: string, options: ConversionOptions = {}, language?: string) {
  return convertDatetimes([text], options, contextOf(language))[0];
}

function problemOf(conversion: Conversion | undefined): string | undefined {
  return conversion && 'problem' in conversion ? conversion.problem : undefined;
}

function ambiguityOf(conversion: Conversion | undefined): string | undefined {
  return conversion && 'value' in conversion ? conversion.ambiguity : undefined;
}

describe('convertDates', () => {
  it.each([
    // ISO 8601
    ['2024-05-03', '2024-05-03'],
    ['20240503', '2024-05-03'],
    ['2024-W18-5', '2024-05-03'],
    ['2024W185', '2024-05-03'],
    ['2020-W53-7', '2021-01-03'],
    ['2024-124', '2024-05-03'],
    ['2024-05-03T10:15:00Z', '2024-05-03'],
    ['2024-05-03-07:00', '2024-05-03'],
    ['2024/5/3', '2024-05-03'],
    ['2024. 5. 3.', '2024-05-03'],
    // RFC 2822, HTTP and other protocols
    ['Fri, 03 May 2024 10:15:00 GMT', '2024-05-03'],
    ['Friday, 03-May-24 10:15:00 GMT', '2024-05-03'],
    ['Fri May  3 10:15:00 2024', '2024-05-03'],
    ['[10/Oct/2000:13:55:36 -0700]', '2000-10-10'],
    // Names of months, without a locale
    ['Published: 3 May 2024 by X', '2024-05-03'],
    ['May 3rd, 2024', '2024-05-03'],
    ["3 May '69", '1969-05-03'],
    ['3 May 68', '2068-05-03'],
    ['dimanche 1er février 2015', '2015-02-01'],
    ['24. prosince 2014', '2014-12-24'],
    ['2 Декабрь 95', '1995-12-02'],
    ['2011 წლის 17 მარტი', '2011-03-17'],
    ['Thứ Năm, ngày 8 tháng 1 năm 2015', '2015-01-08'],
    ['٣ مايو ٢٠٢٤', '2024-05-03'],
    ['१७ अक्टूबर २०१८', '2018-10-17'],
    ['יום רביעי, 20 בנובמבר 2013', '2013-11-20'],
    ['2024年5月3日', '2024-05-03'],
    ['2024년 5월 3일 금요일', '2024-05-03'],
    ['令和6年5月3日', '2024-05-03'],
    ['29 กุมภาพันธ์ 2567', '2024-02-29'],
    // Only one order makes a date
    ['25/12/2024', '2024-12-25'],
    ['12/25/2024', '2024-12-25'],
    ['5.5.2024', '2024-05-05'],
    // The weekday decides
    ['Fri 03/05/2024', '2024-05-03'],
    ['Tue 03/05/2024', '2024-03-05'],
    // The first day of a range
    ['3–5 May 2024', '2024-05-03'],
    ['3.-5. Mai 2024', '2024-05-03'],
    ['3. bis 5. Mai 2024', '2024-05-03'],
    ['May 3 to 5, 2024', '2024-05-03'],
    ['3-го мая 2024 года', '2024-05-03'],
    ['May 3-5, 2024', '2024-05-03'],
    ['28 Dec – 3 Jan 2025', '2024-12-28'],
    ['12/05/2024', '2024-12-05', { locale: 'en-US' }],
    ['12/05/2024', '2024-05-12', { locale: 'en-GB' }],
    ['12.05.24', '2024-05-12', { locale: 'de' }],
    ['24/05/12', '2024-05-12', { locale: 'ja' }],
    ['2024-05-12', '2024-05-12', { locale: 'it' }],
    ['5. listopada 2024', '2024-10-05', { locale: 'hr' }],
    ['5. listopad 2024', '2024-11-05', { locale: 'cs' }],
    ['3 May 2024 25:00', '2024-05-03'],
  ])('reads %s as %s', (text: string, expected: string, options: ConversionOptions = {}) => {
    expect(dateOf(text, options)).toEqual({ value: expected });
  });

  it.each(['31 February 2024', '31.02.2024', '29 Feb 2023', '2024-13-01', '13/13/2024', '2021-W53-1'])(
    'names the problem of %s, which does not exist',
    (text) => {
      expect(dateOf(text)).toEqual({ problem: `"${text}" contains a date that does not exist.` });
    },
  );

  it.each([
    '',
    'on request',
    '2024',
    'May 2024',
    '3 May',
    '10:15',
    '555-12-2024',
    '+1 555-123-4567',
    '01 23 45 67 89',
    '01.02.03.04',
    '192.168.1.10',
    '12-34-5678',
    '2024-05-03-1234',
    '$12.05.24',
    '12.05.24 €',
    '1.234.567,89',
    'Version 10.12.24',
    'v10.12.2024',
    'Order 20240503',
    '3 May 24 people',
    '3 May 24:00',
    '3. März 18 Uhr',
    '3 mars 18h',
    'Run 5k May 2024',
    '3 พ.ค. 67',
    '3/5/67 ที่',
  ])('takes no date out of "%s"', (text) => {
    expect(dateOf(text)).toEqual({ problem: `"${text}" contains no complete date.` });
  });

  it('suggests the type number for Unix time', () => {
    expect(problemOf(dateOf('1714731300'))).toContain('type "number"');
    expect(problemOf(dateOf('1714731300123'))).toContain('type "number"');
  });

  it.each(['2 hours ago', 'yesterday', 'in 3 days', 'Posted last week'])(
    'says that "%s" is relative',
    (text) => {
      expect(problemOf(dateOf(text))).toContain('Relative dates are not supported');
    },
  );

  it('refuses years of the Islamic and the Persian calendar', () => {
    expect(problemOf(dateOf('۱۴۰۳/۰۲/۱۴'))).toContain('Islamic or the Persian calendar');
    expect(problemOf(dateOf('1403/02/14', {}, 'fa'))).toContain('Islamic or the Persian calendar');
  });

  describe('with day and month up to 12', () => {
    it('says which other day the text can mean', () => {
      expect(dateOf('03/05/2024')).toEqual({
        value: '2024-05-03',
        ambiguity: '"03/05/2024" was read as 2024-05-03, but it can be 2024-03-05; set "locale" or "format".',
      });
    });

    it.each([
      ['de', '2024-05-03', false],
      ['en-US', '2024-03-05', false],
      ['en-GB', '2024-05-03', false],
      // American or British
      ['en', '2024-03-05', true],
      // These write the year first, and no order of their own ends with it.
      ['ja', '2024-03-05', true],
      ['sv', '2024-05-03', true],
      // Unknown languages
      ['', '2024-05-03', true],
      ['not a tag', '2024-05-03', true],
    ])('in a document of the language "%s", reads %s', (language, expected, isAmbiguous) => {
      const conversion = dateOf('03/05/2024', {}, language);
      expect(conversion).toMatchObject({ value: expected });
      expect(ambiguityOf(conversion) !== undefined).toBe(isAmbiguous);
    });

    it('prefers the locale of the field to the language of the document', () => {
      expect(dateOf('03/05/2024', { locale: 'en-US' }, 'de')).toEqual({ value: '2024-03-05' });
    });

    it('reads all texts of a field in the order that one of them proves', () => {
      expect(dates(['03/05/2024', 'soon', '25/05/2024'])).toMatchObject([
        { value: '2024-05-03' },
        { problem: expect.any(String) },
        { value: '2024-05-25' },
      ]);
      expect(dates(['03/05/2024', '05/25/2024'])).toEqual([{ value: '2024-03-05' }, { value: '2024-05-25' }]);
      expect(dates(['03/05/2024', '05/25/2024'], { locale: 'de' })).toEqual([
        { value: '2024-03-05' },
        { value: '2024-05-25' },
      ]);
    });

    it('warns when the texts of a field prove more than one order', () => {
      const conversions = dates(['03/05/2024', '05/25/2024', '25/05/2024'], { locale: 'de' });
      expect(conversions.map((conversion) => ('value' in conversion ? conversion.value : null))).toEqual([
        '2024-05-03',
        '2024-05-25',
        '2024-05-25',
      ]);
      expect(conversions.map((conversion) => ambiguityOf(conversion) !== undefined)).toEqual([
        true,
        false,
        false,
      ]);
    });

    it('warns of a year of two digits that can be first', () => {
      expect(ambiguityOf(dateOf('24-05-03', { locale: 'de' }))).toBeUndefined();
      expect(ambiguityOf(dateOf('24-05-03'))).toContain('it can be 2024-05-03');
    });
  });

  it('prefers whole names in English to beginnings of names in the language of the document', () => {
    // "Marraskuu" is November.
    expect(dateOf('Mar 5, 2024', {}, 'fi')).toEqual({ value: '2024-03-05' });
    expect(dateOf('5. marras 2024', {}, 'fi')).toEqual({ value: '2024-11-05' });
  });

  it('warns of a month whose name differs between languages', () => {
    expect(ambiguityOf(dateOf('5. listopad 2024'))).toContain('set "locale"');
  });

  it('quotes at most 80 characters', () => {
    const problem = problemOf(dateOf('no date '.repeat(1000))) ?? '';
    expect(problem.slice(1, problem.lastIndexOf('"'))).toHaveLength(80);
  });

  it('looks at the first 64 KiB only', () => {
    expect(dateOf(`${' '.repeat(60_000)}3 May 2024`)).toEqual({ value: '2024-05-03' });
    expect(problemOf(dateOf(`${' '.repeat(66_000)}3 May 2024`))).toContain('no complete date');
  });

  it.each([
    ['numbers', '1,'],
    ['dates that do not end', '1/1/'],
    ['months', 'may 3 - '],
    ['Chinese characters', '年1月'],
    ['Thai characters', 'ก1'],
    ['ligatures', '\ufdfa1'],
  ])('pays for %s out of the budget', (_what, piece) => {
    const text = piece.repeat(65_536 / piece.length);
    expect(() => convertDates([text], {}, contextOf(undefined, 1_000_000))).toThrow('more work');
    expect(() => convertDates([text], {}, contextOf(undefined, 20_000_000))).not.toThrow();
  });
});

describe('convertDatetimes', () => {
  it.each([
    ['2024-05-03T10:15:30Z', '2024-05-03T10:15:30+00:00'],
    ['2024-05-03T10:15:30,5+02:00', '2024-05-03T08:15:30.500+00:00'],
    ['2024-05-03T10:15-05:00', '2024-05-03T15:15:00+00:00'],
    ['2024-05-03T10:15:30−05:00', '2024-05-03T15:15:30+00:00'],
    ['20240503T101530Z', '2024-05-03T10:15:30+00:00'],
    ['20240503T1015+0530', '2024-05-03T04:45:00+00:00'],
    ['2024-W18-5T10:00Z', '2024-05-03T10:00:00+00:00'],
    ['2024-05-03T24:00:00Z', '2024-05-04T00:00:00+00:00'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00+00:00'],
    ['2024-05-03 10:15:30.123456789 +0200', '2024-05-03T08:15:30.123+00:00'],
    ['Fri, 3 May 2024 10:15:00 -0000', '2024-05-03T10:15:00+00:00'],
    ['03 May 2024 10:15 EST', '2024-05-03T15:15:00+00:00'],
    ['Fri May 03 2024 10:15:00 GMT+0200 (CEST)', '2024-05-03T08:15:00+00:00'],
    ['3 May 2024', '2024-05-03T00:00:00+00:00'],
    ['3 May 2024 at 5pm', '2024-05-03T17:00:00+00:00'],
    ['12:30 a.m. on May 3, 2024', '2024-05-03T00:30:00+00:00'],
    ['May 3, 2024 at noon', '2024-05-03T12:00:00+00:00'],
    ['3. Mai 2024 um 18.37 Uhr', '2024-05-03T18:37:00+00:00'],
    ['Am 8. Mai 1945', '1945-05-08T00:00:00+00:00'],
    ['3 mai 2024 à 14h40', '2024-05-03T14:40:00+00:00'],
    ['3 mai 2024 à 5:30 du soir', '2024-05-03T17:30:00+00:00'],
    ['3 mai 2024 10:15 est ouvert', '2024-05-03T10:15:00+00:00'],
    ['2024年5月3日 下午8时5分7秒', '2024-05-03T20:05:07+00:00'],
    ['2024년 5월 3일 오후 8:05', '2024-05-03T20:05:00+00:00'],
    ['2024. 05. 03. du. 8:05', '2024-05-03T20:05:00+00:00', { locale: 'hu' }],
    ['10:15 – 11:00, 3 May 2024', '2024-05-03T10:15:00+00:00'],
    ['3 May 2024 10:15-11:00', '2024-05-03T10:15:00+00:00'],
    ['3 May 2024, 10.50 EUR', '2024-05-03T00:00:00+00:00'],
    ['3 May 2024, 5 h ago', '2024-05-03T00:00:00+00:00'],
    ['2024-5-3 9:5:7', '2024-05-03T09:05:07+00:00'],
    ['2016-08-13 szombat 10:21', '2016-08-13T10:21:00+00:00'],
  ])('reads %s as %s', (text: string, expected: string, options: ConversionOptions = {}) => {
    expect(timeOf(text, options)).toEqual({ value: expected });
  });

  it.each([
    ['a local time', '2024-05-03 10:15', 'Europe/Berlin', '2024-05-03T10:15:00+02:00'],
    ['a time with an offset', '2024-05-03T23:30:00Z', 'Europe/Berlin', '2024-05-04T01:30:00+02:00'],
    ['a date without a time', '2024-01-03', 'America/New_York', '2024-01-03T00:00:00-05:00'],
    ['a time that the clocks skip', '2024-03-31 02:30', 'Europe/Berlin', '2024-03-31T03:30:00+02:00'],
    ['a time that the clocks repeat', '2024-10-27 02:30', 'Europe/Berlin', '2024-10-27T02:30:00+02:00'],
    ['a skipped midnight', '2018-11-04', 'America/Sao_Paulo', '2018-11-04T01:00:00-02:00'],
    [
      'a change of the clocks by half an hour',
      '2024-04-07 01:45',
      'Australia/Lord_Howe',
      '2024-04-07T01:45:00+11:00',
    ],
    ['an offset below an hour', '1960-01-01', 'Africa/Monrovia', '1960-01-01T00:00:00-00:45'],
  ])('writes %s in the zone', (_what, text, timezone, expected) => {
    expect(timeOf(text, { timezone })).toEqual({ value: expected });
  });

  it('names the problem of a time that does not exist', () => {
    expect(timeOf('3 May 2024 25:00')).toEqual({
      problem: '"3 May 2024 25:00" contains a time that does not exist.',
    });
    expect(problemOf(timeOf('2024-05-03T10:61:00Z'))).toContain('does not exist');
  });

  it('warns of the name of a zone that is not read', () => {
    const conversion = timeOf('3 May 2024 10:15 CET', { timezone: 'Europe/Berlin' });
    expect(conversion).toMatchObject({ value: '2024-05-03T10:15:00+02:00' });
    expect(ambiguityOf(conversion)).toContain('"CET"');
    expect(ambiguityOf(timeOf('2024-05-03T10:15:00[Europe/Berlin]'))).toContain('"Europe/Berlin"');
    expect(ambiguityOf(timeOf('2024-05-03T10:15:00+02:00[Europe/Berlin]'))).toBeUndefined();
  });

  it('names the problem of an unknown zone', () => {
    expect(problemOf(timeOf('2024-05-03', { timezone: 'Mars/Olympus' }))).toContain('"Mars/Olympus"');
  });
});

describe('a format', () => {
  it.each([
    ['05/03/2024', 'dd/MM/yyyy', '2024-03-05T00:00:00+00:00'],
    ['Published 03.05.2024 10:15 Uhr', 'dd.MM.yyyy HH:mm', '2024-05-03T10:15:00+00:00'],
    ['20240503101500', 'yyyyMMddHHmmss', '2024-05-03T10:15:00+00:00'],
    ['3. Mai 2024', 'd. MMMM yyyy', '2024-05-03T00:00:00+00:00'],
    ['Fri, May 3 24 5 PM', 'EEE, MMM d yy h a', '2024-05-03T17:00:00+00:00'],
    ['on day 3 of 5, 2024', "'day' d 'of' M, y", '2024-05-03T00:00:00+00:00'],
    ['2024-05-03T10:15:00.120+02:00', "yyyy-MM-dd'T'HH:mm:ss.SSSXXX", '2024-05-03T08:15:00.120+00:00'],
  ])('reads %s with %s', (text, format, expected) => {
    expect(timeOf(text, { format })).toEqual({ value: expected });
  });

  it('switches guessing off', () => {
    expect(timeOf('2024-05-03', { format: 'dd.MM.yyyy' })).toEqual({
      problem: '"2024-05-03" contains no date of the format "dd.MM.yyyy".',
    });
    expect(problemOf(timeOf('1/13/2024', { format: 'd/M/yyyy' }))).toContain('a date that does not exist');
    expect(problemOf(timeOf('123.05.2024', { format: 'd.MM.yyyy' }))).toContain('no date of the format');
  });
});
