import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { call } from './support/call.ts';
import { startScriptedWorker } from './support/scripted-worker.ts';
import { startTestBed, type TestBed, type TestGateway, type TestKey } from './support/test-bed.ts';

let bed: TestBed;
let gateway: TestGateway;
let owner: TestKey;

beforeEach(async () => {
  bed = await startTestBed();
  gateway = await bed.startGateway();
  owner = await bed.createKey({ balance: 10 });
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});

function scrape() {
  return call(`${gateway.url}/v1/scrape`, { key: owner.key, body: { url: 'https://example.com/' } });
}

describe('without its broker', () => {
  it('a gateway is alive but not ready, rejects scrapes with Retry-After, charges nothing, and still serves reads', async () => {
    await startScriptedWorker(bed.broker);
    expect((await scrape()).status).toBe(200);
    await bed.stopBroker();
    const { json, headers } = await scrape();
    expect(json.error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', source: 'api' });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect((await call(`${gateway.url}/livez`)).status).toBe(200);
    expect((await call(`${gateway.url}/readyz`)).json.error.code).toBe('SERVICE_UNAVAILABLE');
    const usage = await call(`${gateway.url}/v1/usage`, { key: owner.key });
    expect(usage.json.usage).toMatchObject({ used: 1, remaining: 9, reserved: 0 });
  });
});

describe('without its database', () => {
  it('a gateway rejects every call, hides the cause, and logs it', async () => {
    await bed.stopDatabase();
    const { json, text } = await call(`${gateway.url}/v1/usage`, { key: owner.key });
    expect(json.error).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'The database does not answer.',
    });
    expect(text).not.toMatch(/mongo|127\.0\.0\.1|ECONN/i);
    expect(bed.logLines.join('')).toMatch(/"code":"SERVICE_UNAVAILABLE".*"err":\{.*Mongo/);
    expect((await call(`${gateway.url}/readyz`)).status).toBe(503);
    expect((await call(`${gateway.url}/openapi.json`)).status).toBe(200);
  });
});
