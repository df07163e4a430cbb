import { describe, expect, it } from '@jest/globals';
import { compileUrlPattern, findUrlPatternError, type UrlPattern } from './url-pattern.ts';

const matches = (pattern: UrlPattern, url: string) =>
  compileUrlPattern(pattern)(new URL(url, 'https://a.test'));

describe('compileUrlPattern', () => {
  it.each<[UrlPattern, string, boolean]>([
    ['/p/*', '/p/1', true],
    ['/p/*', '/p/1/2', false],
    ['/p/*', '/x/p/1', false],
    ['/p/*', '/p/1?a=/', false],
    ['/books/**', '/books/a/b?c=d', true],
    ['/books/**', '/books', false],
    ['**?*add-to-cart=*', '/shop/x?a=1&add-to-cart=7', true],
    ['/a.b', '/axb', false],
    ['/a?b', '/a?b', true],
    ['/a?b', '/ab', false],
    ['/(x)|[y]', '/(x)|[y]', true],
    ['https://a.test/**', '/x', true],
    ['https://a.test/x', '/x#part', true],
    ['http://*.test/**', 'http://shop.test/x', true],
    ['http://*.test/**', 'http://shop.test.evil/x', false],
    [{ regex: '/page/[0-9]+$' }, '/page/12', true],
    [{ regex: '/page/[0-9]+$' }, '/page/12/x', false],
    [{ regex: '(?i)SALE' }, '/x/sale', true],
  ])('%j and %s: %s', (pattern, url, expected) => {
    expect(matches(pattern, url)).toBe(expected);
  });

  it('takes hostile patterns and URLs', () => {
    expect(matches(`/${'*a'.repeat(300)}b`, `/${'a'.repeat(2000)}`)).toBe(false);
    expect(matches({ regex: '(a+)+$' }, `/${'a'.repeat(2000)}!`)).toBe(false);
  });
});

describe('findUrlPatternError', () => {
  it.each<[UrlPattern, string]>([
    ['p/*', 'begin with "/"'],
    ['', 'begin with "/"'],
    [{ regex: '(?=x)' }, 'no look-around'],
    [{ regex: '(' }, 'not a regular expression'],
    [{ regex: '(a)\\1' }, 'no backreferences'],
  ])('explains %j', (pattern, reason) => {
    expect(findUrlPatternError(pattern)).toContain(reason);
  });

  it.each<UrlPattern>(['/p/*', '**', '*.html', 'https://a.test/**', { regex: 'x' }])(
    'accepts %j',
    (pattern) => {
      expect(findUrlPatternError(pattern)).toBeUndefined();
    },
  );
});
