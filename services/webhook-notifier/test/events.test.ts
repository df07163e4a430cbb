import { createHmac } from 'node:crypto';
import { defined, firecrawlIdOf } from '@gleaner/contracts';
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

describe('an event of a webhook of Firecrawl’s API', () => {
  it('arrives page by page in the form of Firecrawl, signed, with the headers of the request', async () => {
    await bed.startNotifier();
    const webhook = {
      url: receiver.url,
      events: ['job.started' as const, 'job.pages' as const, 'job.completed' as const],
      firecrawl: {
        kind: 'crawl' as const,
        headers: { 'X-Receiver': 'secret', 'Content-Type': 'text/plain' },
        metadata: { order: { id: 7 } },
      },
    };
    const metadata =
      '{"url":"https://example.com/","finalUrl":"https://example.com/","statusCode":200,"credits":1,"creditsBreakdown":{"base":1}}';
    const data = ['One', 'Two', 'x'.repeat(1_100_000)].map(
      (text) => `{"markdown":"${text}"},"metadata":${metadata}`,
    );
    const jobId = await bed.seedJob({ webhook, data, member: 'formats', batches: [[0, 1, 2]] });
    await bed.announce(jobId, 'job.started');
    const { id } = await bed.announce(jobId, 'job.pages', undefined, 1);
    await bed.announce(jobId, 'job.pages', id, 1);
    await bed.announce(jobId, 'job.completed');
    await bed.announce(jobId, 'job.failed');
    await eventually(() => expect(receiver.deliveries).toHaveLength(5));
    const marker = await bed.seedJob({ webhook: receiver.url });
    await bed.announce(marker);
    await untilStatus(bed, marker, 'delivered');
    const received = receiver.deliveries.slice(0, 5);
    const head = {
      success: true,
      id: firecrawlIdOf(jobId),
      webhookId: expect.any(String),
      metadata: { order: { id: 7 } },
    };
    const bodies = received.map(({ json }) => json as { type: string; webhookId: string; data: object[] });
    expect(bodies).toEqual(
      expect.arrayContaining([
        { ...head, type: 'crawl.started', data: [] },
        { ...head, type: 'crawl.page', data: [expect.objectContaining({ markdown: 'One' })] },
        { ...head, type: 'crawl.page', data: [expect.objectContaining({ markdown: 'Two' })] },
        {
          ...head,
          type: 'crawl.page',
          data: [{ metadata: { sourceURL: 'https://example.com/2' }, warning: expect.any(String) }],
        },
        { ...head, type: 'crawl.completed', data: [] },
      ]),
    );
    expect(receiver.deliveries).toHaveLength(6);
    expect(new Set(bodies.map(({ webhookId }) => webhookId)).size).toBe(5);
    const secret = (await bed.stores.webhookSecrets.findSecret(ACCOUNT))?.secret ?? '';
    for (const each of received) {
      expect(each.headers).toMatchObject({
        'x-receiver': 'secret',
        'content-type': 'application/json',
        'x-firecrawl-signature': `sha256=${createHmac('sha256', secret).update(each.body).digest('hex')}`,
      });
      await verified(bed, each);
    }
    expect(receiver.deliveries[5]?.headers).not.toHaveProperty('x-firecrawl-signature');
  });
});

