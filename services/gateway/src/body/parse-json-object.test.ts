import { AppError } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { parseJsonObject } from './parse-json-object.ts';

describe('parseJsonObject', () => {
  it.each([
    ['{}', {}],
    [' \n{"a": [1, -2.5e3, true, null, "x\\u00e9"]}\t', { a: [1, -2500, true, null, 'xé'] }],
    ['\uFEFF{"a": "å"}', { a: 'å' }],
  ])('reads %j', (text, value) => {
    expect(parseJsonObject(Buffer.from(text))).toEqual(value);
  });

  it('keeps __proto__ as a field of its own and no prototype of anything', () => {
    const value = parseJsonObject(Buffer.from('{"__proto__": {"isAdmin": true}}'));
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(value).not.toHaveProperty('isAdmin');
  });

  it.each([
    ['', 'The request has no body.'],
    ['[]', 'The body is an array, not an object.'],
    ['"x"', 'The body is a string, not an object.'],
    ['null', 'The body is null, not an object.'],
    ['hello', `Unexpected token 'h' in "hello"`],
    ['{', "Expected property name or '}' at line 1, column 2"],
    ['{a: 1}', "Expected property name or '}' at line 1, column 2"],
    ['{"a": tru}', `Unexpected token '}' in "{"a": tru}"`],
    ['{"a": [,]}', `Unexpected token ',' in "{"a": [,]}"`],
    ['{"a": 01}', 'Unexpected number at line 1, column 8'],
    ['{"a": 1,\n "b" 2}', "Expected ':' after property name at line 2, column 6"],
    ['{"a": 1,}', 'Expected double-quoted property name at line 1, column 9'],
    ['{"a": [1 2]}', "Expected ',' or ']' after array element at line 1, column 10"],
    ['{"a": [1}', "Expected ',' or ']' after array element at line 1, column 9"],
    ['{} {}', 'Unexpected non-whitespace character after JSON at line 1, column 4'],
    ['{"a": "line\nbreak"}', 'Bad control character in string literal at line 1, column 12'],
    ['{"a": "\\x"}', 'Bad escaped character at line 1, column 9'],
    ['{"a": "\\u12"}', 'Bad Unicode escape at line 1, column 12'],
    ['{"a\u0000": 1}', 'Bad control character in string literal at line 1, column 4'],
    ['{"a": "b', 'Unterminated string at line 1, column 9'],
    ['{"a":', 'Unexpected end of JSON input'],
    ["{'a': 1}", "Expected property name or '}' at line 1, column 2"],
    ['{"a": NaN}', `Unexpected token 'N' in "{"a": NaN}"`],
    ['\u0000{}', `Unexpected token '\\u0000' in "\\u0000{}"`],
  ])('refuses %j and says where', (text, message) => {
    expect(() => parseJsonObject(Buffer.from(text))).toThrow(
      expect.objectContaining({ code: 'INVALID_JSON' }),
    );
    expect(() => parseJsonObject(Buffer.from(text))).toThrow(message);
  });

  it.each([
    ['an overlong sequence', [0xc0, 0xaf]],
    ['a lone surrogate', [0xed, 0xa0, 0x80]],
    ['a cut sequence', [0xe2, 0x82]],
    ['Latin-1', [0xe9]],
  ])('refuses %s as not UTF-8', (_, bytes) => {
    const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')]);
    expect(() => parseJsonObject(body)).toThrow('not valid UTF-8');
  });

  it('takes 64 levels and refuses 65', () => {
    expect(() => parseJsonObject(nested(64))).not.toThrow();
    expect(() => parseJsonObject(nested(65))).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
  });

  it('is not deceived by brackets inside strings', () => {
    const text = JSON.stringify({ a: `${'['.repeat(200)}\\"${'{'.repeat(200)}` });
    expect(() => parseJsonObject(Buffer.from(text))).not.toThrow();
  });

  it.each(['[', '{"a":', '{"a":['])('survives half a million of %j', (part) => {
    const body = Buffer.from(part.repeat(500_000));
    expect(() => parseJsonObject(body)).toThrow(AppError);
    const whole = Buffer.from(`{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`);
    expect(() => parseJsonObject(whole)).toThrow('nests too deep');
  });
});

/** An object with levels of arrays in it, `depth` in all, padded past the short cut for small bodies. */
function nested(depth: number): Buffer {
  const inner = '['.repeat(depth - 1) + ']'.repeat(depth - 1);
  return Buffer.from(`{"padding": "${' '.repeat(200)}", "a": ${inner}}`);
}
