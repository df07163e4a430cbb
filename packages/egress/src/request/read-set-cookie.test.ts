import { describe, expect, it } from '@jest/globals';
import { createCookieJar, createStateJar } from './create-cookie-jar.ts';

const HTTPS = new URL('https://www.example.com/a/b');
const HTTP = new URL('http://www.example.com/a/b');

/** Returns the Cookie header of the next request to the URL that answered with these headers. */
function sentAfter(lines: readonly string[], url = HTTPS): string {
  const jar = createCookieJar([], url);
  jar.keep(lines, url);
  return jar.headerFor(url);
}

describe('Set-Cookie', () => {
  it.each([
    ['without a name', 'opensesame; Path=/', 'opensesame'],
    ['with an equals sign instead of a name', '=opensesame', 'opensesame'],
    ['with equals signs in a value without a name', '=a=b', 'a=b'],
    ['without a value', 'a=', 'a='],
    ['of nothing', '; Path=/', ''],
    ['of an equals sign', '=', ''],
    ['of white space', ' = ; Path=/', ''],
    ['with white space around', ' \ta\t = \t1 \t; Path=/', 'a=1'],
    ['with a tab in its value', 'a=1\t2', 'a=1\t2'],
    ['with quotes, commas and equals signs', 'a="1, b=2" ; x', 'a="1, b=2"'],
    ['with a semicolon in quotes', 'a="1;2"', 'a="1'],
    ['with a control character', 'a=1\u00012', ''],
    ['with DEL', 'a\u007f=1', ''],
    ['with bytes of UTF-8', 'a=\u00c3\u00bc', 'a=\u00c3\u00bc'],
    ['of 4,096 bytes', `a=${'v'.repeat(4095)}`, `a=${'v'.repeat(4095)}`],
    ['of more bytes', `a=${'v'.repeat(4096)}`, ''],
    ['with a long attribute, which does not count', `a=1; Path=/${'p'.repeat(1024)}`, 'a=1'],
    ['with a path that is used', 'a=1; Path=/a', 'a=1'],
    ['with a path of another page', 'a=1; Path=/c', ''],
    ['with a path without a slash', 'a=1; Path=c', 'a=1'],
    ['with the last of two paths', 'a=1; Path=/a; Path=/c', ''],
    ['with an empty domain, which counts as none', 'a=1; Domain=other.example; Domain=', 'a=1'],
    ['with a domain of another site', 'a=1; Domain=other.example', ''],
    ['with Max-Age before Expires', 'a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'a=1'],
    ['that has expired', 'a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT', ''],
    ['with Secure', 'a=1; Secure', 'a=1'],
    ['with SameSite', 'a=1; SameSite=Strict', 'a=1'],
    ['with __Secure- and Secure', '__Secure-a=1; Secure', '__Secure-a=1'],
    ['with __Secure- alone', '__Secure-a=1', ''],
    ['with __secure- alone', '__secure-a=1', ''],
    ['with __Host- and all that it promises', '__Host-a=1; Secure; Path=/', '__Host-a=1'],
    ['with __Host- and a domain', '__Host-a=1; Secure; Path=/; Domain=www.example.com', ''],
    ['with __HOST- and no path', '__HOST-a=1; Secure', ''],
    ['with __Http- and HttpOnly', '__Http-a=1; Secure; HttpOnly', '__Http-a=1'],
    ['with __Http- alone', '__Http-a=1; Secure', ''],
    ['with __Host-Http- and no HttpOnly', '__Host-Http-a=1; Secure; Path=/', ''],
    ['with a prefix in a value without a name', '=__Host-a=1; Secure; Path=/', ''],
  ])('keeps a cookie %s as browsers do', (_what, line, header) => {
    expect(sentAfter([line])).toBe(header);
  });

  it('replaces a cookie without a name by the next one', () => {
    expect(sentAfter(['one', 'a=1', '=two'])).toBe('two; a=1');
  });

  it.each([
    ['github.io', 'http://github.io/', 'a=1'],
    ['github.io', 'http://my.github.io/', ''],
    ['shop', 'http://shop/', 'a=1'],
    ['127.0.0.1', 'http://127.0.0.1:8080/', 'a=1'],
  ])('takes the domain %s from %s', (domain, url, header) => {
    expect(sentAfter([`a=1; Domain=${domain}`], new URL(url))).toBe(header);
  });

  it('without TLS neither has Secure, nor stands before a cookie that has it', () => {
    expect(sentAfter(['a=1; Secure'], HTTP)).toBe('');
    const jar = createCookieJar([], HTTPS);
    jar.keep(['a=1; Secure; Path=/', 'b=1; Path=/'], HTTPS);
    jar.keep(['a=2; Path=/', 'a=3; Path=/a', 'b=2; Path=/'], HTTP);
    expect(jar.headerFor(HTTPS)).toBe('a=1; b=2');
  });
});

describe('the cookies of a session in partitions', () => {
  const cookie = {
    name: 'a',
    value: '1',
    domain: '.example.com',
    path: '/',
    secure: true,
    httpOnly: false,
    expires: -1,
  };
  const own = { ...cookie, partitionKey: 'https://example.com', _crHasCrossSiteAncestor: false };
  const framed = { ...cookie, name: 'f', partitionKey: 'https://top.example', _crHasCrossSiteAncestor: true };
  const ofOther = {
    ...cookie,
    name: 'o',
    partitionKey: 'https://top.example',
    _crHasCrossSiteAncestor: false,
  };

  it('are sent to the site of their partition, and all are kept', () => {
    const jar = createStateJar([{ ...cookie, name: 'b' }, own, framed, ofOther]);
    expect(jar.headerFor(HTTPS)).toBe('b=1; a=1');
    expect(jar.cookies()).toEqual(expect.arrayContaining([{ ...cookie, name: 'b' }, own, framed, ofOther]));
  });

  it('are set by Partitioned with Secure', () => {
    const jar = createStateJar([]);
    jar.keep(['a=1; Domain=example.com; Path=/; Secure; Partitioned', 'b=1; Partitioned'], HTTPS);
    expect(jar.headerFor(HTTPS)).toBe('a=1');
    expect(jar.cookies()).toEqual([own]);
  });

  it('may lack a name', () => {
    const nameless = { ...cookie, name: '', value: 'opensesame' };
    const jar = createStateJar([nameless]);
    expect(jar.headerFor(HTTPS)).toBe('opensesame');
    expect(jar.cookies()).toEqual([nameless]);
  });
});
