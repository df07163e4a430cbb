import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { call } from './support/call.ts';
import { sendRaw } from './support/raw-http.ts';
import { useGateway } from './support/use-gateway.ts';

const service = useGateway({ RATE_LIMIT_SCRAPE: '100000' }, { balance: 100 });

const PAGE = 'https://example.com/';

function scrape(body: unknown, headers: Record<string, string> = {}) {
  return call(`${service.gateway.url}/v1/scrape`, { key: service.owner.key, body, headers });
}

describe('a body', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/json; charset=utf8',
  ])('is accepted as %s', async (type) => {
    expect((await scrape({ url: PAGE }, { 'content-type': type })).status).toBe(200);
  });

  it.each([
    ['text/plain', {}],
    ['application/x-www-form-urlencoded', {}],
    ['application/json; charset=latin1', {}],
    ['application/jsonp', {}],
    ['application', {}],
    ['application/json', { 'content-encoding': 'gzip' }],
  ])('is rejected as %s %j', async (type, headers) => {
    const body = 'content-encoding' in headers ? gzipSync('{"url":"https://example.com/"}') : { url: PAGE };
    const { json } = await scrape(body, { 'content-type': type, ...headers });
    expect(json.error.code).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  it.each(['gzip, chunked', 'deflate, Chunked'])(
    'is refused with the Transfer-Encoding %s',
    async (coding) => {
      const { status, error } = await sendRaw(
        service.gateway.port,
        `POST /v1/scrape HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.owner.key}\r\nContent-Type: application/json\r\nConnection: close\r\nTransfer-Encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      );
      expect([status, error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
      expect(error.message).toContain(coding);
    },
  );

  it('is rejected without a Content-Type', async () => {
    const { error } = await sendRaw(
      service.gateway.port,
      `POST /v1/scrape HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.owner.key}\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`,
    );
    expect(error.code).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  it.each([
    ['nothing', ''],
    ['half an object', '{"url": '],
    ['an array', '[{"url": "https://example.com/"}]'],
    ['a string', '"https://example.com/"'],
    ['null', 'null'],
    ['two objects', '{"url":"https://example.com/"}{}'],
    ['a comment', '{"url":"https://example.com/" /* hello */}'],
    ['single quotes', "{'url':'https://example.com/'}"],
    ['a NUL', '\u0000{"url":"https://example.com/"}'],
    ['a raw control character', '{"url":"https://example.com/\n"}'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0x75, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['UTF-16', Buffer.from('{"url":"https://example.com/"}', 'utf16le')],
  ])('is rejected unless it is a JSON object: %s', async (_, body) => {
    const { json } = await scrape(body);
    expect(json.error.code).toBe('INVALID_JSON');
  });

  it('is answered with the position of its error', async () => {
    const { json } = await scrape('{\n  "url": "https://example.com/",\n}');
    expect(json.error.message).toBe(
      'The body is not JSON: Expected double-quoted property name at line 3, column 1.',
    );
  });

  it('may nest up to 64 levels', async () => {
    const nested = (levels: number) => ({
      url: PAGE,
      selectors: {
        a: JSON.parse(`${'{"selector":"p","fields":{"b":'.repeat(levels)}"i"${'}}'.repeat(levels)}`),
      },
    });
    expect((await scrape(nested(31))).json.error?.code).not.toBe('INVALID_REQUEST');
    const { json } = await scrape(nested(32));
    expect(json.error).toMatchObject({ code: 'INVALID_REQUEST', message: 'The body nests too deep.' });
    const bomb = await scrape(`{"url":${'['.repeat(400_000)}${']'.repeat(400_000)}}`);
    expect(bomb.json.error.code).toBe('INVALID_REQUEST');
  });

  it('may have up to 1 MiB, and is rejected while it still arrives', async () => {
    const padded = (bytes: number) =>
      JSON.stringify({ url: PAGE, padding: '' }).replace('""', `"${'x'.repeat(bytes - 43)}"`);
    const whole = padded(1024 * 1024);
    expect(whole.length).toBe(1024 * 1024);
    expect((await scrape(whole)).json.error.code).toBe('INVALID_REQUEST');
    expect((await scrape(`${whole} `)).json.error.code).toBe('PAYLOAD_TOO_LARGE');
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const head = `POST /v1/scrape HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.owner.key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
    const { error } = await sendRaw(service.gateway.port, head, chunk.repeat(17));
    expect(error.code).toBe('PAYLOAD_TOO_LARGE');
  });

  it('that ends in the middle does not affect other calls', async () => {
    const head = `POST /v1/scrape HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.owner.key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const { error } = await sendRaw(service.gateway.port, head, '5\r\n{"url\r\nZZ\r\n');
    expect(error).toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('not valid HTTP/1.1'),
    });
    expect((await scrape({ url: PAGE })).status).toBe(200);
  });

  it('is ignored by routes without a body', async () => {
    const { status } = await call(`${service.gateway.url}/v1/usage`, {
      key: service.owner.key,
      method: 'GET',
      body: 'anything',
    });
    expect(status).toBe(200);
  });
});
