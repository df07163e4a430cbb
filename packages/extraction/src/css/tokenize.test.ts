import { describe, expect, it } from '@jest/globals';
import { tokenize } from './tokenize.ts';

function typesOf(input: string): string {
  return tokenize(input)
    .tokens.map(({ type }) => type)
    .join(' ');
}

describe('tokenize', () => {
  it('normalizes line breaks, NUL and lone surrogates before anything else', () => {
    expect(tokenize('a\r\nb\fc\0\ud800').source).toBe('a\nb\nc\uFFFD\uFFFD');
  });

  it.each([
    ['a.b#c', 'ident delim ident hash'],
    ['--x -y -1 -', 'ident whitespace ident whitespace number whitespace delim'],
    ['2n+1 1e3 .5 +1', 'dimension number whitespace number whitespace number whitespace number'],
    ['a~=b|c||d', 'ident match ident delim ident delim delim ident'],
    ['is( [x] {', 'function whitespace open ident shut whitespace open'],
    ['a/* b */c /* d', 'ident ident whitespace'],
    ['"a\nb', 'bad whitespace ident'],
    ['url( x ) url("x")', 'bad whitespace function string shut'],
    ['5% --> <', 'bad whitespace bad whitespace delim'],
  ])('splits %j', (input, types) => {
    expect(typesOf(input)).toBe(types);
  });

  it.each([
    ['\\31 a', '1a'],
    ['\\000031a', '1a'],
    ['\\0', '\uFFFD'],
    ['\\d800 x', '\uFFFDx'],
    ['\\110000 x', '\uFFFDx'],
    ['a\\', 'a\uFFFD'],
    ['\\(\\\u{1F600}', '(\u{1F600}'],
  ])('unescapes %j', (input, value) => {
    expect(tokenize(input).tokens.map((token) => token.value)).toEqual([value]);
  });

  it('pairs each bracket with its own kind, and treats the rest as open to the end', () => {
    const closes = tokenize('([)](').tokens.map(({ close }) => close);
    expect(closes).toEqual([5, 3, undefined, undefined, 5]);
  });
});
