import { describe, expect, it } from '@jest/globals';
import { findHeaderFaults } from './find-header-faults.ts';

const faults = (headers: Record<string, string>, hasCookies = false) =>
  findHeaderFaults(headers, { hasCookies }).map(({ path, message }) => `${path} ${message}`);

describe('findHeaderFaults', () => {
  it('lets ordinary headers pass', () => {
    expect(
      faults({
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
  ])('refuses %s, which is not the caller’s to set', (name) => {
    expect(faults({ [name]: 'x' })).toEqual([expect.stringContaining('is set by the client itself')]);
  });

  it('refuses a name that objects lose, rather than leave it out unsaid', () => {
    expect(faults(JSON.parse('{"__proto__":"x"}'))).toEqual([
      'headers.__proto__ is a name that would get lost on the way',
    ]);
  });

  it('refuses Cookie beside cookies', () => {
    expect(faults({ cookie: 'a=b' }, true)).toEqual([expect.stringContaining('beside cookies')]);
  });

  it.each([':authority', ':path', ':method'])('refuses the pseudo-header %s', (name) => {
    expect(faults({ [name]: 'x' })).toEqual([expect.stringContaining('pseudo-header')]);
  });

  it.each(['', 'a b', 'a:b', 'a\r\nb', 'ä', 'a\0', '"a"', 'a(b)'])('refuses the name %j', (name) => {
    expect(faults({ [name]: 'x' })).toEqual([expect.stringContaining('is not a header name')]);
  });

  it.each(['a\r\nX-Injected: 1', 'a\nb', 'a\0b', 'a\x7f', '\x01'])(
    'refuses the control character in %j',
    (value) => {
      expect(faults({ 'X-A': value })).toEqual(['headers.X-A has a control character in its value']);
    },
  );

  it.each(['€', 'ü — ü', '日本', '😀'])('refuses %j, which is outside Latin-1', (value) => {
    expect(faults({ 'X-A': value })).toEqual([expect.stringContaining('outside Latin-1')]);
  });

  it('refuses a name that is given twice in different spellings', () => {
    expect(faults({ 'X-A': '1', 'x-a': '2' })).toEqual(['headers.x-a is given twice']);
  });

  it('lists every fault, and keeps line breaks out of its own words', () => {
    const found = faults({ Host: 'x', 'a\r\nb': 'y', 'X-A': 'z\n' });
    expect(found).toHaveLength(3);
    expect(found.join('')).not.toMatch(/[\r\n]/);
  });
});
