import type { Cookie } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { createCookieJar } from './create-cookie-jar.ts';

const TARGET = new URL('https://shop.example.com/cart/');

function sent(cookie: Partial<Cookie>, url: string, target = TARGET): string {
  return createCookieJar([{ name: 'a', value: '1', ...cookie }], target).headerFor(new URL(url));
}

describe('createCookieJar', () => {
  it.each([
    ['the target', {}, 'https://shop.example.com/', 'a=1'],
    ['the host of the target over http', {}, 'http://shop.example.com/', ''],
    ['the host of the target on another port', {}, 'https://shop.example.com:8443/', ''],
    ['a host below, without a domain', {}, 'https://www.shop.example.com/', ''],
    ['the parent, without a domain', {}, 'https://example.com/', ''],
    ['a host below its domain', { domain: 'example.com' }, 'https://www.example.com/', 'a=1'],
    ['its domain with a dot', { domain: '.example.com' }, 'https://example.com/', 'a=1'],
    ['a name that only ends like its domain', { domain: 'example.com' }, 'https://badexample.com/', ''],
    ['another domain that it names', { domain: 'other.example' }, 'https://other.example/', 'a=1'],
    [
      'the target, when it names another domain',
      { domain: 'other.example' },
      'https://shop.example.com/',
      '',
    ],
    ['its path', { path: '/cart' }, 'https://shop.example.com/cart/1', 'a=1'],
    ['outside its path', { path: '/cart' }, 'https://shop.example.com/cartoon', ''],
    ['https when secure', { secure: true }, 'https://shop.example.com/', 'a=1'],
    ['http when secure', { secure: true }, 'http://shop.example.com/', ''],
    ['the target before it expires', { expires: 4_102_444_800 }, 'https://shop.example.com/', 'a=1'],
    ['the target after it expired', { expires: 1 }, 'https://shop.example.com/', ''],
    ['the target after its date', { expires: '2001-01-01T00:00:00Z' }, 'https://shop.example.com/', ''],
    [
      'the target, with a prefix that it keeps',
      { name: '__Host-a', secure: true },
      'https://shop.example.com/',
      '__Host-a=1',
    ],
    ['an address that it names', { domain: '192.0.2.1' }, 'http://192.0.2.1:8080/', 'a=1'],
    [
      'an address that it names in another spelling',
      { domain: '.192.0.513' },
      'http://192.0.2.1:8080/',
      'a=1',
    ],
    ['an IPv6 address that it names', { domain: '2001:db8::1' }, 'http://[2001:db8::1]:8080/', 'a=1'],
    ['an address, when it names a host', { domain: 'example.com' }, 'http://192.0.2.1/', ''],
    ['the target for the session', { expires: -1 }, 'https://shop.example.com/', 'a=1'],
    [
      'the target though httpOnly',
      { httpOnly: true, sameSite: 'Strict' as const },
      'https://shop.example.com/',
      'a=1',
    ],
  ])('decides whether to send a cookie to %s', (_where, cookie, url, header) => {
    expect(sent(cookie, url)).toBe(header);
  });

  it.each(['http://127.0.0.1:8080/', 'http://[::1]:8080/', 'http://localhost/', 'http://demo.test/'])(
    'sends a cookie to the target %s',
    (url) => {
      expect(sent({}, url, new URL(url))).toBe('a=1');
    },
  );

  it('stores only cookies that a hop may set', () => {
    const jar = createCookieJar([{ name: 'a', value: '1' }], TARGET);
    jar.keep(
      [
        'a=2; Path=/',
        'b=3; Path=/; Domain=example.com',
        'c=4; Domain=other.example',
        'd=5; Domain=com',
        '',
        'rubbish\0',
      ],
      TARGET,
    );
    expect(jar.headerFor(TARGET)).toBe('a=2; b=3');
    expect(jar.headerFor(new URL('https://other.example/'))).toBe('');
    expect(jar.headerFor(new URL('https://www.example.com/'))).toBe('b=3');
  });

  it.each([
    ['cookies.0.name', { name: 'a b' }],
    ['cookies.0.name', { name: 'a=b' }],
    ['cookies.0.value', { value: 'x;y' }],
    ['cookies.0.value', { value: 'x\r\nSet: y' }],
    ['cookies.0.value', { value: 'ü' }],
    ['cookies.0.domain', { domain: 'com' }],
    ['cookies.0.domain', { domain: 'co.uk' }],
    ['cookies.0.domain', { domain: 'exa mple' }],
    ['cookies.0.domain', { domain: 'a/b' }],
    ['cookies.0.domain', { domain: 'example.com/b' }],
    ['cookies.0.domain', { domain: 'example.com:8080' }],
    ['cookies.0.domain', { domain: 'user@example.com' }],
    ['cookies.0.domain', { domain: '[2001:db8::1]' }],
    ['cookies.0.path', { path: '/a;b' }],
    ['cookies.0.value', { value: 'v'.repeat(4096) }],
    ['cookies.0.name', { name: '__Secure-a' }],
    ['cookies.0.name', { name: '__Host-a', secure: true, path: '/b' }],
    ['cookies.0.name', { name: '__host-a', secure: true, domain: 'shop.example.com' }],
  ])('rejects a cookie that browsers would reject, naming %s', (path, cookie) => {
    const create = () => createCookieJar([{ name: 'a', value: '1', ...cookie }], TARGET);
    expect(create).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST', details: [expect.objectContaining({ path })] }),
    );
  });
});
