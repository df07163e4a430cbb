import { describe, expect, it } from '@jest/globals';
import { findTrap, urlPatterns } from './url-shape.ts';

describe('findTrap', () => {
  it.each([
    [`/${'x'.repeat(2048)}`, 'too long'],
    [`/${'a/b/c/d/e/f/g/'.repeat(3)}`, 'too many segments'],
    ['/en/docs/docs/docs/docs/', 'a repeated segment'],
    ['/x?p=1&p=2&p=3&p=4', 'a repeated parameter'],
    ['/x?a=1&amp;b=2', 'an escaped query'],
  ])('recognizes %.40s as %s', (path, reason) => {
    expect(findTrap(new URL(path, 'https://a.test'))).toBe(reason);
  });

  it.each(['/', '/a/b/a/b/a', '/x?tag=a&tag=b&tag=c', '/2026/11/22/title'])('accepts %s', (path) => {
    expect(findTrap(new URL(path, 'https://a.test'))).toBeUndefined();
  });
});

describe('urlPatterns', () => {
  it.each([
    ['/p/17', '/p/4711'],
    ['/calendar/2026-11', '/calendar/2031-01'],
    ['/a/2026/11/22', '/a/2025/1/2'],
    ['/x?page=1&sort=up', '/x?sort=down&page=200'],
    ['/i/0123456789abcdef', '/i/fedcba9876543210'],
    ['/book-12.html', '/book-7.html'],
  ])('is the same for %s and %s', (one, other) => {
    expect(urlPatterns(new URL(one, 'https://a.test'))).toEqual(
      urlPatterns(new URL(other, 'https://a.test')),
    );
  });

  it('shows the host, the classes and the names of parameters', () => {
    expect(urlPatterns(new URL('https://a.test/p/17/2026-11-22?page=2&a=x&f1=1&f2=1'))).toEqual([
      'a.test/p/{number}/{date}?a&f{number}&page',
      'a.test/p/{number}/{date}?*',
    ]);
  });

  it.each([
    ['/about', '/contact'],
    ['/x', '/x?page=1'],
    ['/facade', '/decade'],
  ])('differs for %s and %s', (one, other) => {
    expect(urlPatterns(new URL(one, 'https://a.test'))).not.toEqual(
      urlPatterns(new URL(other, 'https://a.test')),
    );
  });
});
