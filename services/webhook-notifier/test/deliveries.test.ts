import { eventually, startWebhookReceiver } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { ACCOUNT, startTestBed, type TestBed } from './start-test-bed.ts';

type Receiver = Awaited<ReturnType<typeof startWebhookReceiver>>;
type Received = Receiver['deliveries'][number];

let bed: TestBed;
let receiver: Receiver;

beforeEach(async () => {
  [bed, receiver] = await Promise.all([startTestBed(), startWebhookReceiver()]);
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
  await receiver.close();
});

/** Returns the event after verifying its signature with the given secret, else the account's. */
async function verified({ body, headers }: Received, secret?: string): Promise<Record<string, unknown>> {
  const known = secret ?? (await bed.stores.webhookSecrets.findSecret(ACCOUNT))?.secret ?? '';
  return new Webhook(known).verify(body.toString(), headers as Record<string, string>) as Record<
    string,
    unknown
  >;
}

async function deliveriesOf(jobId: string) {
  return (await bed.stores.deliveries.listDeliveries(ACCOUNT, { jobId, limit: 100, offset: 0 })).deliveries;
}

async function untilStatus(jobId: string, status: string, timeoutMs = 10_000) {
  return await eventually(
    async () => {
      const [delivery] = await deliveriesOf(jobId);
      expect(delivery).toMatchObject({ status });
      return delivery;
    },
    { timeoutMs },
  );
}

