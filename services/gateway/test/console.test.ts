import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call } from './support/call.ts';
import { startTestBed, type TestBed, type TestGateway } from './support/test-bed.ts';

let bed: TestBed;
let gateway: TestGateway;
let home: string;
let folder: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'gleaner-console-'));
  folder = join(home, 'console');
  bed = await startTestBed();
  gateway = await bed.startGateway({ CONSOLE_DIR: folder });
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});

it('says that the console is being built, until it is there', async () => {
  const before = await call(`${gateway.url}/console/`);
  expect(before.headers['cache-control']).toBe('no-store');
  expect(before.text).toContain('being built');
  expect(before.text).toContain('http-equiv="refresh"');
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(folder, 'assets/index-1.js'), 'start()');
  await writeFile(join(folder, 'assets/index-1.js.gz'), gzipSync('start()'));
  await writeFile(join(folder, 'assets/index-1.js.map'), '{}');
  await writeFile(join(home, 'secret.js'), 'secret');
  await writeFile(join(folder, 'index.html'), '<div id="root"></div>');
  const after = await call(`${gateway.url}/console/`);
  expect(after.status).toBe(200);
  expect(after.text).toBe('<div id="root"></div>');
  expect(after.headers).toMatchObject({ 'cache-control': 'no-cache', 'content-length': '21' });
});

describe('the console', () => {
  it('loads from its own host alone, and cannot be framed', async () => {
    const { headers } = await call(`${gateway.url}/console/`);
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/https?:|\*|unsafe/);
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
    });
  });

  it('is sent compressed and kept by browsers', async () => {
    const url = `${gateway.url}/console/assets/index-1.js`;
    const plain = await call(url);
    expect(plain.text).toBe('start()');
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const response = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(await response.text()).toBe(gunzipSync(gzipSync('start()')).toString());
  });

  it.each([
    '/console/assets/index-1.js.map',
    '/console/assets/index-1.js.gz',
    '/console/../secret.js',
    '/console/%2e%2e/secret.js',
    '/console/..%2fsecret.js',
    '/console/assets/',
    '/console/nothing',
  ])('has no file %s', async (path) => {
    const response = await fetch(gateway.url + path);
    expect(response.status).toBe(404);
  });

  it('is where browsers are sent', async () => {
    const start = await call(gateway.url, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(start.status).toBe(302);
    expect(start.headers.location).toBe('console/');
    expect((await call(`${gateway.url}/console`)).headers.location).toBe('console/');
    expect((await call(gateway.url)).json.name).toBe('Gleaner');
  });
});
