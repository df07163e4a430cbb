import { describe, expect, it } from '@jest/globals';
import { parseProxyUrl } from './read-proxies.ts';

describe('parseProxyUrl', () => {
  it.each([
    ['http://proxy.test:3128', { protocol: 'http', host: 'proxy.test', port: 3128, targets: 'by-address' }],
    ['http://proxy.test', { protocol: 'http', port: 80 }],
    ['https://Proxy.Test/', { protocol: 'https', host: 'proxy.test', port: 443 }],
    ['socks5://proxy.test', { protocol: 'socks5', host: 'proxy.test', port: 1080, targets: 'by-address' }],
    ['socks5h://PROXY.test:9050', { protocol: 'socks5', host: 'proxy.test', port: 9050, targets: 'by-name' }],
    ['http://[2001:db8::1]:8080', { host: '2001:db8::1', port: 8080 }],
    ['socks5://[2001:db8::1]:8080', { host: '2001:db8::1', port: 8080 }],
    [' http://a:b@proxy.test ', { credentials: { username: 'a', password: 'b' } }],
    [
      'http://u-cc-us:p%40s%2Fs%C3%A9@proxy.test',
      { credentials: { username: 'u-cc-us', password: 'p@s/sé' } },
    ],
    ['socks5://token@proxy.test', { credentials: { username: 'token', password: '' } }],
    ['socks5://a:b@proxy.test:1', { credentials: { username: 'a', password: 'b' }, port: 1 }],
  ])('reads %s', (text, parts) => {
    expect(parseProxyUrl(text)).toMatchObject(parts);
  });

  it.each([
    ['', 'is not a URL'],
    ['proxy.test:8080', 'scheme'],
    ['user:s3cret@proxy.test:8080', 'scheme'],
    ['ftp://a:s3cret@proxy.test', 'scheme'],
    ['socks4://a:s3cret@proxy.test', 'scheme'],
    ['http://a:s3cret@', 'is not a URL'],
    ['socks5://', 'no host'],
    ['http://a:s3c/ret@proxy.test', 'is not a URL'],
    ['http://a:12/s3cret@proxy.test', 'after its port'],
    ['http://a:12?s3cret@proxy.test', 'after its port'],
    ['http://a:12#s3cret@proxy.test', 'after its port'],
    ['http://a:s3cret@proxy.test:99999', 'is not a URL'],
    ['http://a:s3cret%zz@proxy.test', 'percent-encoding'],
    ['http://a:s3cret%0d%0aX@proxy.test', 'control character'],
    ['http://:s3cret@proxy.test', 'empty user name'],
    ['http://a%3Ab:s3cret@proxy.test', 'colon'],
    [`http://a:${'s3cret'.repeat(50)}@proxy.test`, '255 bytes'],
  ])('explains the error in %s without quoting it', (text, words) => {
    const error = parseProxyUrl(text);
    expect(error).toEqual(expect.stringContaining(words));
    expect(error).not.toMatch(/s3cret|proxy\.test/);
  });
});
