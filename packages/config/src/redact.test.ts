import { describe, expect, it } from '@jest/globals';
import { redact, redactLine } from './redact.ts';

const KEY = 'gl_0123456789abcdefABCDEF0123456789';

/** Texts, each with the secret to remove and a part that must remain. */
const TEXTS: readonly [text: string, secret: string, rest: string][] = [
  [`key ${KEY} is revoked`, KEY, 'is revoked'],
  [`joined=${KEY}${KEY}`, '0123456789abcdef', 'joined='],
  ['session gls_0123456789abcdefABCDEF0123456789 ended', '0123456789abcdef', 'ended'],
  ['GET /v1/jobs/job_1/results?format=csv&ticket=s3cr3t', 's3cr3t', 'format=csv'],
  ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD= signs', 'C2FVsBQ', ' signs'],
  ['Authorization: Bearer eyJhbGciOi.J9 and more', 'eyJhbGciOi', 'Authorization: '],
  ['{ authorization: "Basic dXNlcjpwYXNz", accept: "x" }', 'dXNlcjpwYXNz', 'accept: "x"'],
  ["headers { 'proxy-authorization': 'Basic dXNlcjpwYXNz' }", 'dXNlcjpwYXNz', 'headers'],
  ['sent Bearer abcdefgh12345678 to it', 'abcdefgh12345678', 'to it'],
  ['Cookie: sid=s3cr3t; theme=dark', 's3cr3t', 'Cookie: '],
  ['set-cookie: sid=s3cr3t\r\nContent-Length: 5', 's3cr3t', 'Content-Length: 5'],
  ['connect amqp://guest:s3cr3t@127.0.0.1:5672/%2F failed', 's3cr3t', '127.0.0.1:5672/%2F failed'],
  ['connect mongodb://u:s3c/r3t@a:1,b:2/x failed', 's3c/r3t', 'a:1,b:2/x failed'],
  ['proxy socks5://user:p@s3cr3t@10.0.0.1:1080 died', 's3cr3t', '10.0.0.1:1080 died'],
  ['https://token-only-s3cr3t@host/path', 's3cr3t', 'host/path'],
  ['GET https://a.example/x?page=2&api_key=s3cr3t&y=3', 's3cr3t', 'page=2'],
  ['GET https://a.example/x?access_token=s3cr3t#top', 's3cr3t', '#top'],
  ['GET https://a.example/x?X-Amz-Signature=s3cr3t', 's3cr3t', 'X-Amz-Signature='],
  ['GET https://a.example/x?key=s3cr3t', 's3cr3t', 'a.example'],
];

/** Texts that resemble secrets and are not. */
const HARMLESS = [
  'the key begins with gl_01234567',
  'https://example.com:8080/@user/post?page=2&q=a=b',
  'https://medium.com/@someone/story',
  'Basic selectors failed; bearer authentication is required',
  'a cookie was set and the authorization was checked',
  'mail someone@example.com',
];

describe('redact', () => {
  it.each(TEXTS)('removes the secret from a text and leaves the rest: %s', (text, secret, rest) => {
    const clean = redact(text);
    expect(clean).not.toContain(secret);
    expect(clean).toContain('[redacted]');
    expect(clean).toContain(rest);
  });

  it.each(HARMLESS)('leaves a harmless text as it is: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it.each([
    'authorization',
    'Proxy-Authorization',
    'cookie',
    'set-cookie',
    'cookies',
    'apiKey',
    'x-api-key',
    'password',
    'webhookSecret',
    'accessToken',
    'credentials',
  ])('hides the whole field %s, with any value at any depth', (name) => {
    const data = { request: [{ headers: { [name]: [{ value: 's3cr3t' }], accept: 'x' } }] };
    expect(redact(data)).toEqual({ request: [{ headers: { [name]: '[redacted]', accept: 'x' } }] });
  });

  it('removes secrets from the names of fields, as in { "gl_…": 1 }', () => {
    expect(JSON.stringify(redact({ [KEY]: 1 }))).not.toContain(KEY);
  });

  it('copies everything else and does not change its input', () => {
    const data = { n: 1, t: true, none: null, list: [1, 'a'], password: 'x' };
    expect(redact(data)).toEqual({ n: 1, t: true, none: null, list: [1, 'a'], password: '[redacted]' });
    expect(data.password).toBe('x');
  });

  it.each(['://a:b', 'cookie=', '&token', '?token=', 'gl_', 'Basic a', '://', 'authorization:'])(
    'handles a megabyte of %j in linear time',
    (piece) => {
      const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
      expect(redact(text).length).toBeGreaterThan(0);
    },
    5000,
  );
});

describe('redactLine', () => {
  it.each(TEXTS)('removes the same secrets from a line of JSON as redact does: %s', (text, secret) => {
    const line = redactLine(`${JSON.stringify({ level: 'info', err: { stack: text } })}\n`);
    expect(line).not.toContain(secret);
    expect(JSON.parse(line)).toEqual({ level: 'info', err: { stack: redact(text) } });
    expect(line.endsWith('}\n')).toBe(true);
  });

  it.each(['authorization', 'set-cookie', 'apiKey', 'api_key', 'PASSWORD', 'webhookSecret'])(
    'hides the field %s of a line',
    (name) => {
      expect(redactLine(JSON.stringify({ deep: { [name]: 's3cr3t' } }))).not.toContain('s3cr3t');
    },
  );

  it('returns a line without secrets unchanged', () => {
    const line = '{"level":"info","msg":"Ready.","n":1.0}\n';
    expect(redactLine(line)).toBe(line);
  });
});
