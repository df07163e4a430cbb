import { describe, expect, it } from '@jest/globals';
import { call } from './support/call.ts';
import { found } from './support/scripted-worker.ts';
import { useGateway } from './support/use-gateway.ts';

const PAGE = 'https://example.com/';
const PROXIES =
  'us=http://cust:s3cret@proxy.example:8080, de=socks5://proxy.example, us=https://proxy.example';

const service = useGateway({ PROXIES }, { balance: 100 });

const scrape = (body: object) => call(`${service.gateway.url}/v1/scrape`, { key: service.owner.key, body });

describe('proxy', () => {
  it('is passed on for a country with proxies, and charged as the worker reports', async () => {
    service.worker.follow(() =>
      found({
        price: { base: 1, proxy: 5 },
        attempts: [{ engine: 'http', proxy: 'us-2', statusCode: 200, outcome: 'success', durationMs: 7 }],
      }),
    );
    const { json } = await scrape({ url: PAGE, proxy: 'us' });
    expect(service.worker.commands[0]?.request.proxy).toBe('us');
    expect(json.metadata).toMatchObject({ credits: 6, attempts: [{ proxy: 'us-2' }] });
    const { json: usage } = await call(`${service.gateway.url}/v1/usage`, { key: service.owner.key });
    expect(usage.usage).toMatchObject({ used: 6, remaining: 94 });
  });

  it('is rejected for other countries, listing the available ones', async () => {
    const { status, json } = await scrape({ url: PAGE, proxy: 'fr' });
    expect(status).toBe(400);
    expect(json.error).toMatchObject({
      code: 'INVALID_REQUEST',
      details: [{ path: 'proxy', message: 'names a country without proxies; available: de, us' }],
    });
    expect(service.worker.commands).toEqual([]);
  });

  it('is not held for an account whose credits do not cover it', async () => {
    const poor = await service.bed.createKey({ balance: 5 });
    const { status } = await call(`${service.gateway.url}/v1/scrape`, {
      key: poor.key,
      body: { url: PAGE, proxy: 'us' },
    });
    expect(status).toBe(402);
  });
});

describe('a gateway with an invalid proxy configuration', () => {
  it.each([
    [{ PROXIES: 'us=ftp://cust:s3cret@proxy.example' }, 'PROXIES: entry 1 has a scheme'],
    [{ PROXIES: '{"us": "http://cust:s3cret@proxy.example' }, 'PROXIES: must be a JSON object'],
    [{ PROXIES: 'us=http://cust:s3cret@10.0.0.1:3128' }, 'us-1 is on a private network'],
    [{ PROXIES_FILE: '/nowhere/proxies.json' }, 'PROXIES_FILE names "/nowhere/proxies.json"'],
  ])('does not start, and shows the reason without a secret', async (env, words) => {
    const fault = await service.bed.startGateway(env).catch((thrown: Error) => thrown);
    expect(fault).toMatchObject({ message: expect.stringContaining(words) });
    expect(String((fault as Error).stack)).not.toContain('s3cret');
  });
});