describe('an event', () => {
  it('arrives signed, with the job, its results and metadata', async () => {
    await bed.startNotifier();
    const jobId = await bed.seedJob({
      webhook: { url: receiver.url, metadata: { order: '7' } },
      data: ['{"title":"Grüße 👋","$odd.name":null}', '{"title":"b"}'],
    });
    const event = await bed.announce(jobId);
    await untilStatus(jobId, 'delivered');
    const [received] = receiver.deliveries;
    if (!received) throw new Error('Nothing came.');
    expect(await verified(received)).toEqual({
      id: event.id,
      type: 'job.completed',
      timestamp: event.at,
      data: {
        metadata: { order: '7' },
        job: expect.objectContaining({
          id: jobId,
          status: 'completed',
          results: [
            { url: 'https://example.com/0', data: { title: 'Grüße 👋', '$odd.name': null } },
            { url: 'https://example.com/1', data: { title: 'b' } },
          ],
        }),
      },
    });
    expect(received.headers).toMatchObject({ 'webhook-id': event.id, 'content-type': 'application/json' });
  });

  it('that comes three times makes one delivery, and one that no webhook wants makes none', async () => {
    await bed.startNotifier();
    const jobId = await bed.seedJob({ webhook: receiver.url });
    const { id } = await bed.announce(jobId);
    await bed.announce(jobId, 'job.completed', id);
    await bed.announce(jobId, 'job.started');
    await bed.announce(await bed.seedJob({}));
    await bed.announce('job_unknown');
    await bed.announce(jobId, 'job.completed', id);
    const marker = await bed.seedJob({ webhook: receiver.url });
    await bed.announce(marker);
    await untilStatus(marker, 'delivered');
    expect(await deliveriesOf(jobId)).toHaveLength(1);
    expect(receiver.deliveries).toHaveLength(2);
  });

  it('of a job with more than 1 MiB of results links to all of them', async () => {
    await bed.startNotifier({ PUBLIC_URL: 'https://gleaner.test/' });
    const data = Array.from({ length: 12 }, () => JSON.stringify({ text: 'x'.repeat(100_000) }));
    const jobId = await bed.seedJob({ webhook: receiver.url, data });
    await bed.announce(jobId);
    await untilStatus(jobId, 'delivered');
    const [received] = receiver.deliveries;
    if (!received) throw new Error('Nothing came.');
    const { data: content } = (await verified(received)) as { data: { job: Record<string, unknown[]> } };
    expect(content.job).toMatchObject({
      resultsTruncated: true,
      resultsUrl: `https://gleaner.test/v1/jobs/${jobId}/results`,
    });
    expect(content.job.results).toHaveLength(10);
  });

  it('of a batch of results has these and no others, whether or not its pages are marked yet', async () => {
    await bed.startNotifier();
    const webhook = { url: receiver.url, events: ['job.pages' as const, 'job.completed' as const] };
    const data = ['{"n":0}', '{"n":1}', '{"n":2}'];
    const jobId = await bed.seedJob({ webhook, data, batches: [[0, 2], [1]] });
    const first = await bed.announce(jobId, 'job.pages', undefined, 1);
    const last = await bed.announce(jobId, 'job.pages', undefined, 2);
    const finished = await bed.announce(jobId);
    await eventually(() => expect(receiver.deliveries).toHaveLength(3));
    const result = (n: number) => ({ url: `https://example.com/${n}`, data: { n } });
    const byId = new Map(
      await Promise.all(
        receiver.deliveries.map(async (each) => {
          const event = await verified(each);
          return [event.id, event] as const;
        }),
      ),
    );
    expect(byId.get(first.id)).toMatchObject({
      type: 'job.pages',
      data: {
        batch: { number: 1, part: 1, isLastPart: true },
        job: { id: jobId, results: [result(0), result(2)] },
      },
    });
    expect(byId.get(last.id)).toMatchObject({
      data: { batch: { number: 2, part: 1, isLastPart: true }, job: { results: [result(1)] } },
    });
    expect(byId.get(finished.id)).toMatchObject({ type: 'job.completed', data: { batches: 2 } });
    expect((await deliveriesOf(jobId)).map(({ batch }) => batch).toSorted()).toEqual([1, 2, undefined]);
  });

  it('of a batch over 1 MiB comes in parts, each once however often it is announced, and links a result that is larger', async () => {
    await bed.startNotifier({ PUBLIC_URL: 'https://gleaner.test/' });
    const text = (length: number) => JSON.stringify({ text: 'x'.repeat(length) });
    const data = [text(600_000), text(600_000), text(1_100_000), text(10)];
    const webhook = { url: receiver.url, events: ['job.pages' as const] };
    const jobId = await bed.seedJob({ webhook, data, batches: [[0, 1, 2, 3]] });
    const { id } = await bed.announce(jobId, 'job.pages', undefined, 1);
    await bed.announce(jobId, 'job.pages', id, 1);
    await eventually(() => expect(receiver.deliveries).toHaveLength(2));
    const marker = await bed.seedJob({ webhook: receiver.url });
    await bed.announce(marker);
    await untilStatus(marker, 'delivered');
    expect(receiver.deliveries).toHaveLength(3);
    const parts = receiver.deliveries
      .map(
        ({ json }) => json as { id: string; data: { batch?: { part: number }; job: { results: object[] } } },
      )
      .filter(({ data: { batch } }) => batch)
      .toSorted((one, other) => (one.data.batch?.part ?? 0) - (other.data.batch?.part ?? 0));
    expect(parts).toMatchObject([
      { id, data: { batch: { number: 1, part: 1, isLastPart: false } } },
      { id: `${id}_2`, data: { batch: { number: 1, part: 2, isLastPart: true } } },
    ]);
    expect(parts[0]?.data.job.results).toMatchObject([{ url: 'https://example.com/0' }]);
    expect(parts[1]?.data.job.results).toEqual([
      { url: 'https://example.com/1', data: JSON.parse(data[1] ?? '') },
      {
        ...{ url: 'https://example.com/2', resultTruncated: true },
        resultsUrl: `https://gleaner.test/v1/jobs/${jobId}/results`,
      },
      { url: 'https://example.com/3', data: JSON.parse(data[3] ?? '') },
    ]);
  });

  it('of a batch is not sent to a webhook that does not name it', async () => {
    await bed.startNotifier();
    const jobId = await bed.seedJob({ webhook: receiver.url, batches: [[0]] });
    await bed.announce(jobId, 'job.pages', undefined, 1);
    await bed.announce(jobId);
    await untilStatus(jobId, 'delivered');
    expect(receiver.deliveries.map(({ json }) => json)).toMatchObject([{ type: 'job.completed' }]);
    const [data] = receiver.deliveries.map(({ json }) => (json as { data: object }).data);
    expect(data).not.toHaveProperty('batches');
  });

  it('contains the changes that a schedule found, and is not sent without changes', async () => {
    await bed.startNotifier();
    const run = async (title: string) => {
      const webhook = { url: receiver.url, events: ['schedule.changed' as const] };
      const jobId = await bed.seedJob({ webhook, scheduleId: 'sch_1', data: [`{"title":"${title}"}`] });
      await bed.announce(jobId);
      return jobId;
    };
    await run('old');
    await run('old');
    const changed = await run('new');
    await untilStatus(changed, 'delivered');
    expect(receiver.deliveries.map(({ json }) => json)).toMatchObject([
      {
        type: 'schedule.changed',
        data: {
          changes: { title: { previous: 'old', current: 'new' } },
          job: { id: changed, scheduleId: 'sch_1' },
        },
      },
    ]);
  });
});

