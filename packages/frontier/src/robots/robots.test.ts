import { createRandom } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { compileRobots } from './compile-robots.ts';
import { parseRobots } from './parse-robots.ts';

function isAllowed(robots: string, path: string, product = 'Gleaner'): boolean {
  return compileRobots(parseRobots(robots, product))(new URL(path, 'https://example.com'));
}

describe('parseRobots', () => {
  it.each([
    [
      'its own group before the one for all',
      'user-agent: *\ndisallow: /\nuser-agent: gleaner\nallow: /',
      true,
    ],
    [
      'the group for all where none is its own',
      'user-agent: *\ndisallow: /\nuser-agent: other\nallow: /',
      false,
    ],
    ['no group that is not for it', 'user-agent: other\ndisallow: /', true],
    [
      'all its groups together',
      'user-agent: gleaner\ndisallow: /x\nuser-agent: a\nuser-agent: GLEANER\ndisallow: /p',
      false,
    ],
    ['a group of several names', 'user-agent: other\nuser-agent: gleaner\ndisallow: /', false],
    ['a name with a version', 'user-agent: Gleaner/2.1\ndisallow: /', false],
    ['no longer name', 'user-agent: gleanerbot\ndisallow: /', true],
    [
      'a byte order mark, comments and bare carriage returns',
      '\ufeffuser-agent: * # all\rdisallow: /p # pages',
      false,
    ],
    ['lines without a colon', 'user-agent gleaner\ndisallow /p', false],
    ['an empty disallow as no rule', 'user-agent: *\ndisallow:', true],
    [
      'unknown lines inside a group',
      'user-agent: gleaner\nnoindex: /\nuser-agent: other\ndisallow: /',
      false,
    ],
    ['no HTML', '<!doctype html><title>Not found</title><p>disallow: /', true],
    ['rules before any user-agent as rules for no crawler', 'disallow: /\nuser-agent: *\nallow: /', true],
  ])('reads %s', (_, robots, expected) => {
    expect(isAllowed(robots, '/p')).toBe(expected);
  });

  it('returns the delay of its group and the sitemaps of the whole file', () => {
    const robots =
      'sitemap: https://a.test/one.xml\nuser-agent: *\ncrawl-delay: 0.5\nuser-agent: x\ncrawl-delay: 9\nSitemap: /two.xml';
    expect(parseRobots(robots, 'gleaner')).toEqual({
      rules: [],
      crawlDelayMs: 500,
      sitemaps: ['https://a.test/one.xml', '/two.xml'],
    });
  });

  it.each(['-1', 'soon', '', 'Infinity'])('ignores the delay %j', (delay) => {
    expect(parseRobots(`user-agent: *\ncrawl-delay: ${delay}`, 'gleaner')).not.toHaveProperty('crawlDelayMs');
  });
});

describe('compileRobots', () => {
  const rule = (text: string) => `user-agent: *\n${text}`;

  it.each([
    ['disallow: /a\nallow: /a/b', '/a/b/c', true],
    ['disallow: /a/b\nallow: /a', '/a/b/c', false],
    ['disallow: /a\nallow: /a', '/a', true],
    ['disallow: /', '/robots.txt', true],
    ['disallow: a', '/a', false],
    ['disallow: /a', '/A', true],
    ['disallow: /a*z', '/abcz/more', false],
    ['disallow: /a*z', '/abc', true],
    ['disallow: *.gif$', '/x/y.gif', false],
    ['disallow: *.gif$', '/x/y.gif?z', true],
    ['disallow: /$', '/', false],
    ['disallow: /$', '/a', true],
    ['disallow: /a*a$', '/a', true],
    ['disallow: /*?sort=', '/list?page=1&sort=', true],
    ['disallow: /*?*sort=', '/list?page=1&sort=x', false],
    ['disallow: /*\nallow: /page', '/page', true],
    ['disallow: /page*\nallow: /page', '/page', false],
    ['disallow: /%7Euser', '/~user', false],
    ['disallow: /a%3cd', '/a%3Cd', false],
    ['disallow: /a%2fb', '/a/b', true],
    ['disallow: /ツ', '/%E3%83%84', false],
    ['disallow: /a b', '/a%20b', false],
    ['disallow: /a%2Ab', '/a*b', false],
    ['disallow: /a%2ab', '/a%2Ab', false],
    ['disallow: /a%2Ab', '/axb', true],
    ['disallow: /a*b', '/a*b', false],
    ['disallow: /a%24', '/a$', false],
    ['disallow: /a%24', '/a%24b', false],
    ['disallow: /a%24', '/a', true],
    ['disallow: /a$', '/a$', true],
    ['disallow: /a$$', '/a$', false],
    ['disallow: /a$b', '/a$b', false],
    ['disallow: /a$b', '/a%24b', false],
    ["disallow: /q?a='b'", "/q?a='b'", false],
    ["disallow: /it's", "/it's", false],
    ["disallow: /it's", '/it%27s', false],
    ['disallow: /a"<b>', '/a"<b>', false],
    ['disallow: /a%22%3cb%3e', '/a"<b>', false],
    ['disallow: /a|b^c`d{e}', '/a|b^c`d{e}', false],
    ['disallow: /q?a|b^c`d{e}', '/q?a|b^c`d{e}', false],
    ['disallow: /a%7Cb', '/a|b', false],
    ['disallow: /!&()+,;=:@[]-._~', '/!&()+,;=:@[]-._~', false],
    ['disallow: /100%', '/100%', false],
  ])('decides by %j that %s is allowed: %s', (lines, path, expected) => {
    expect(isAllowed(rule(lines), path)).toBe(expected);
  });

  it('decides as comparing each rule with the path does', () => {
    const random = createRandom(7);
    const word = (length: number) => Array.from({ length }, () => 'ab*/'[random.below(4)]).join('');
    for (let round = 0; round < 2000; round++) {
      const rules = Array.from({ length: 6 }, () => ({
        isAllowed: random.next() < 0.5,
        pattern: `/${word(random.below(5))}`.replace(/\*+/g, '*') + (random.next() < 0.2 ? '$' : ''),
      }));
      const path = `/${word(6).replaceAll('*', 'a')}`;
      const deciding = rules
        .filter(({ pattern }) => toRegExp(pattern).test(path))
        .toSorted(
          (a, b) => b.pattern.length - a.pattern.length || Number(b.isAllowed) - Number(a.isAllowed),
        )[0];
      const expected = deciding?.isAllowed ?? true;
      expect([rules, path, compileRobots({ rules })(new URL(`http://a.test${path}`))]).toEqual([
        rules,
        path,
        expected,
      ]);
    }
  });

  it('takes thousands of hostile rules', () => {
    const hostile = Array.from({ length: 20_000 }, (_, index) => `disallow: /*a*a*a*a*b${index}`).join('\n');
    expect(isAllowed(rule(hostile), `/${'a'.repeat(2000)}`)).toBe(true);
    const nested = Array.from({ length: 3000 }, (_, index) => `disallow: /${'a'.repeat(index)}b`).join('\n');
    expect(isAllowed(rule(nested), `/${'a'.repeat(2000)}`)).toBe(true);
    expect(isAllowed(rule(nested), `/${'a'.repeat(2000)}b`)).toBe(false);
  });
});

function toRegExp(pattern: string): RegExp {
  const body = pattern.replace(/\$$/, '').replaceAll('*', '.*');
  return new RegExp(`^${body}${pattern.endsWith('$') ? '$' : ''}`);
}
