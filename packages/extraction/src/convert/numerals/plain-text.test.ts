import { describe, expect, it } from '@jest/globals';
import { toPlainText } from './plain-text.ts';

describe('toPlainText', () => {
  it('reads the digits of every numbering system that ICU knows', () => {
    for (const numberingSystem of Intl.supportedValuesOf('numberingSystem')) {
      const format = new Intl.NumberFormat('en', { numberingSystem, useGrouping: false });
      const digits = format.format(9_876_543_210);
      if (!/^\p{Nd}+$/u.test(digits)) continue; // Chinese numerals are words
      expect([numberingSystem, toPlainText(digits)]).toEqual([numberingSystem, '9876543210']);
    }
  });

  it('leaves out marks of direction, and knows the variants of signs, spaces and separators', () => {
    expect(toPlainText('\u200e\u2212\uff11\u202f\u0662\u066c\uff0e\u066b\uffe5')).toBe("-1\u00a02'.\u066b¥");
  });

  it('leaves other characters alone', () => {
    expect(toPlainText('Größe ½ 😀 \ud800')).toBe('Größe ½ 😀 \ud800');
  });
});
