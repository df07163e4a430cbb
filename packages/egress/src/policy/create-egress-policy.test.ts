import { AppError } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { createEgressPolicy } from './create-egress-policy.ts';

const closed = createEgressPolicy({ allow: [] });

/** Returns the error of a check, or undefined when it passes. */
function errorOf(check: () => unknown): AppError | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

const urlError = (url: string, policy = closed) => errorOf(() => policy.checkUrl(url));
const addressError = (address: string, policy = closed, host = 'site.example', port = 443) =>
  errorOf(() => policy.checkAddress(address, host, port));

describe('checkAddress', () => {
  it.each([
    ['0.0.0.0', 'unspecified'],
    ['0.1.2.3', 'unspecified'],
    ['10.0.0.0', 'private'],
    ['10.255.255.255', 'private'],
    ['100.64.0.1', 'carrier-grade NAT'],
    ['100.100.100.200', 'carrier-grade NAT'],
    ['100.127.255.255', 'carrier-grade NAT'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['168.63.129.16', 'cloud platform'],
    ['169.254.0.1', 'link-local'],
    ['169.254.169.254', 'link-local'],
    ['169.254.170.2', 'link-local'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.0.0.1', 'reserved'],
    ['192.0.0.192', 'reserved'],
    ['192.0.2.1', 'documentation'],
    ['192.31.196.1', 'reserved'],
    ['192.52.193.1', 'reserved'],
    ['192.88.99.1', 'reserved'],
    ['192.168.0.1', 'private'],
    ['192.175.48.1', 'reserved'],
    ['198.18.0.1', 'benchmarking'],
    ['198.19.255.255', 'benchmarking'],
    ['198.51.100.1', 'documentation'],
    ['203.0.113.255', 'documentation'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.255', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.254', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['0:0:0:0:0:0:0:1', 'loopback'],
    ['::127.0.0.1', 'reserved'],
    ['::10.0.0.1', 'reserved'],
    ['::8.8.8.8', 'reserved'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['::ffff:10.0.0.1', 'private'],
    ['::ffff:169.254.169.254', 'link-local'],
    ['::ffff:0:127.0.0.1', 'reserved'],
    ['::ffff:0:8.8.8.8', 'reserved'],
    ['64:ff9b::127.0.0.1', 'loopback'],
    ['64:ff9b::a9fe:a9fe', 'link-local'],
    ['64:ff9b::10.1.2.3', 'private'],
    ['64:ff9b:1::8.8.8.8', 'translation'],
    ['64:ff9b:1:abcd::1', 'translation'],
    ['100::1', 'discard'],
    ['100:0:0:1::1', 'reserved'],
    ['2001::1', 'unspecified'],
    ['2001:0:7f00:1::f7f7:f7f7', 'loopback'],
    ['2001:0:808:808::80ff:fffe', 'loopback'],
    ['2001:0:808:808:0:0:5601:5601', 'link-local'],
    ['2001:2::1', 'reserved'],
    ['2001:3::1', 'reserved'],
    ['2001:4:112::1', 'reserved'],
    ['2001:10::1', 'reserved'],
    ['2001:20::1', 'reserved'],
    ['2001:30::1', 'reserved'],
    ['2001:1ff:ffff::1', 'reserved'],
    ['2001:db8::1', 'documentation'],
    ['2002:7f00:1::', 'loopback'],
    ['2002:a9fe:a9fe::1', 'link-local'],
    ['2002:c0a8:101::', 'private'],
    ['2620:4f:8000::1', 'reserved'],
    ['2a00:1450::5efe:10.0.0.1', 'private'],
    ['2a00:1450::200:5efe:7f00:1', 'loopback'],
    ['3fff::1', 'documentation'],
    ['4000::1', 'reserved'],
    ['5f00::1', 'reserved'],
    ['8000::1', 'reserved'],
    ['fc00::1', 'private'],
    ['fd00:ec2::254', 'private'],
    ['fdff:ffff::1', 'private'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local'],
    ['febf::1', 'link-local'],
    ['fec0::1', 'private'],
    ['feff::1', 'private'],
    ['ff02::1', 'multicast'],
    ['ff0e::1', 'multicast'],
    ['localhost', 'not an address'],
    ['', 'not an address'],
    ['127.1', 'not an address'],
    ['0x7f000001', 'not an address'],
    ['2130706433', 'not an address'],
    ['1.2.3.4.5', 'not an address'],
    ['1.2.3.256', 'not an address'],
    ['010.0.0.1', 'not an address'],
  ])('rejects %s and names its kind: %s', (address, kind) => {
    const error = addressError(address);
    expect(error).toMatchObject({ code: 'INVALID_URL', suggestion: expect.stringContaining('EGRESS_ALLOW') });
    expect(error?.message).toContain(kind);
  });

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.1',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.1',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:800::200e',
    '2001:200::1',
    '2001:4860:4860::8888',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '2002:808:808::1',
    '2001:0:808:808::f7f7:f7f7',
    '2a00:1450::5efe:8.8.8.8',
  ])('accepts the public address %s', (address) => {
    expect(addressError(address)).toBeUndefined();
  });

  it('never reveals the address that a name resolved to', () => {
    expect(addressError('10.20.30.40', closed, 'intranet.example')?.message).not.toContain('10.20.30.40');
  });
});

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
    const { message = '', suggestion = '' } = errorOf(() => closed.checkUrl(text)) ?? {};
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

describe('EGRESS_ALLOW', () => {
  const allowing = (...allow: string[]) => createEgressPolicy({ allow });

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:9999/'],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080/'],
    ['127.0.0.1:8080', 'http://[::ffff:127.0.0.1]:8080/'],
    ['127.0.0.1:80', 'http://2130706433/'],
    ['[::1]:9000', 'http://[::1]:9000/'],
    ['::1', 'http://[::1]:9000/'],
    ['10.0.0.0/8', 'http://10.1.2.3/'],
    ['10.0.0.0/8:8080', 'http://10.1.2.3:8080/'],
    ['fd00::/8', 'http://[fd12::1]/'],
    ['[fd00::/8]:8080', 'http://[fd12::1]:8080/'],
    ['localhost:8080', 'http://localhost:8080/'],
    ['LOCALHOST.', 'http://localhost/'],
    ['*.internal', 'http://a.b.internal/'],
    ['wiki.internal:8443', 'https://wiki.internal:8443/'],
    [':2222', 'http://example.com:2222/'],
    ['*:25', 'http://example.com:25/'],
    ['10.0.0.5:22', 'http://10.0.0.5:22/'],
    ['example.com:22', 'http://example.com:22/'],
    [' 127.0.0.1 ', 'http://127.0.0.1/'],
  ])('%j opens %s', (entry, url) => {
    expect(urlError(url, allowing('', entry))).toBeUndefined();
  });

  it.each([
    ['127.0.0.1:8080', 'http://127.0.0.1/'],
    ['127.0.0.1:8080', 'http://127.0.0.2:8080/'],
    ['127.0.0.1:8080', 'http://localhost:8080/'],
    ['127.0.0.1', 'http://[64:ff9b::127.0.0.1]/'],
    ['127.0.0.1', 'http://[2002:7f00:1::]/'],
    ['10.0.0.0/8', 'http://11.0.0.1:25/'],
    ['10.0.0.0/8', 'http://10.0.0.1:22/'],
    ['10.0.0.0/8', 'http://192.168.0.1/'],
    ['*.internal', 'http://a.local/'],
    ['wiki.internal', 'http://evil-wiki.internal/'],
    ['wiki.internal', 'http://wiki.internal.local/'],
    [':25', 'http://10.0.0.1:25/'],
    [':8080', 'http://127.0.0.1:8080/'],
    ['::1', 'http://127.0.0.1/'],
    ['0.0.0.0/0', 'http://[::1]/'],
  ])('%j does not open %s', (entry, url) => {
    expect(urlError(url, allowing(entry))?.code).toBe('INVALID_URL');
  });

  it('opens a name whatever it resolves to, on its port only', () => {
    const policy = allowing('demo.test:8080');
    expect(addressError('127.0.0.1', policy, 'demo.test', 8080)).toBeUndefined();
    expect(addressError('127.0.0.1', policy, 'demo.test', 80)?.code).toBe('INVALID_URL');
    expect(addressError('127.0.0.1', policy, 'other.test', 8080)?.code).toBe('INVALID_URL');
  });

  it.each([
    'http://example.com',
    '10.0.0.0/33',
    '10.0.0',
    '300.1.1.1',
    '8080',
    'example.com:0',
    'example.com:70000',
    ':0',
    '*',
    '**.example.com',
    'exa mple.com',
    'a,b',
    '[::1',
    '0x7f000001',
    'foo.*.bar',
    'example.com/path',
  ])('rejects the entry %j at the start and names it', (entry) => {
    expect(() => allowing(entry)).toThrow(`EGRESS_ALLOW contains an invalid entry: ${JSON.stringify(entry)}`);
  });
});
