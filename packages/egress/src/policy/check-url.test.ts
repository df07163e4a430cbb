import { describe, expect, it } from '@jest/globals';
import { addressError, closed, urlError } from '../../test/policy-errors.ts';
import { createEgressPolicy } from './create-egress-policy.ts';

describe('checkUrl', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.0.0.1:80/',
    'http://127.1/',
    'http://127.0.1/',
    'http://0/',
    'http://0.0.0.0/',
    'http://2130706433/',
    'http://017700000001/',
    'http://0177.0.0.1/',
    'http://0x7f.0.0.1/',
    'http://0x7f000001/',
    'http://0x7F.1/',
    'http://0X7f.0X0.0X0.0X1/',
    'http://127.0.0.1./',
    'http://127.0.0.1.:8080/',
    'http://①②⑦.⓪.⓪.①/',
    'http://１２７．０．０．１/',
    'http://127。0。0。1/',
    'http://127%2e0%2e0%2e1/',
    'http://%31%32%37.0.0.1/',
    'http:\\\\127.0.0.1\\',
    'http:/127.0.0.1/',
    'http:127.0.0.1',
    'http:///127.0.0.1/',
    ' http://127.0.0.1/ ',
    'HTTP://127.0.0.1/',
    'http://10.0.0.1/',
    'http://167772161/',
    'http://012.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://0251.0376.0251.0376/',
    'http://[::]/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:7f00:1::]/',
    'http://[fe80::1]/',
    'http://[fc00::1]/',
    'http://[fec0::1]/',
    'http://[ff02::1]/',
    'http://localhost/',
    'http://LOCALHOST/',
    'http://localhost./',
    'http://ｌｏｃａｌｈｏｓｔ/',
    'http://a.localhost/',
    'http://printer.local/',
    'http://metadata.google.internal/computeMetadata/v1/',
    'http://router.home.arpa/',
    'http://x.localdomain/',
    'http://abcdefghijklmnop.onion/',
  ])('rejects %j, which leads to a private network', (url) => {
    const error = urlError(url);
    expect(error?.code).toBe('INVALID_URL');
    expect(error?.message).toContain('leads to');
    expect(error?.suggestion).toContain('EGRESS_ALLOW');
  });

  it.each([
    'http://user:s3cret@exa mple.com/',
    '//user:s3cret@exa mple.com/',
    'https://user:s3cr@3t@exa mple.com/',
  ])('does not quote the password of %s', (text) => {
    const { message = '', suggestion = '' } = urlError(text) ?? {};
    expect(message).toContain('exa mple.com');
    expect(message + suggestion).not.toMatch(/s3cr|user/);
  });

  it.each([
    ['http://user:s3cret@exa mple.com/?mail=a@b.example', 'http://…@exa mple.com/?mail=a@b.example'],
    ['us er:s3cret@exa mple.com/#a@b', '…@exa mple.com/#a@b'],
    ['\\\\user:s3cret@exa mple.com', '\\\\…@exa mple.com'],
    ['http://exa mple.com/?mail=a@b.example', 'http://exa mple.com/?mail=a@b.example'],
  ])('quotes %j as %j', (text, quoted) => {
    expect(urlError(text)?.message).toBe(`The URL ${JSON.stringify(quoted)} is malformed.`);
  });

  it.each([
    ['slashes', `http://${'/'.repeat(8_000)} `],
    ['at signs', `http://${'@'.repeat(8_000)} `],
    ['question marks', `http://${'?'.repeat(8_000)} [`],
    ['colons', `${'a:'.repeat(4_000)}`],
    ['letters', 'a'.repeat(8_000)],
  ])('checks thousands of malformed URLs of 8,000 %s in linear time', (_of, text) => {
    // In quadratic time this would take minutes, more than a test may.
    for (let count = 0; count < 5_000; count += 1) expect(urlError(text)).toBeDefined();
  });

  it.each([
    ['', 'malformed'],
    ['example.com', 'malformed'],
    ['//example.com/', 'malformed'],
    ['/path', 'malformed'],
    ['http://', 'malformed'],
    ['http://[fe80::1%25eth0]/', 'malformed'],
    ['http://[::1', 'malformed'],
    ['http://exa mple.com/', 'malformed'],
    ['http://a..b^c/', 'malformed'],
    ['http://1.2.3.4.5/', 'malformed'],
    ['http://256.256.256.256/', 'malformed'],
    ['http://example.com:65536/', 'malformed'],
    ['http://example.com:port/', 'malformed'],
    ['http://%00/', 'malformed'],
    ['ftp://example.com/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['gopher://example.com/', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['data:text/html,x', 'scheme'],
    ['ws://example.com/', 'scheme'],
    ['unix:/var/run/docker.sock:/info', 'scheme'],
    ['view-source:http://example.com/', 'scheme'],
    ['http://user@example.com/', 'user name'],
    ['http://user:pass@example.com/', 'user name'],
    ['http://:pass@example.com/', 'user name'],
    ['http://example.com@127.0.0.1/', 'user name'],
    ['http://unix:/var/run/docker.sock:/info', 'socket file'],
    ['http://unix/var/run/docker.sock:/info', 'socket file'],
    ['http://UNIX./var/run/docker.sock:/info', 'socket file'],
    ['http://example.com/\r\nX: y', 'control'],
    ['http://exa\tmple.com/', 'control'],
    ['http://example.com/\0', 'control'],
    ['http://example.com/\x7f', 'control'],
    [`http://example.com/${'a'.repeat(8_192)}`, 'longer'],
    ['http://example.com:22/', 'Port 22'],
    ['http://example.com:25/', 'Port 25'],
    ['https://example.com:6379/', 'Port 6379'],
    ['http://example.com:27017/', 'Port 27017'],
    ['http://example.com:0/', 'Port 0'],
    ['http://example.com:6667/', 'Port 6667'],
    ['http://8.8.8.8:53/', 'Port 53'],
  ])('rejects %j and gives the reason: %s', (url, reason) => {
    const error = urlError(url);
    expect(error?.code).toBe('INVALID_URL');
    expect(error?.message).toContain(reason);
    expect(error?.suggestion).not.toBe('');
  });

  it.each([
    ['example.com/a', 'such as "https://example.com/a"'],
    ['//example.com/a', 'such as "https://example.com/a"'],
    ['/a', 'such as "https://example.com/page"'],
    ['http://[::1', 'such as "https://example.com/page"'],
  ])('suggests for %j a URL %s', (url, suggestion) => {
    expect(urlError(url)?.suggestion).toContain(suggestion);
  });

  it.each([
    ['https://example.com/', 'https://example.com/'],
    ['HTTPS://EXAMPLE.com:443/a b?c=d#e', 'https://example.com/a%20b?c=d#e'],
    ['http://example.com:8080/', 'http://example.com:8080/'],
    ['http://bücher.example/', 'http://xn--bcher-kva.example/'],
    ['http://例え.jp/', 'http://xn--r8jz45g.jp/'],
    ['http://under_score.example/', 'http://under_score.example/'],
    ['http://example.com./', 'http://example.com./'],
    ['http://8.8.8.8/', 'http://8.8.8.8/'],
    ['http://134744072/', 'http://8.8.8.8/'],
    ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
    ['http://unix.example/', 'http://unix.example/'],
    ['http://mylocal/', 'http://mylocal/'],
    ['http://notlocalhost.example/', 'http://notlocalhost.example/'],
    ['http://@example.com/', 'http://example.com/'],
  ])('accepts %j as %s', (url, href) => {
    expect(closed.checkUrl(url).href).toBe(href);
  });

  it.each([
    ['http://localhost:3000/', 'localhost:3000'],
    ['http://10.0.0.1/', '10.0.0.1:80'],
    ['https://wiki.internal/', 'wiki.internal:443'],
    ['http://[::1]:9000/', '[::1]:9000'],
    ['http://example.com:22/', 'example.com:22'],
  ])('suggests the setting that allows %s, which then does', (url, entry) => {
    expect(urlError(url)?.suggestion).toContain(
      `If this service is yours, start it with EGRESS_ALLOW=${entry} to allow this address.`,
    );
    expect(urlError(url, createEgressPolicy({ allow: [entry] }))).toBeUndefined();
  });

  it('suggests the name whose address is private, not the address', () => {
    const error = addressError('10.20.30.40', closed, 'intranet.example', 8080);
    expect(error?.suggestion).toContain('EGRESS_ALLOW=intranet.example:8080 ');
    expect(error?.suggestion).not.toContain('10.20.30.40');
  });

  it('suggests the missing scheme', () => {
    expect(urlError('example.com/page')?.suggestion).toContain('https://example.com/page');
  });
});
