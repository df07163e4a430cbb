import { describe, expect, it } from '@jest/globals';
import { findHeaderErrors } from './find-header-errors.ts';

const errorsOf = (headers: Record<string, string>, hasCookies = false) =>
  findHeaderErrors(headers, { hasCookies }).map(({ path, message }) => `${path} ${message}`);

describe('findHeaderErrors', () => {
  it('accepts ordinary headers', () => {
    expect(
      errorsOf({
        'User-Agent': 'Mozilla/5.0',
        'Accept-Language': 'de-CH, fr;q=0.8',
        Authorization: 'Bearer x.y.z',
        Cookie: 'a=b',
        Referer: 'https://example.com/',
        'X-Latin': 'caf\xe9\ttab',
        'Sec-Fetch-Mode': 'navigate',
        'X-Empty': '',
      }),
    ).toEqual([]);
  });

  it.each([
    'Host',
    'content-length',
    'Transfer-Encoding',
    'Connection',
    'Keep-Alive',
    'Proxy-Authorization',
    'Proxy-Connection',
    'TE',
    'Trailer',
    'Upgrade',
    'Expect',
    'HTTP2-Settings',
  ])('rejects %s, which only the client sets', (name) => {
    expect(errorsOf({ [name]: 'x' })).toEqual([expect.stringContaining('is set by the client itself')]);
  });

  it('rejects __proto__, which objects would drop silently', () => {
    expect(errorsOf(JSON.parse('{"__proto__":"x"}'))).toEqual([
      'headers.__proto__ is not a supported header name',
    ]);
  });

  it('rejects Cookie combined with cookies', () => {
    expect(errorsOf({ cookie: 'a=b' }, true)).toEqual([expect.stringContaining('combined with cookies')]);
  });

  it.each([':authority', ':path', ':method'])('rejects the pseudo-header %s', (name) => {
    expect(errorsOf({ [name]: 'x' })).toEqual([expect.stringContaining('pseudo-header')]);
  });

  it.each(['', 'a b', 'a:b', 'a\r\nb', 'ä', 'a\0', '"a"', 'a(b)'])('rejects the name %j', (name) => {
    expect(errorsOf({ [name]: 'x' })).toEqual([expect.stringContaining('is not a header name')]);
  });

  it.each(['a\r\nX-Injected: 1', 'a\nb', 'a\0b', 'a\x7f', '\x01'])(
    'rejects the control character in %j',
    (value) => {
      expect(errorsOf({ 'X-A': value })).toEqual(['headers.X-A contains a control character in its value']);
    },
  );

  it.each(['€', 'ü — ü', '日本', '😀'])('rejects %j, which is outside Latin-1', (value) => {
    expect(errorsOf({ 'X-A': value })).toEqual([expect.stringContaining('outside Latin-1')]);
  });

  it('rejects a name given twice in different spellings', () => {
    expect(errorsOf({ 'X-A': '1', 'x-a': '2' })).toEqual(['headers.x-a is given twice']);
  });

  it('lists every error, without line breaks in its messages', () => {
    const found = errorsOf({ Host: 'x', 'a\r\nb': 'y', 'X-A': 'z\n' });
    expect(found).toHaveLength(3);
    expect(found.join('')).not.toMatch(/[\r\n]/);
  });
});
