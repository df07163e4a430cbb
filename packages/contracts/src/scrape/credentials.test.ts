import { describe, expect, it } from '@jest/globals';
import { isSecretHeader, sharesCredentials, withoutCredentials } from './credentials.ts';

describe('credentials', () => {
  it.each([
    ...[
      'Authorization',
      'COOKIE',
      'X-Api-Key',
      'apikey',
      'X-Auth-Token',
      'X-CSRF',
      'X-Session-Id',
      'X-Amz-Signature',
    ],
    ...['Client-Secret', 'X-Password', 'X-JWT'],
  ])('are in a header named %s', (name) => {
    expect(isSecretHeader(name)).toBe(true);
  });

  it.each(['Accept', 'Accept-Language', 'User-Agent', 'Referer', 'Origin', 'X-Requested-With', 'DNT'])(
    'are not in a header named %s',
    (name) => {
      expect(isSecretHeader(name)).toBe(false);
    },
  );

  it.each([
    ['https://a.test/x', 'https://a.test/y', true],
    ['http://a.test/', 'https://a.test/', true],
    ['http://[::1]/', 'https://[::1]/', true],
    ['https://a.test/', 'http://a.test/', false],
    ['http://a.test:81/', 'https://a.test/', false],
    ['http://a.test/', 'https://a.test:81/', false],
    ['http://a.test/', 'https://www.a.test/', false],
  ])('of %s go to %s: %s', (from, to, expected) => {
    expect(sharesCredentials(new URL(from), new URL(to))).toBe(expected);
  });

  it('are left out, and fields that have nothing else', () => {
    const session = { name: 'session', value: '1' };
    const shared = { ...session, domain: 'a.test' };
    const left = withoutCredentials({
      render: true,
      headers: { 'X-Api-Key': '1', Accept: 'text/html' },
      cookies: [session, shared],
    });
    expect(left).toEqual({ render: true, headers: { Accept: 'text/html' }, cookies: [shared] });
    expect(withoutCredentials({ headers: { cookie: 'a=1' }, cookies: [session] })).toEqual({});
  });
});
