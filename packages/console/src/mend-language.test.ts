import { describe, expect, it } from '@jest/globals';
import { mendLanguage } from './mend-language.ts';

describe('mendLanguage', () => {
  it.each([
    ['en-US@posix', 'en-US'],
    ['de_DE.UTF-8', 'en-US'],
    ['C', 'en-US'],
    ['', 'en-US'],
    ['pt-BR', 'pt-BR'],
  ])('makes of %s the tag %s', (language, tag) => {
    const navigator = { language };
    mendLanguage(navigator);
    expect(navigator.language).toBe(tag);
    expect(new Intl.NumberFormat(navigator.language).format(1)).toBe('1');
  });
});
