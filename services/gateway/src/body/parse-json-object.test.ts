import { AppError } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { parseJsonObject } from './parse-json-object.ts';

describe('parseJsonObject', () => {
  it.each([
    ['{}', {}],
    [' \n{"a": [1, -2.5e3, true, null, "x\\u00e9"]}\t', { a: [1, -2500, true, null, 'xé'] }],
    ['\uFEFF{"a": "å"}', { a: 'å' }],
  ])('reads %j', async (text, value) => {
    expect(await parseJsonObject(Buffer.from(text))).toEqual(value);
  });

  it('keeps __proto__ as a field of its own and no prototype of anything', async () => {
    const value = await parseJsonObject(Buffer.from('{"__proto__": {"isAdmin": true}}'));
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
  ])('refuses %j and says where', async (text, message) => {
    const parsing = parseJsonObject(Buffer.from(text));
    await expect(parsing).rejects.toMatchObject({ code: 'INVALID_JSON' });
    await expect(parsing).rejects.toThrow(message);
  });

  it.each([
    ['an overlong sequence', [0xc0, 0xaf]],
    ['a lone surrogate', [0xed, 0xa0, 0x80]],
    ['a cut sequence', [0xe2, 0x82]],
    ['Latin-1', [0xe9]],
  ])('refuses %s as not UTF-8', async (_, bytes) => {
    const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')]);
    await expect(parseJsonObject(body)).rejects.toThrow('not valid UTF-8');
  });

  it('takes 64 levels and refuses 65', async () => {
    await expect(parseJsonObject(nested(64))).resolves.toBeDefined();
    await expect(parseJsonObject(nested(65))).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('is not deceived by brackets inside strings', async () => {
    const text = JSON.stringify({ a: `${'['.repeat(200)}\\"${'{'.repeat(200)}` });
    await expect(parseJsonObject(Buffer.from(text))).resolves.toBeDefined();
  });

  it.each(['[', '{"a":', '{"a":['])('survives half a million of %j', async (part) => {
    const body = Buffer.from(part.repeat(500_000));
    await expect(parseJsonObject(body)).rejects.toThrow(AppError);
    const whole = Buffer.from(`{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`);
    await expect(parseJsonObject(whole)).rejects.toThrow('nests too deep');
  });

  it.each([
    ['200,000 values', `{"a":[${'1,'.repeat(200_000)}1]}`, 'holds too many values'],
    ['25,000 fields', `{${'"a":1,'.repeat(25_000)}"b":1}`, 'has too many fields'],
    ['a name of 1024 bytes', `{"${'a'.repeat(1025)}":1}`, 'has a field whose name is too long'],
    ['a text of 384 KiB', `{"a":"${'a'.repeat(384 * 1024 + 1)}"}`, 'holds a text that is too long'],
  ])('takes no more than %s', async (_bound, text, message) => {
    await expect(parseJsonObject(Buffer.from(text))).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining(message),
      details: [{ path: '', message: expect.stringContaining('must have ') }],
    });
  });

  it('takes a hundred thousand URLs', async () => {
    const urls = Array.from({ length: 100_000 }, (_, index) => `https://example.com/${index}`);
    expect(await parseJsonObject(Buffer.from(JSON.stringify({ urls })))).toEqual({ urls });
  });
});

/** An object with levels of arrays in it, `depth` in all, padded past the short cut for small bodies. */
function nested(depth: number): Buffer {
  const inner = '['.repeat(depth - 1) + ']'.repeat(depth - 1);
  return Buffer.from(`{"padding": "${' '.repeat(200)}", "a": ${inner}}`);
}