describe('the changes that a schedule of several URLs found', () => {
  const webhook = (url: string) => ({ url, events: ['schedule.changed' as const] });
  const run = async (scheduleId: string, data: readonly string[], status: 'completed' | 'partial') => {
    const jobId = await bed.seedJob({ webhook: webhook(receiver.url), scheduleId, status, data });
    await bed.announce(jobId, `job.${status}`);
    return jobId;
  };
  const title = (text: string) => JSON.stringify({ title: text });

  it('are listed by page, also of runs in which others failed', async () => {
    await bed.startNotifier();
    await run('sch_3', [title('a'), title('b'), title('c')], 'completed');
    await run('sch_3', [title('a'), title('b'), title('c')], 'completed');
    // The third page is missing from this run; its last success is two runs before the next one.
    await run('sch_3', [title('a'), title('b')], 'partial');
    const changed = await run('sch_3', [title('a'), title('B'), title('C')], 'partial');
    await untilStatus(changed, 'delivered');
    expect(receiver.deliveries.map(({ json }) => json)).toMatchObject([{ type: 'schedule.changed' }]);
    const [{ data }] = receiver.deliveries.map(({ json }) => json) as [{ data: Record<string, unknown> }];
    expect(data).toMatchObject({ job: { id: changed, scheduleId: 'sch_3' } });
    expect(data).not.toHaveProperty('changes');
    expect(data.pages).toEqual([
      { url: 'https://example.com/1', changes: { title: { previous: 'b', current: 'B' } } },
      { url: 'https://example.com/2', changes: { title: { previous: 'c', current: 'C' } } },
    ]);
  });

  it('fill at most 1 MiB, and the pages that do not fit are counted', async () => {
    await bed.startNotifier();
    const texts = (letter: string) => Array.from({ length: 7 }, () => title(letter.repeat(100_000)));
    await run('sch_4', texts('a'), 'completed');
    const changed = await run('sch_4', texts('b'), 'completed');
    await untilStatus(changed, 'delivered');
    type Sent = { data: { pages: object[]; pagesOmitted?: number } };
    const [{ data }] = receiver.deliveries.map(({ json }) => json) as [Sent];
    expect(data.pages.filter((page) => !('changesOmitted' in page))).toHaveLength(5);
    expect(data.pages.length + (data.pagesOmitted ?? 0)).toBe(7);
    expect(Buffer.byteLength(JSON.stringify(data.pages))).toBeLessThanOrEqual(1024 * 1024);
  });
});

describe('a webhook of a job without data', () => {
  it('contains the formats, and their changes by name', async () => {
    await bed.startNotifier();
    const run = async (text: string, events: ('job.completed' | 'schedule.changed')[]) => {
      const webhook = { url: receiver.url, events };
      const page = { data: [`{"text":"${text}","html":"<p>"}`], member: 'formats' as const };
      const jobId = await bed.seedJob({ webhook, scheduleId: 'sch_2', ...page });
      await bed.announce(jobId);
      return jobId;
    };
    await run('old', ['schedule.changed']);
    const changed = await run('new', ['schedule.changed']);
    await untilStatus(changed, 'delivered');
    await untilStatus(await run('new', ['job.completed']), 'delivered');
    expect(receiver.deliveries.map(({ json }) => json)).toMatchObject([
      { data: { changes: { 'formats.text': { previous: 'old', current: 'new' } } } },
      { data: { job: { results: [{ formats: { text: 'new', html: '<p>' } }] } } },
    ]);
  });
});

