import {
  compileSchema,
  createId,
  DELIVERY_TYPES,
  DROP_REASONS,
  SINK_DELIVERY,
  SKIP_REASONS,
  WEBHOOK_EVENT_TYPES,
  WebhookEventSchema,
  type WebhookEventType,
} from '@gleaner/contracts';
import { eventually, startWebhookReceiver } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { ACCOUNT, startTestBed, type TestBed } from './start-test-bed.ts';

/** A schema of events: their types, and the members of their data. */
interface EventSchema {
  readonly properties: {
    readonly type: { readonly enum: readonly string[] };
    readonly data: { readonly properties: Readonly<Record<string, object>> };
  };
}

/** An event as it arrives. */
interface Received {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>> & { readonly job?: { readonly results?: object[] } };
}

const SCHEMAS = (WebhookEventSchema as unknown as { readonly anyOf: readonly EventSchema[] }).anyOf;
const checkEvent = compileSchema(WebhookEventSchema);

const none = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
const CRAWL = {
  places: [],
  hosts: [],
  nextIndex: 1,
  started: 1,
  fetched: 1,
  missing: 0,
  depth: 0,
  warnings: [],
  skipped: none(SKIP_REASONS),
  dropped: none(DROP_REASONS),
};

const FALL = { path: 'price', measure: 'fill', before: 1, now: 0 };

it('sends events with exactly the members that the OpenAPI document has', async () => {
  await using bed = await startTestBed({ PUBLIC_URL: 'https://gleaner.test' });
  await using receiver = await startWebhookReceiver();
  await bed.startNotifier();
  const jobId = await bed.seedJob({
    crawl: CRAWL,
    scheduleId: 'sch_1',
    batches: [[0], [1]],
    webhook: { url: receiver.url, events: [...WEBHOOK_EVENT_TYPES], metadata: { order: '7' } },
    // A result, and changes, that are larger than a webhook may be.
    data: ['{"title":"A"}', JSON.stringify({ text: 'x'.repeat(1_100_000) })],
    health: { health: 'broken', fell: [FALL], recovered: [FALL] },
    datasetChange: { from: 3, to: 7 },
    changes: Array.from({ length: 150 }, () => ({
      url: 'https://a.test/',
      path: 'text',
      kind: 'added',
      after: 'x'.repeat(4000),
    })),
  });
  for (const name of ['failed', 'expired']) {
    const webhook = {
      url: receiver.url,
      events: ['profile.failed', 'profile.expired'] as WebhookEventType[],
      metadata: { order: '7' },
    };
    const lost = await bed.seedJob({ webhook, status: 'failed', profileId: await lostProfile(name, bed) });
    await bed.announce(lost, 'job.failed');
  }
  for (const type of ['started', 'completed', 'partial', 'failed', 'cancelled'] as const)
    await bed.announce(jobId, `job.${type}`);
  for (const batch of [1, 2]) await bed.announce(jobId, 'job.pages', undefined, batch);
  await bed.command({ type: 'test', accountId: ACCOUNT, url: receiver.url });
  await tellChannel(receiver.url, bed);

  const events = await eventually(() => {
    const received = receiver.deliveries.map(({ json }) => json as Received);
    // The five, what changed of the two that succeeded, twice each, the health with the four of a finished job, twice each,
    // the dataset with those four, the two batches, the test, the profiles of two further jobs, and two of a channel.
    expect(received).toHaveLength(5 + 4 + 8 + 4 + 2 + 1 + 2 + 2);
    return received;
  });
  expect(events.flatMap(({ data }) => data.dataset ?? [])).toContainEqual({
    name: 'books',
    from: 3,
    to: 7,
    recordsUrl: expect.stringMatching(/\/v1\/datasets\/books\/records\?since=3$/),
  });
  const results = events.flatMap(({ data }) => data.job?.results ?? []);
  expect(results).toContainEqual({
    url: 'https://example.com/1',
    resultTruncated: true,
    resultsUrl: expect.stringMatching(/^https:\/\/gleaner\.test\//),
  });
  for (const event of events) {
    const { data } = event;
    // The results of these jobs are not whole.
    const shown = {
      ...event,
      data: data.job?.results ? { ...data, job: { ...data.job, results: [] } } : data,
    };
    expect(checkEvent(shown)).toEqual({ ok: true, value: shown });
  }
  for (const { properties } of SCHEMAS) {
    const seen = events.filter(({ type }) => properties.type.enum.includes(type));
    const members = Object.keys(properties.data.properties).toSorted();
    expect(namesIn(seen.map(({ data }) => data))).toEqual(members);
  }
  const sent = DELIVERY_TYPES.filter((type) => type !== SINK_DELIVERY);
  expect([...new Set(events.map(({ type }) => type))].toSorted()).toEqual(sent.toSorted());
  const jobs = events.flatMap(({ data }) => data.job ?? []);
  expect(namesIn(jobs)).toEqual(expect.arrayContaining(['results', 'resultsTruncated', 'resultsUrl']));
});

/** Stores a profile with a failed login, or one that only a person can sign in. */
async function lostProfile(name: string, { stores: { profiles } }: TestBed): Promise<string> {
  const now = new Date();
  const settings = { name, ...(name === 'failed' && { sealedActions: 'steps' }) };
  const id = `prof_${name}`;
  await profiles.insertProfile({ id, accountId: ACCOUNT, settings, session: 'ended' }, now);
  const until = new Date(now.getTime() + 1000);
  const login = { profileId: id, loginId: 'login' };
  await profiles.takeLogin(login.loginId, { now, until, except: [] });
  await profiles.failLogin(login, { code: 'ACTION_FAILED', message: 'The form has changed.' }, now);
  return id;
}

function namesIn(objects: readonly object[]): string[] {
  return [...new Set(objects.flatMap((each) => Object.keys(each)))].toSorted();
}

/** Sends a test and a message to a channel. */
async function tellChannel(url: string, { stores, command, seedJob, announce }: TestBed): Promise<void> {
  const id = createId('chn');
  const createdAt = new Date();
  const about = { accountId: ACCOUNT, createdAt };
  const channel = { type: 'webhook', name: 'Own', address: url, status: 'active' } as const;
  const targetJson = JSON.stringify({ url });
  await stores.channels.insertChannel({ id, ...about, ...channel, targetJson, updatedAt: createdAt });
  await command({ type: 'test-channel', accountId: ACCOUNT, channelId: id });
  const message = {
    rule: 'Cheap',
    to: [id],
    title: 'Cheap: Emma: price 18',
    text: 'Emma: price 30 → 18 https://a.test/',
    records: [
      { record: 'Emma', url: 'https://a.test/', values: [{ field: 'price', before: 30, after: 18 }] },
    ],
    more: 1,
  };
  const key = `${createId('job')}.1`;
  await stores.tellings.put(key, [JSON.stringify(message)], new Date(createdAt.getTime() + 3_600_000));
  const jobId = await seedJob({ scheduleId: 'sch_1', told: { key, messages: 1 } });
  await announce(jobId);
}
