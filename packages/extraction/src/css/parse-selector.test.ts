import { describe, expect, it } from '@jest/globals';
import { parseSelector } from './parse-selector.ts';
import { SelectorError } from './selector.ts';

describe('parseSelector', () => {
  it.each([
    ['', 'empty'],
    ['  /* only */ ', 'empty'],
    ['h2 >', 'after ">"'],
    ['> div', 'cannot begin with ">"'],
    ['a,', 'missing at the end'],
    ['a,,b', 'missing before ","'],
    [',b', 'missing before ","'],
    ['#', 'id is expected after "#"'],
    ['..a', 'class name is expected after "."'],
    ['<h1>', 'cannot begin with "<"'],
    ['#1a', '"#1a" is not a valid id'],
    ['svg|a', 'namespace "svg" is not declared'],
    ['[*]', 'attribute name'],
    ['[href=1]', 'must be in quotes'],
    ['[a="b" s]', 'is not a valid flag'],
    ['[a!=b]', 'is not a comparison operator'],
    ['p:contains(x)', 'CSS cannot search text'],
    ['li:eq(2)', ':nth-child(n)'],
    ['tr:first', ':first-child'],
    ['p:unknown', 'do not support'],
    ['a:nth-child(--n)', 'position'],
    ['a:nth-of-type(1 of b)', 'not expected in :nth-of-type()'],
    [':not()', 'missing at the end'],
    [':has(a:has(b))', 'is not allowed inside :has()'],
    ['p:before b', 'can follow a pseudo-element'],
    ['p:before.x', 'can follow a pseudo-element'],
    [':not(:before)', 'not allowed here'],
    ['a b)', 'is not expected here'],
  ])('rejects %j with the reason: %s', (selector, reason) => {
    expect(() => parseSelector(selector)).toThrow(SelectorError);
    expect(() => parseSelector(selector)).toThrow(reason);
  });

  it('closes open strings, brackets and parentheses at the end of the input, as browsers do', () => {
    expect(parseSelector('a[href="x')).toEqual(parseSelector('a[href="x"]'));
    expect(parseSelector('p:is(a, b:not(.c')).toEqual(parseSelector('p:is(a, b:not(.c))'));
  });

  it('drops invalid selectors only in :is() and :where()', () => {
    expect(parseSelector(':is(a, ::before, [, b)')).toEqual(parseSelector(':is(a)'));
    expect(parseSelector(':is(a, 1, b > , c)')).toEqual(parseSelector(':is(a, c)'));
    expect(() => parseSelector(':not(a, 1)')).toThrow(SelectorError);
  });

  it('parses escapes and comments, and ignores case where CSS does', () => {
    expect(parseSelector('\\64 iv/* x */.\\31 st')).toEqual(parseSelector('div.\\31 st'));
    expect(parseSelector('.x:Not(.y):NTH-CHILD(2N+1)')).toEqual(parseSelector('.x:not(.y):nth-child(odd)'));
  });

  it('keeps the case of non-ASCII letters', () => {
    expect(parseSelector('[data-\u00DC]')).not.toEqual(parseSelector('[data-\u00FC]'));
    expect(() => parseSelector('input:chec\u212Aed')).toThrow(SelectorError);
  });

  it('rejects deeply nested parentheses, even in forgiving lists', () => {
    expect(() => parseSelector(':is('.repeat(20_000))).toThrow('deeper than 64');
    expect(() => parseSelector(':not('.repeat(65))).toThrow('deeper than 64');
  });
});
