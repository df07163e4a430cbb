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
    ['hello', 'line 1, column 1 there is "h" where a value should be'],
    ['{', 'line 1, column 2 there is the end where a name in double quotes or "}" should be'],
    ['{a: 1}', 'line 1, column 2 there is "a" where a name in double quotes or "}" should be'],
    ['{"a": tru}', 'line 1, column 7 there is "t" where a value should be'],
    ['{"a": 01}', 'line 1, column 7 there is "0" where a value should be'],
    ['{"a": 1,\n "b" 2}', 'line 2, column 6 there is "2" where ":" should be'],
    ['{"a": 1,}', 'line 1, column 9 there is "}" where a name in double quotes should be'],
    ['{"a": [1 2]}', 'line 1, column 10 there is "2" where "," or a closing bracket should be'],
    ['{"a": [1}', 'line 1, column 9 there is "}" where "," or a closing bracket should be'],
    ['{} {}', 'line 1, column 4 there is "{" where nothing more should be'],
    ['{"a": "line\nbreak"}', 'line 1, column 12 there is "\\n" where an escape for it such as "\\n" or'],
    ['{"a": "\\x"}', 'line 1, column 8 there is "\\\\" where an escape such as'],
    ['{"a": "\\u12"}', 'line 1, column 8 there is "\\\\" where an escape such as'],
    ['{"a\u0000": 1}', 'line 1, column 4 there is "\\u0000" where an escape for it'],
    ['{"a": "b', 'line 1, column 9 there is the end where the closing quote of a string should be'],
    ["{'a': 1}", 'line 1, column 2 there is "\'"'],
    ['{"a": NaN}', 'line 1, column 7 there is "N"'],
    ['\u0000{}', 'line 1, column 1 there is "\\u0000"'],
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
