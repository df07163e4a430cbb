import { describe, expect, it } from '@jest/globals';
import { Budget } from '../budget.ts';
import { readJson } from './read-json.ts';

describe('readJson', () => {
  it.each<[text: string, value: unknown]>([
    ['{"a": [1, "b", null]}', { a: [1, 'b', null] }],
    [' "text" ', 'text'],
    ['\ufeff{"a": 1}', { a: 1 }],
    ['{"url": "https://example.com/*a*/", "b": "a,]"}', { url: 'https://example.com/*a*/', b: 'a,]' }],
    ['{"a": 1, // one\n"b": /* two */ 2}', { a: 1, b: 2 }],
    ['// first\n{"a": 1}// last', { a: 1 }],
    ['<!-- {"a": 1} -->', { a: 1 }],
    ['<!--\n{"a": 1}\n//-->', { a: 1 }],
    ['<!-- note -->{"a": 1}', { a: 1 }],
    ['<!--\n{"a": 1}', { a: 1 }],
    ['<![CDATA[{"a": 1}]]>', { a: 1 }],
    ['//<![CDATA[\n{"a": [[1]]}\n//]]>', { a: [[1]] }],
    ['// <![CDATA[ {"a": 1} // ]]>', { a: 1 }],
    ['/*<![CDATA[*/{"a": 1}/*]]>*/', { a: 1 }],
    ['<!--//--><![CDATA[//><!--\n{"a": 1}\n//--><!]]>', { a: 1 }],
    ['{"a": [1, 2, ], "b": {"c": 3 , /* end */ },}', { a: [1, 2], b: { c: 3 } }],
    ['{"a": 1};', { a: 1 }],
    ['{"a": "one\ntwo\tthree\u0001"}', { a: 'one\ntwo\tthree\u0001' }],
    ['{"a": "\\"\n\\\\"}', { a: '"\n\\' }],
  ])('reads %j', (text, value) => {
    expect(readJson(text, new Budget())).toEqual({ value });
  });

  it.each<[text: string, problem: string]>([
    ['', 'The text is empty, which is not JSON.'],
    ['<!DOCTYPE html>', 'The text is not JSON: Unexpected token'],
    ['{"a": 1', 'The text is not JSON: Expected'],
    ['{"a": 1,, }', 'The text is not JSON, even without its comments: Expected'],
    ['/* only */', 'The text is not JSON, even without its comments: Unexpected end'],
    ['[1;]', 'The text is not JSON'],
    ['{a: 1}', 'The text is not JSON: Expected'],
    [`${'['.repeat(513)}${']'.repeat(513)}`, 'The JSON is nested more than 512 levels deep.'],
    ['['.repeat(100_000), 'The JSON is nested more than 512 levels deep.'],
    ['{"a":'.repeat(100_000), 'The JSON is nested more than 512 levels deep.'],
  ])('explains why it cannot read %#', (text, problem) => {
    expect(readJson(text, new Budget())).toEqual({ problem: expect.stringContaining(problem) });
  });

  it('reads as deep as it promises, and does not count brackets in strings', () => {
    const depth = 512;
    expect(readJson('['.repeat(depth) + ']'.repeat(depth), new Budget())).toHaveProperty('value');
    expect(readJson(`"${'['.repeat(1000)}"`, new Budget())).toEqual({ value: '['.repeat(1000) });
  });

  it('keeps a member named __proto__ as plain data', () => {
    const reading = readJson('{"__proto__": {"polluted": true}, "$set": 1, "": 2}', new Budget());
    expect(reading).toHaveProperty('value');
    const { value } = reading as { value: object };
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":true},"$set":1,"":2}');
    expect(value).not.toHaveProperty('polluted');
  });

  it('pays for objects before it creates them', () => {
    const text = `[${'{},'.repeat(10_000)}0]`;
    expect(() => readJson(text, new Budget({ maxSteps: 500_000 }))).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_CONTENT' }),
    );
  });

  it.each([
    '<!--',
    '/*',
    '//',
    '/*/',
    ', ',
    ',\n',
    '; ',
    '<!-- --> ',
    '-->',
    ']]>',
    '"\\',
    '"\u0001',
    '{"a":"\u0001"},',
    '//<![CDATA[',
  ])('ends on a megabyte of %j, in linear time', (piece) => {
    const run = piece.repeat(1_000_000 / piece.length);
    expect(readJson(`[${run}`, new Budget())).toHaveProperty('problem');
  });

  it.each([
    ['"O\\x27Hara"', "O'Hara"],
    ['"Val\\\'s"', "Val's"],
    ['"\\x22\\x5c\\x0a"', '"\\\n'],
    ['"\\u{1f600} \\v\\0 \\-"', '😀 \u000b\0 -'],
    ['"one\\\ntwo"', 'onetwo'],
    ['"\\u12 \\u{110000}"', '\\u12 \\u{110000}'],
  ])('reads the escapes of JavaScript in %j', (text, value) => {
    expect(readJson(`[${text}, "\\u0041\\n"]`, new Budget())).toMatchObject({ value: [value, 'A\n'] });
  });

  it('replaces halves of characters that a text escapes', () => {
    expect(readJson('["\\ud83d", "\\ud83d\\ude00"]', new Budget())).toMatchObject({
      value: ['\ufffd', '😀'],
    });
  });
});
