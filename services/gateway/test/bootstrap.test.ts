import { DEFAULT_ACCOUNT_ID } from '@gleaner/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { call } from './support/call.ts';
import { startTestBed, type TestBed, type TestGateway } from './support/test-bed.ts';

let bed: TestBed;

beforeEach(async () => {
  bed = await startTestBed();
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});

const KEY = `gl_${'0123456789abcdefghij'.repeat(2)}`;

function shownKeys(gateways: readonly TestGateway[]): string[] {
  return gateways.flatMap(({ shown }) => shown.flatMap((text) => text.match(/gl_[0-9A-Za-z]{43}/g) ?? []));
}

describe('the first start', () => {
  it('creates one admin key when several gateways start at once, and shows it once, not in the log', async () => {
    const gateways = await Promise.all([1, 2, 3].map(() => bed.startGateway()));
    const keys = shownKeys(gateways);
    expect(keys).toHaveLength(1);
    const [key = ''] = keys;
    const { json } = await call(`${gateways[0]?.url}/v1/keys`, { key });
    expect(json.pagination.total).toBe(1);
    expect(json.keys[0].scopes).toContain('admin');
    expect(bed.logLines.join('')).not.toContain(key.slice(3));
  });

  it('creates the key when the gateway that was about to has died', async () => {
    const claim = { keyId: DEFAULT_ACCOUNT_ID, class: 'bootstrap', limit: 1, windowMs: 60_000 };
    // Its claim expires in some seconds.
    await bed.stores.rateLimits.takeFromRateLimit({ ...claim, now: new Date(Date.now() - 57_000) });
    expect(shownKeys([await bed.startGateway()])).toHaveLength(1);
  });

  it('creates no key at later starts', async () => {
    await bed.startGateway();
    expect(shownKeys([await bed.startGateway()])).toEqual([]);
  });

  it("imports the operator's key instead, the same on every gateway", async () => {
    const gateways = await Promise.all([1, 2].map(() => bed.startGateway({ BOOTSTRAP_API_KEY: KEY })));
    expect(shownKeys(gateways)).toEqual([]);
    for (const { url } of gateways) {
      const { json } = await call(`${url}/v1/keys`, { key: KEY });
      expect(json.pagination.total).toBe(1);
    }
    expect(bed.logLines.join('')).not.toContain(KEY.slice(3));
  });

  it('rejects a key that could be guessed, without showing it', async () => {
    const weak = 'aaaaaaaaaaaaaaaaaaaaaaaa';
    const fault = await bed.startGateway({ BOOTSTRAP_API_KEY: weak }).catch((error: Error) => error);
    expect(fault).toMatchObject({
      message: expect.stringContaining('BOOTSTRAP_API_KEY cannot be used'),
    });
    expect(JSON.stringify(fault) + String(fault)).not.toContain(weak);
  });

  it('does not restore a revoked key', async () => {
    const { url } = await bed.startGateway({ BOOTSTRAP_API_KEY: KEY });
    const { json } = await call(`${url}/v1/keys`, { key: KEY });
    await call(`${url}/v1/keys/${json.keys[0].id}`, { key: KEY, method: 'DELETE' });
    const next = await bed.startGateway({ BOOTSTRAP_API_KEY: KEY });
    expect((await call(`${next.url}/v1/keys`, { key: KEY })).status).toBe(401);
    expect(bed.logLines.join('')).toContain('BOOTSTRAP_API_KEY was revoked');
  });
});
