import { describe, expect, it } from '@jest/globals';
import { comparableUrl, type IgnoredQuery, urlKey } from './url-key.ts';

const keyOf = (url: string, ignored?: IgnoredQuery) => urlKey(new URL(url), ignored);

describe('urlKey', () => {
  it.each([
    ['http://a.test/', 'https://a.test'],
    ['http://a.test:80/', 'https://a.test:443/'],
    ['https://A.test/x', 'https://a.test/x#part'],
    ['https://a.test/%7euser', 'https://a.test/~user'],
    ['https://a.test/%c3%a9', 'https://a.test/é'],
    ['https://a.test/x?b=1&a=2', 'https://a.test/x?a=2&b=1'],
    ['https://a.test/x?a=1&a=1', 'https://a.test/x?a=1'],
    ['https://a.test/x?q=a+b', 'https://a.test/x?q=a%20b'],
    ['https://a.test/x?utm_source=mail&gclid=1', 'https://a.test/x'],
    ['https://a.test/x?', 'https://a.test/x'],
    ['https://a.test/x;jsessionid=0A1B?y=1', 'https://a.test/x?y=1'],
    ['https://a.test/x?PHPSESSID=abc&sid=0123456789abcdef', 'https://a.test/x'],
  ])('is the same for %s and %s', (one, other) => {
    expect(keyOf(one)).toBe(keyOf(other));
  });

  it.each([
    ['https://a.test/x', 'https://a.test/x/'],
    ['https://a.test/x', 'https://a.test/X'],
    ['https://a.test/', 'https://www.a.test/'],
    ['https://a.test/x', 'https://a.test//x'],
    ['https://a.test/', 'https://a.test/index.html'],
    ['https://a.test:8443/', 'https://a.test/'],
    ['http://a.test:443/', 'http://a.test:8080/'],
    ['https://a.test/#!/one', 'https://a.test/#!/two'],
    ['https://a.test/x?a=1&a=2', 'https://a.test/x?a=2&a=1'],
    ['https://a.test/x?ref=a', 'https://a.test/x?ref=b'],
    ['https://a.test/x?sid=7', 'https://a.test/x?sid=8'],
    ['https://a.test/x?a=%26', 'https://a.test/x?a=&'],
    ['https://a.test/a%2Fb', 'https://a.test/a/b'],
  ])('differs for %s and %s', (one, other) => {
    expect(keyOf(one)).not.toBe(keyOf(other));
  });

  it('leaves out the parameters that the crawl ignores', () => {
    expect(keyOf('https://a.test/x?sort=up&page=2', ['sort'])).toBe(keyOf('https://a.test/x?page=2'));
    expect(keyOf('https://a.test/x?f_a=1&f_b=2', ['f_*'])).toBe(keyOf('https://a.test/x'));
    expect(keyOf('https://a.test/x?sort=up', ['sor'])).not.toBe(keyOf('https://a.test/x'));
    expect(keyOf('https://a.test/x?a=1&b=2', true)).toBe(keyOf('https://a.test/x'));
  });

  it.each([
    ['a*c*e', 'abcde', true],
    ['a*c*e', 'abde', false],
    ['a*bc*c', 'abc', false],
    ['a*bc*c', 'abcc', true],
    ['a**', 'a', true],
    ['*', '', true],
    ['a*a', 'a', false],
  ])('compares the pattern %s with the name %s as a whole', (pattern, name, isIgnored) => {
    expect(keyOf(`https://e.example/?${name}=1`, [pattern]) === keyOf('https://e.example/')).toBe(isIgnored);
  });

  it('compares the names of long queries with long patterns in little time', () => {
    const ignored = Array.from({ length: 100 }, (_, index) => `${'*b'.repeat(120)}${index}`);
    const query = Array.from({ length: 4000 }, (_, index) => index.toString(36)).join('&');
    // With patterns that are split for each name, this would take minutes, more than a test may.
    for (let path = 0; path < 60; path += 1) {
      expect(keyOf(`https://e.example/${path}?${query}`, ignored)).not.toBe(keyOf('https://e.example/'));
    }
  });

  it('is the same for a URL and its comparable form', () => {
    const url = 'http://a.test/%7eb/%c3%a9?b=%2f+x&a&utm_x=1#part';
    const comparable = comparableUrl(new URL(url));
    expect(comparable).toBe('https://a.test/~b/%C3%A9?a&b=%2F%20x');
    expect(comparableUrl(new URL(comparable))).toBe(comparable);
    expect(keyOf(url)).toMatch(/^[\w-]{22}$/);
  });
});
