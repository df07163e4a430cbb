import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call } from './support/call.ts';
import { startTestBed, type TestBed, type TestGateway } from './support/test-bed.ts';

let bed: TestBed;
let gateway: TestGateway;

beforeAll(async () => {
  bed = await startTestBed();
  gateway = await bed.startGateway({ PUBLIC_URL: 'https://gleaner.example.com/api' });
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

describe('GET /', () => {
  it('names the service and links its documentation', async () => {
    const { json } = await call(gateway.url);
    expect(json).toMatchObject({
      name: 'Gleaner',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      docs: '/docs',
    });
    for (const path of [json.docs, json.openapi]) expect((await call(gateway.url + path)).status).toBe(200);
  });
});

describe('GET /openapi.json', () => {
  it('describes the service under its public address, without a key', async () => {
    const { json } = await call(`${gateway.url}/openapi.json`);
    expect(json).toMatchObject({ openapi: '3.1.1', servers: [{ url: 'https://gleaner.example.com/api' }] });
    expect(Object.keys(json.paths)).toContain('/v1/scrape');
  });
});

describe('GET /docs', () => {
  it('shows the document with files of this service only', async () => {
    const page = await call(`${gateway.url}/docs`);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    const links = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link ?? '');
    expect(links).toHaveLength(4);
    for (const link of links) {
      expect(link).toMatch(/^\/docs\//);
      expect((await call(gateway.url + link)).status).toBe(200);
    }
    const start = await call(`${gateway.url}/docs/start.js`);
    expect(start.headers['content-type']).toContain('javascript');
    expect(start.text).toContain("url: '/openapi.json'");
    expect(start.text).not.toContain('http');
  });

  it('lets a browser load nothing from other hosts', async () => {
    const { headers } = await call(`${gateway.url}/docs`);
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    expect(policy).toContain('blob:');
  });

  it('lets its files be cached, and the page not', async () => {
    expect((await call(`${gateway.url}/docs/swagger-ui.css`)).headers['cache-control']).toContain('max-age');
    expect((await call(`${gateway.url}/docs`)).headers['cache-control']).toBe('no-store');
  });
});