describe('an event', () => {
  it('arrives signed, with the job, its results and metadata', async () => {
    await bed.startNotifier();
    const jobId = await bed.seedJob({
      webhook: { url: receiver.url, metadata: { order: '7' } },
      data: ['{"title":"Grüße 👋","$odd.name":null}', '{"title":"b"}'],
    });
    const event = await bed.announce(jobId);
    await untilStatus(bed, jobId, 'delivered');
    const [received] = receiver.deliveries;
    if (!received) throw new Error('Nothing came.');
    expect(await verified(bed, received)).toEqual({
      id: event.id,
      type: 'job.completed',
      timestamp: event.at,
      data: {
        metadata: { order: '7' },
        job: expect.objectContaining({
          id: jobId,
          status: 'completed',
          verdicts: { content: 2 },
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
    await untilStatus(bed, marker, 'delivered');
    expect(await deliveriesOf(bed, jobId)).toHaveLength(1);
    expect(receiver.deliveries).toHaveLength(2);
  });

  it('of a job with more than 1 MiB of results links to all of them', async () => {
    await bed.startNotifier({ PUBLIC_URL: 'https://gleaner.test/' });
    const data = Array.from({ length: 12 }, () => JSON.stringify({ text: 'x'.repeat(100_000) }));
    const jobId = await bed.seedJob({ webhook: receiver.url, data });
    await bed.announce(jobId);
    await untilStatus(bed, jobId, 'delivered');
    const [received] = receiver.deliveries;
    if (!received) throw new Error('Nothing came.');
    const { data: content } = (await verified(bed, received)) as { data: { job: Record<string, unknown[]> } };
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
          const event = await verified(bed, each);
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
    expect((await deliveriesOf(bed, jobId)).map(({ batch }) => batch).toSorted()).toEqual([1, 2, undefined]);
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
    await untilStatus(bed, marker, 'delivered');
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
        url: 'https://example.com/2',
        resultTruncated: true,
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
    await untilStatus(bed, jobId, 'delivered');
    expect(receiver.deliveries.map(({ json }) => json)).toMatchObject([{ type: 'job.completed' }]);
    const [data] = receiver.deliveries.map(({ json }) => (json as { data: object }).data);
    expect(data).not.toHaveProperty('batches');
  });

  it('contains what a run found changed, without its results, and is not sent without changes', async () => {
    await bed.startNotifier();
    const run = async (status: 'completed' | 'partial', changes?: readonly object[]) => {
      const webhook = { url: receiver.url, events: ['schedule.changed' as const], metadata: { a: 'b' } };
      const about = { webhook, scheduleId: 'sch_1', status, ...defined({ changes }) };
      const jobId = await bed.seedJob(about);
      await bed.announce(jobId, `job.${status}`);
      return jobId;
    };
    const change = { url: 'https://a.test/', path: 'title', kind: 'changed', before: 'old', after: 'new' };
    await run('completed');
    await run('completed', []);
    const changed = await run('partial', [change]);
    await untilStatus(bed, changed, 'delivered');
    expect(receiver.deliveries.map(({ json }) => json)).toMatchObject([
      {
        type: 'schedule.changed',
        data: {
          changes: [change],
          changesUrl: expect.stringMatching(new RegExp(`/v1/jobs/${changed}/changes$`)),
          job: { id: changed, scheduleId: 'sch_1', changes: { added: 0, removed: 0, changed: 1 } },
          metadata: { a: 'b' },
        },
      },
    ]);
    const [{ json }] = receiver.deliveries as unknown as [{ json: { data: { job: object } } }];
    expect(json.data.job).not.toHaveProperty('results');
    expect(json.data).not.toHaveProperty('changesTruncated');
  });

  it('carries changes up to 256 KiB, and names the place of the others', async () => {
    await bed.startNotifier();
    const webhook = { url: receiver.url, events: ['schedule.changed' as const] };
    const changes = Array.from({ length: 150 }, (_, index) => ({
      url: 'https://a.test/',
      path: `a${index}`,
      kind: 'added',
      after: 'x'.repeat(4000),
    }));
    const jobId = await bed.seedJob({ webhook, scheduleId: 'sch_4', changes });
    await bed.announce(jobId);
    await untilStatus(bed, jobId, 'delivered');
    type Sent = { data: { changes: object[]; changesTruncated?: boolean } };
    const [{ data }] = receiver.deliveries.map(({ json }) => json) as [Sent];
    expect(data.changesTruncated).toBe(true);
    expect(data.changes).toEqual(changes.slice(0, data.changes.length));
    expect(Buffer.byteLength(JSON.stringify(data.changes))).toBeLessThanOrEqual(256 * 1024);
    expect(data.changes.length).toBeGreaterThan(50);
  });
});

describe('a webhook of a job without data', () => {
  it('contains the formats', async () => {
    await bed.startNotifier();
    const webhook = { url: receiver.url, events: ['job.completed' as const] };
    const page = { data: ['{"text":"new","html":"<p>"}'], member: 'formats' as const };
    const jobId = await bed.seedJob({ webhook, scheduleId: 'sch_2', ...page });
    await bed.announce(jobId);
    await untilStatus(bed, jobId, 'delivered');
    expect(receiver.deliveries.map(({ json }) => json)).toMatchObject([
      { data: { job: { results: [{ formats: { text: 'new', html: '<p>' } }] } } },
    ]);
  });
});
