import { describe, expect, it } from '@jest/globals';
import { addressError, urlError } from '../../test/policy-errors.ts';
import { createEgressPolicy } from './create-egress-policy.ts';

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

  it('opens a name on its port only, for every address that it resolves to', () => {
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
