import { planSelectors } from '@gleaner/extraction';
import { describe, expect, it } from '@jest/globals';
import { escapeName, quoteValue } from './tokens-of.ts';

describe('escapeName', () => {
  it.each([
    ['a', 'a'],
    ['-', '\\-'],
    ['--x', '--x'],
    ['1a', '\\31 a'],
    ['-1a', '-\\31 a'],
    ['md:flex', 'md\\:flex'],
    ['w-1/2', 'w-1\\/2'],
    ['a\u0000\u0001', 'a\uFFFD\\1 '],
    ['é💡', 'é💡'],
  ])('escapes %j as CSS.escape does', (name, escaped) => {
    expect(escapeName(name)).toBe(escaped);
  });

  it('quotes values', () => {
    expect(quoteValue('a"b\\c\nd')).toBe('"a\\"b\\\\c\\a d"');
    expect(() => planSelectors({ a: `[x=${quoteValue('"] a\n\\')}]` })).not.toThrow();
  });
});
