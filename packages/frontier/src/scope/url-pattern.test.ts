import type { UrlPattern } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { compileUrlPattern, findUrlPatternError } from './url-pattern.ts';

/** Returns all words of up to so many letters. */
function words(letters: readonly string[], length: number): string[] {
  if (length === 0) return [''];
  const shorter = words(letters, length - 1);
  return [...new Set([...shorter, ...shorter.flatMap((word) => letters.map((letter) => word + letter))])];
}

/** The parts of a URL that a glob for paths does not read. */
const PARTS = { href: '', hash: '', search: '' };

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
    ['/x', '/x', true],
    ['/x', '/x/', false],
    ['**', '/x?y', true],
    ['/a**a', '/a', false],
    ['/a**a', '/aa', true],
    ['*.html', '/a.html', false],
    ['/*.html', '/a.html', true],
    ['**.html', '/a/b.html', true],
    ['**?*add-to-cart=*', '/shop/x?a=1&add-to-cart=7', true],
    ['/a.b', '/axb', false],
    ['/a?b', '/a?b', true],
    ['/a?b', '/ab', false],
    ['/(x)|[y]', '/(x)|[y]', true],
    ['https://a.test/**', '/x', true],
    ['https://a.test/x', '/x#part', true],
    ['http://*.test/**', 'http://shop.test/x', true],
    ['http://*.test/**', 'http://shop.test.evil/x', false],
    ['/größe/*', '/größe/xl', true],
    ['/größe/*', '/gr%c3%b6%C3%9Fe/xl', true],
    ['/gr%c3%b6ße/*', '/größe/xl', true],
    ['/größe/*', '/grosse/xl', false],
    ['**/new arrivals/**', '/shop/new arrivals/1', true],
    ['**/new%20arrivals/**', '/shop/new arrivals/1', true],
    ['/{a}|^"`', '/{a}|^"`', true],
    ["**?q=l'été*", "/x?q=l'été&p=1", true],
    ['/%7Eme', '/~me', true],
    ['/a%2fb', '/a%2Fb', true],
    ['/a/b', '/a%2Fb', false],
    ['/東京*', '/東京都', true],
    ['https://bücher.test/**', 'https://bücher.test/x', true],
    ['https://*.BÜCHER.test:443/*', 'https://shop.bücher.test/x', true],
    ['http://A.test:80/größe', 'http://a.test/größe', true],
    ['https://a.test', 'https://a.test', true],
    ['https://a.test:8443/*', 'https://a.test:8443/x', true],
    [{ regex: '/größe/' }, '/größe/xl', true],
    [{ regex: 'new arrivals$' }, '/new%20arrivals', true],
    [{ regex: '%C3%B6' }, '/größe', true],
    [{ regex: 'é' }, '/%e9', false],
    [{ regex: '/page/[0-9]+$' }, '/page/12', true],
    [{ regex: '/page/[0-9]+$' }, '/page/12/x', false],
    [{ regex: '(?i)SALE' }, '/x/sale', true],
  ])('%j and %s: %s', (pattern, url, expected) => {
    expect(matches(pattern, url)).toBe(expected);
  });

  it('compares globs as the regular expressions that they stand for', () => {
    // Every text of up to five letters, against globs of up to four.
    const texts = words(['a', '/', 'b'], 5);
    for (const glob of words(['a', '/', '*', '**'], 4)) {
      const source = glob.replace(/\*\*+|\*/g, (stars) => (stars === '*' ? '[^/]*' : '.*'));
      const regex = new RegExp(`^/${source}$`);
      const compiled = compileUrlPattern(`/${glob}`);
      const wrong = texts.filter(
        (text) => compiled({ ...PARTS, pathname: `/${text}` } as URL) !== regex.test(`/${text}`),
      );
      expect([glob, wrong]).toEqual([glob, []]);
    }
  });

  it('takes hostile patterns and URLs', () => {
    expect(matches(`/${'*a'.repeat(300)}b`, `/${'a'.repeat(2000)}`)).toBe(false);
    expect(matches({ regex: '(a+)+$' }, `/${'a'.repeat(2000)}!`)).toBe(false);
  });

  it('compiles a pattern once, however often it is needed', () => {
    const regex = `(?i)${'[a-\\x{ffff}]'.repeat(60)}`;
    const compile = (times: number) => {
      const before = process.cpuUsage();
      for (let time = 0; time < times; time++) compileUrlPattern({ regex });
      return process.cpuUsage(before).user;
    };
    const first = compile(1);
    expect(compile(100)).toBeLessThan(10 * first);
  });
});

describe('findUrlPatternError', () => {
  it.each<[UrlPattern, string]>([
    ['p/*', 'write "/p/*" to compare the path from its beginning, or "**p/*" for any beginning'],
    ['shop.example/p/*', 'write "https://shop.example/p/*"'],
    ['bücher.example/p/*', 'write "https://bücher.example/p/*"'],
    ['', 'write "/"'],
    [{ regex: '(?=x)' }, 'no look-around'],
    [{ regex: '(?!x)' }, 'put what must not match into exclude'],
    [{ regex: '(' }, 'syntax: missing closing )'],
    [{ regex: 'a++' }, 'no possessive quantifiers'],
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