describe('a receiver', () => {
  it('that fails, stalls, resets, redirects and recovers gets the same bytes under the same id each time', async () => {
    await bed.startNotifier();
    receiver.script(
      { status: 503 },
      { status: 'stall' },
      { status: 'reset' },
      { status: 302, headers: { location: 'http://169.254.169.254/' } },
    );
    const jobId = await bed.seedJob({ webhook: receiver.url });
    await bed.announce(jobId);
    const delivery = await untilStatus(jobId, 'delivered', 15_000);
    expect(delivery?.attempts.map(({ statusCode, error }) => [statusCode, error])).toEqual([
      [503, 'The endpoint answered 503.'],
      [undefined, expect.stringContaining('time ran out')],
      [undefined, expect.stringContaining('closed the connection')],
      [302, 'The endpoint answered 302; redirects are not followed.'],
      [200, undefined],
    ]);
    expect(receiver.deliveries).toHaveLength(5);
    for (const received of receiver.deliveries) {
      await verified(received);
      expect(received.body).toEqual(receiver.deliveries[0]?.body);
      expect(received.headers['webhook-id']).toBe(delivery?.eventId);
    }
  });

  it('that answers 410 is not asked again', async () => {
    await bed.startNotifier();
    receiver.script({ status: 410 });
    const jobId = await bed.seedJob({ webhook: receiver.url });
    await bed.announce(jobId);
    expect(await untilStatus(jobId, 'gone')).toMatchObject({
      attemptCount: 1,
      reason: expect.stringContaining('410'),
    });
  });

  it('that sends a Retry-After is left alone for that time', async () => {
    await bed.startNotifier();
    receiver.script({ status: 429, headers: { 'retry-after': '2' } });
    const jobId = await bed.seedJob({ webhook: receiver.url });
    await bed.announce(jobId);
    await untilStatus(jobId, 'delivered');
    const [first, second] = receiver.deliveries.map(({ receivedAt }) => receivedAt.getTime());
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(1990);
  });

  it('that never accepts the event is given up after eight attempts, and can be asked again', async () => {
    await bed.startNotifier({ RETRY_SCALE: '0.0001' });
    receiver.script(...Array.from({ length: 8 }, () => ({ status: 400 })));
    const jobId = await bed.seedJob({ webhook: receiver.url });
    await bed.announce(jobId);
    const failed = await untilStatus(jobId, 'failed', 20_000);
    expect(failed).toMatchObject({ attemptCount: 8, reason: 'All 8 attempts failed.' });
    await bed.command({ type: 'redeliver', accountId: ACCOUNT, deliveryId: failed?.id ?? '' });
    expect(await untilStatus(jobId, 'delivered')).toMatchObject({ attemptCount: 9 });
    expect(new Set(receiver.deliveries.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('on a private address is never connected to, and the log says why', async () => {
    await bed.startNotifier({ EGRESS_ALLOW: '' });
    const jobId = await bed.seedJob({ webhook: receiver.url });
    await bed.announce(jobId);
    await eventually(async () => {
      const [delivery] = await deliveriesOf(jobId);
      expect(delivery?.attempts[0]?.error).toContain('public addresses only');
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
    const states = (await deliveriesOf(waiting)).map(({ status }) => status);
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
  // No hanging attempt times out during the test, so what arrives has not waited for one.
  const PATIENT = { DELIVERY_TIMEOUT_MS: '60000', RETRY_SCALE: '1' };

  it.each([
    ['one notifier', 1, 250],
    ['two notifiers', 2, 500],
  ])('do not delay a new endpoint: %s', async (_case, notifiers, count) => {
    for (let started = 0; started < notifiers; started++) await bed.startNotifier(PATIENT);
    const { dead, urls } = await startDeadEndpoints(count);
    await using _dead = dead;
    await bed.queue(urls);
    await eventually(() => expect(dead.deliveries.length).toBeGreaterThan(100), { timeoutMs: 30_000 });
    await bed.queue(Array<string>(20).fill(receiver.url));
    await eventually(() => expect(receiver.deliveries).toHaveLength(20), { timeoutMs: 30_000 });
  });

  it('beyond the number of places do not delay an endpoint that accepted its last event', async () => {
    await bed.startNotifier(PATIENT);
    await bed.queue([receiver.url]);
    await eventually(() => expect(receiver.deliveries).toHaveLength(1));
    const { dead, urls } = await startDeadEndpoints(700);
    await using _dead = dead;
    await bed.queue(urls);
    await eventually(() => expect(dead.deliveries).toHaveLength(300), { timeoutMs: 30_000 });
    await bed.queue(Array<string>(20).fill(receiver.url));
    await eventually(() => expect(receiver.deliveries).toHaveLength(21), { timeoutMs: 30_000 });
    expect(dead.deliveries).toHaveLength(300);
  }, 180_000);

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
    await untilStatus(jobId, 'delivered');
    const [received] = receiver.deliveries;
    if (!received) throw new Error('Nothing came.');
    await verified(received);
    await verified(received, before?.secret);
    expect(bed.logLines.join('')).not.toContain('whsec_');
  });

  it('that was rotated no longer signs after its grace period', async () => {
    await bed.startNotifier({ SECRET_GRACE_MS: '0' });
    await bed.command({ type: 'ensure-secret', accountId: ACCOUNT });
    await bed.command({ type: 'rotate-secret', accountId: ACCOUNT });
    const jobId = await bed.seedJob({ webhook: receiver.url });
    await bed.announce(jobId);
    await untilStatus(jobId, 'delivered');
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
    expect(await verified(received)).toMatchObject({ type: 'webhook.test' });
  });
});
