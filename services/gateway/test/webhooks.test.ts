import type { WebhookCommand } from '@gleaner/contracts';
import { eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CallOptions, call } from './support/call.ts';
import { seedDelivery, startScriptedNotifier } from './support/scripted-notifier.ts';
import { startTestBed, type TestBed, type TestGateway, type TestKey } from './support/test-bed.ts';

let bed: TestBed;
let gateway: TestGateway;
let owner: TestKey;
let commands: readonly WebhookCommand[];

beforeAll(async () => {
  bed = await startTestBed();
  gateway = await bed.startGateway({ RATE_LIMIT_CREATE: '1000' });
  owner = await bed.createKey();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

function ask(path: string, options: CallOptions = {}) {
  return call(`${gateway.url}/v1/webhooks${path}`, { key: owner.key, ...options });
}

describe('without a notifier', () => {
  it.each([
    ['GET', '/secret'],
    ['POST', '/secret/rotate'],
  ])('%s %s answers 503 and names the service that is missing', async (method, path) => {
    const { json } = await ask(path, { method });
    expect(json.error).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'No webhook-notifier is running.',
    });
  });

  it('deliveries can be listed all the same', async () => {
    expect((await ask('/deliveries')).json).toMatchObject({ deliveries: [], pagination: { total: 0 } });
  });
});

describe('with a notifier', () => {
  beforeAll(async () => {
    ({ commands } = await startScriptedNotifier(bed.broker, bed.stores));
    await eventually(async () => expect((await ask('/secret')).status).toBe(200));
  });

  it('the secret is created at the first request, and stays the same', async () => {
    const first = await ask('/secret');
    expect(first.json).toMatchObject({ secret: expect.stringMatching(/^whsec_/), previousValidUntil: null });
    expect((await ask('/secret')).json).toEqual(first.json);
    expect(commands.filter(({ type }) => type === 'ensure-secret')).toHaveLength(1);
  });

  it('a new secret replaces the old one, which stays valid for some time', async () => {
    const before = (await ask('/secret')).json;
    const rotated = await ask('/secret/rotate', { method: 'POST' });
    expect(rotated.json.secret).not.toBe(before.secret);
    expect(Date.parse(rotated.json.previousValidUntil)).toBeGreaterThan(Date.now());
    expect((await ask('/secret')).json).toEqual(rotated.json);
  });

  it('accounts have secrets of their own', async () => {
    const stranger = await bed.createKey();
    const theirs = await ask('/secret', { key: stranger.key });
    expect(theirs.json.secret).not.toBe((await ask('/secret')).json.secret);
  });

  it('deliveries are listed with their attempts, newest first, without their bodies', async () => {
    const { key, accountId } = await bed.createKey();
    for (const jobId of ['job_a', 'job_b', 'job_a']) await seedDelivery(bed.stores, accountId, { jobId });
    const all = await ask('/deliveries?limit=2', { key });
    expect(all.json.deliveries.map(({ jobId }: { jobId: string }) => jobId)).toEqual(['job_a', 'job_b']);
    expect(all.json.pagination).toEqual({ limit: 2, offset: 0, total: 3, hasMore: true });
    expect(all.json.deliveries[0]).toMatchObject({
      status: 'failed',
      attemptCount: 1,
      attempts: [{ statusCode: 500, durationMs: 12, error: 'The endpoint answered 500.' }],
      nextAttemptAt: null,
    });
    expect(all.text).not.toContain('stays inside');
    expect((await ask('/deliveries?jobId=job_a', { key })).json.pagination.total).toBe(2);
    expect((await ask('/deliveries?status=failed', { key })).json.pagination.total).toBe(
      all.json.pagination.total,
    );
    expect((await ask('/deliveries?status=pending', { key })).json.pagination.total).toBe(0);
    expect((await ask('/deliveries?status=sent', { key })).json.error.code).toBe('INVALID_REQUEST');
  });

  it('a delivery is sent again at once, as pending', async () => {
    const { id, eventId } = await seedDelivery(bed.stores, owner.accountId);
    const { status, json } = await ask(`/deliveries/${id}/redeliver`, { method: 'POST' });
    expect(status).toBe(202);
    expect(json.delivery).toMatchObject({
      id,
      eventId,
      status: 'pending',
      nextAttemptAt: expect.any(String),
    });
  });

  it.each(['del_01jd8x0000000000000000000', 'nonsense', '%24ne', '%00', 'x'.repeat(5000)])(
    'there is no delivery %s to send again',
    async (id) => {
      const { json } = await ask(`/deliveries/${id}/redeliver`, { method: 'POST' });
      expect(json.error.code).toBe('DELIVERY_NOT_FOUND');
    },
  );

  it('a delivery of another account is neither found nor changed', async () => {
    const stranger = await bed.createKey();
    const { id } = await seedDelivery(bed.stores, stranger.accountId);
    expect((await ask(`/deliveries/${id}/redeliver`, { method: 'POST' })).json.error.code).toBe(
      'DELIVERY_NOT_FOUND',
    );
    expect(await bed.stores.deliveries.readDelivery(id)).toMatchObject({ status: 'failed' });
  });

  it('a test answers with its delivery', async () => {
    const { json } = await ask('/test', { body: { url: 'https://example.com/mine' } });
    expect(json.delivery).toMatchObject({ url: 'https://example.com/mine', attempts: [{ statusCode: 500 }] });
  });

  it.each([
    ['a private address', 'http://10.0.0.1/hook', 'INVALID_URL'],
    ['this machine', 'http://localhost/hook', 'INVALID_URL'],
    ['the metadata of a cloud', 'http://169.254.169.254/', 'INVALID_URL'],
    ['another scheme', 'ftp://example.com/hook', 'INVALID_URL'],
    ['a password', 'https://me:secret@example.com/', 'INVALID_URL'],
    ['no URL', 'example', 'INVALID_URL'],
    ['nothing', '', 'INVALID_URL'],
    ['a number', 7, 'INVALID_REQUEST'],
  ])('a test of %s is rejected, and so is a job with that webhook', async (_case, url, code) => {
    const test = await ask('/test', { body: { url } });
    expect(test.json.error.code).toBe(code);
    const body = { urls: ['https://example.com/'], webhook: { url } };
    const job = await call(`${gateway.url}/v1/jobs`, { key: owner.key, body });
    expect(job.json.error).toMatchObject({ code, details: [{ path: 'webhook.url' }] });
  });

  it.each(['limit=0', 'limit=101', 'offset=-1', 'jobId=a&jobId=b', 'status=sent'])(
    'a list with ?%s is refused',
    async (query) => {
      expect((await ask(`/deliveries?${query}`)).json.error.code).toBe('INVALID_REQUEST');
    },
  );

  it('a key without the scope is rejected on every route', async () => {
    const { key } = await bed.createKey({ scopes: ['jobs', 'schedules'] });
    const { json } = await ask('/secret', { key });
    expect(json.error.code).toBe('FORBIDDEN');
  });
});
