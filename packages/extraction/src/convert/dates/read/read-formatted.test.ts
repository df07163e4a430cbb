import { describe, expect, it } from '@jest/globals';
import { findFormatError } from './read-formatted.ts';

describe('findFormatError', () => {
  it.each([
    'dd.MM.yyyy',
    'd/M/yy',
    'EEEE, d. MMMM yyyy HH:mm',
    "yyyy-MM-dd'T'HH:mm:ss.SSSX",
    'h:mm a, d LLL y',
    "d 'o''clock' M y",
    "d '' M y",
  ])('accepts %s', (format) => {
    expect(findFormatError(format)).toBeUndefined();
  });

  it.each([
    ['', 'has no year'],
    ['dd.MM', 'has no year'],
    ['MM/yyyy', 'has no day'],
    ['yyyy-dd HH:mm', 'has no month'],
    ['YYYY-MM-DD', '"YYYY" is not a field'],
    ['YYYY-MM-DD', 'Write "yyyy-MM-dd".'],
    ['%d.%m.%Y', 'Write "dd.MM.yyyy".'],
    ['%Y-%m-%dT%H:%M:%S', 'Write "yyyy-MM-dd\'T\'HH:mm:ss".'],
    ['dd.MM.yyyy um HH:mm', '"u" is not a field'],
    ['ddd.MM.yyyy', '"ddd" is too long'],
    ['yyyyy-MM-dd', '"yyyyy" is too long'],
    ["dd.MM.yyyy 'um", "a quote (') that is not closed"],
    ['yyyy-MM-dd hh:mm', 'needs "h" and "a" together'],
    ['yyyy-MM-dd HH:mm a', 'needs "h" and "a" together'],
    ['yy yyyy MM dd', 'has the year twice'],
    ['yyyy MM MMM dd', 'has the month twice'],
    [`dd.MM.yyyy${' '.repeat(100)}`, 'longer than 100 characters'],
  ])('explains what is wrong with "%s"', (format, message) => {
    expect(findFormatError(format)).toContain(message);
  });
});
