import { eventually, startWebhookReceiver } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { deliveriesOf, untilStatus, verified } from './read-deliveries.ts';
import { ACCOUNT, startTestBed, type TestBed } from './start-test-bed.ts';

type Receiver = Awaited<ReturnType<typeof startWebhookReceiver>>;

let bed: TestBed;
let receiver: Receiver;

beforeEach(async () => {
  [bed, receiver] = await Promise.all([startTestBed(), startWebhookReceiver()]);
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
  await receiver.close();
});

describe('a receiver', () => {
  it('that fails, stalls, resets, redirects and recovers gets the same bytes under the same id each time', async () => {
    await bed.startNotifier({ DELIVERY_TIMEOUT_MS: '15000' });
    receiver.script(
      { status: 503 },
      { status: 'stall' },
      { status: 'reset' },
      { status: 302, headers: { location: 'http://169.254.169.254/' } },
    );
    const jobId = await bed.seedJob({ webhook: receiver.url });
    await bed.announce(jobId);
    const delivery = await untilStatus(bed, jobId, 'delivered');
    expect(delivery?.attempts.map(({ statusCode, error }) => [statusCode, error])).toEqual([
      [503, 'The endpoint answered 503.'],
      [undefined, expect.stringContaining('time ran out')],
      [undefined, expect.stringContaining('closed the connection')],
      [302, 'The endpoint answered 302; redirects are not followed.'],
      [200, undefined],
    ]);
    expect(receiver.deliveries).toHaveLength(5);
    for (const received of receiver.deliveries) {
      await verified(bed, received);
      expect(received.body).toEqual(receiver.deliveries[0]?.body);
      expect(received.headers['webhook-id']).toBe(delivery?.eventId);
    }
  });

  it('that answers 410 is not asked again', async () => {
    await bed.startNotifier();
    receiver.script({ status: 410 });
    const jobId = await bed.seedJob({ webhook: receiver.url });
    await bed.announce(jobId);
    expect(await untilStatus(bed, jobId, 'gone')).toMatchObject({
      attemptCount: 1,
      reason: expect.stringContaining('410'),
    });
  });

  it('that sends a Retry-After is left alone for that time', async () => {
    await bed.startNotifier();
    receiver.script({ status: 429, headers: { 'retry-after': '2' } });
    const jobId = await bed.seedJob({ webhook: receiver.url });
    await bed.announce(jobId);
    await untilStatus(bed, jobId, 'delivered');
    const [first, second] = receiver.deliveries.map(({ receivedAt }) => receivedAt.getTime());
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(1990);
  });

  it('that never accepts the event is given up after eight attempts, and can be asked again', async () => {
    await bed.startNotifier({ RETRY_SCALE: '0.0001' });
    receiver.script(...Array.from({ length: 8 }, () => ({ status: 400 })));
    const jobId = await bed.seedJob({ webhook: receiver.url });
    await bed.announce(jobId);
    const failed = await untilStatus(bed, jobId, 'failed');
    expect(failed).toMatchObject({ attemptCount: 8, reason: 'All 8 attempts failed.' });
    await bed.command({ type: 'redeliver', accountId: ACCOUNT, deliveryId: failed?.id ?? '' });
    expect(await untilStatus(bed, jobId, 'delivered')).toMatchObject({ attemptCount: 9 });
    expect(new Set(receiver.deliveries.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('on a private address is never connected to, and the log says why', async () => {
    await bed.startNotifier({ EGRESS_ALLOW: '' });
    const jobId = await bed.seedJob({ webhook: receiver.url });
    await bed.announce(jobId);
    await eventually(async () => {
      const [delivery] = await deliveriesOf(bed, jobId);
      expect(delivery?.attempts[0]?.error).toMatch(/public addresses only.*EGRESS_ALLOW=127\.0\.0\.1:\d+/);
    });
    expect(receiver.deliveries).toHaveLength(0);
  });

  it('that is dead or slow delays no other', async () => {
    await bed.startNotifier({ DELIVERY_CONCURRENCY: '10', ENDPOINT_CONCURRENCY: '3', RETRY_SCALE: '1' });
    await using slow = await startWebhookReceiver();
    slow.script(...Array.from({ length: 200 }, () => ({ status: 'stall' as const })));
    const waiting = await bed.seedJob({ webhook: slow.url });
    for (let count = 0; count < 40; count++) await bed.announce(waiting);
    const live = await bed.seedJob({ webhook: receiver.url });
    for (let count = 0; count < 20; count++) await bed.announce(live);
    await eventually(() => expect(receiver.deliveries).toHaveLength(20));
    const states = (await deliveriesOf(bed, waiting)).map(({ status }) => status);
    expect(new Set(states)).toEqual(new Set(['pending']));
  });
});

describe('hundreds of deliveries to dead endpoints', () => {
  /** Returns a number of endpoints of one receiver that never answer. */
  async function startDeadEndpoints(count: number) {
    const dead = await startWebhookReceiver();
    dead.script(...Array.from({ length: 10_000 }, () => ({ status: 'stall' as const })));
    return { dead, urls: Array.from({ length: count }, (_, index) => `${dead.url}/${index}`) };
  }
  // No attempt times out during the test on a machine that is not very busy, so what arrives has not waited
  // for one, and what comes late is not queued again.
  const PATIENT = { RETRY_SCALE: '1', OVERDUE_AFTER_MS: '600000' };

  it.each([
    ['one notifier', 1, 250],
    ['two notifiers', 2, 500],
  ])('do not delay a new endpoint: %s', async (_case, notifiers, count) => {
    for (let started = 0; started < notifiers; started++) await bed.startNotifier(PATIENT);
    const { dead, urls } = await startDeadEndpoints(count);
    await using _dead = dead;
    await bed.queue(urls);
    await eventually(() => expect(dead.deliveries.length).toBeGreaterThan(100));
    await bed.queue(Array<string>(20).fill(receiver.url));
    await eventually(() => expect(receiver.deliveries).toHaveLength(20));
  });

  it('beyond the number of places do not delay an endpoint that accepted its last event', async () => {
    await bed.startNotifier(PATIENT);
    await bed.queue([receiver.url]);
    await eventually(() => expect(receiver.deliveries).toHaveLength(1));
    const { dead, urls } = await startDeadEndpoints(700);
    await using _dead = dead;
    await bed.queue(urls);
    await eventually(() => expect(dead.deliveries.length).toBeGreaterThanOrEqual(300));
    await bed.queue(Array<string>(20).fill(receiver.url));
    await eventually(() => expect(receiver.deliveries).toHaveLength(21));
    expect(dead.deliveries.length).toBeLessThan(700);
  });

  it('at the same host do not delay its healthy endpoints', async () => {
    await bed.startNotifier({ ...PATIENT, ENDPOINT_CONCURRENCY: '2' });
    await using host = await startWebhookReceiver();
    host.script({ status: 'stall' }, { status: 'stall' });
    await bed.queue(Array<string>(50).fill(`${host.url}/dead`));
    await eventually(() => expect(host.deliveries).toHaveLength(2));
    await bed.queue(Array<string>(10).fill(`${host.url}/live`));
    await eventually(() => expect(host.deliveries).toHaveLength(12));
  });
});

describe('the secret', () => {
  it('that was rotated still signs beside the new one', async () => {
    await bed.startNotifier();
    await bed.command({ type: 'ensure-secret', accountId: ACCOUNT });
    const before = await bed.stores.webhookSecrets.findSecret(ACCOUNT);
    await bed.command({ type: 'rotate-secret', accountId: ACCOUNT });
    const jobId = await bed.seedJob({ webhook: receiver.url });
    await bed.announce(jobId);
    await untilStatus(bed, jobId, 'delivered');
    const [received] = receiver.deliveries;
    if (!received) throw new Error('Nothing came.');
    await verified(bed, received);
    await verified(bed, received, before?.secret);
    expect(bed.logLines.join('')).not.toContain('whsec_');
  });

  it('that was rotated no longer signs after its grace period', async () => {
    await bed.startNotifier({ SECRET_GRACE_MS: '0' });
    await bed.command({ type: 'ensure-secret', accountId: ACCOUNT });
    await bed.command({ type: 'rotate-secret', accountId: ACCOUNT });
    const jobId = await bed.seedJob({ webhook: receiver.url });
    await bed.announce(jobId);
    await untilStatus(bed, jobId, 'delivered');
    expect(receiver.deliveries[0]?.headers['webhook-signature']).not.toContain(' ');
  });
});

describe('a test event', () => {
  it('is sent once, and the reply to the command comes after the answer of the endpoint', async () => {
    await bed.startNotifier();
    receiver.script({ status: 500 });
    const { deliveryId = '' } = await bed.command({ type: 'test', accountId: ACCOUNT, url: receiver.url });
    expect(await bed.stores.deliveries.findDelivery(ACCOUNT, deliveryId)).toMatchObject({
      type: 'webhook.test',
      status: 'failed',
      attempts: [{ statusCode: 500 }],
    });
    const [received] = receiver.deliveries;
    if (!received) throw new Error('Nothing came.');
    expect(await verified(bed, received)).toMatchObject({ type: 'webhook.test' });
  });
});
