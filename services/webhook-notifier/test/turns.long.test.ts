import { createId } from '@gleaner/contracts';
import {
  eventually,
  findLongTurns,
  startWatchedProcess,
  startWebhookReceiver,
  type WatchedProcess,
  type WebhookReceiver,
} from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deliveriesOf } from './read-deliveries.ts';
import { ACCOUNT, type JobAbout, startTestBed, type TestBed } from './start-test-bed.ts';

const WAIT_MS = 300_000;
const TEXT = 'A text of a page, with "quotes", 1,5 and ünïcödé.\n';
const times = <Value>(count: number, value: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => value(index));
const resultOf = (characters: number) => JSON.stringify({ text: TEXT.repeat(characters / TEXT.length) });
const change = (index: number) => ({
  url: 'https://example.com/',
  path: `cards[${index}].text`,
  kind: 'changed',
  before: TEXT.repeat(80),
  after: `${index}${TEXT.repeat(80)}`,
});

let bed: TestBed;
let receiver: WebhookReceiver;
/** Receiver of a bystander. */
let beside: WebhookReceiver;
let notifier: WatchedProcess;

beforeAll(async () => {
  bed = await startTestBed();
  receiver = await startWebhookReceiver();
  beside = await startWebhookReceiver();
  notifier = await startWatchedProcess(new URL('../src/main.ts', import.meta.url), bed.env);
});
afterAll(async () => {
  await notifier?.[Symbol.asyncDispose]();
  await receiver?.close();
  await beside?.close();
  await bed?.[Symbol.asyncDispose]();
});

/** Waits until so many deliveries of a job have been delivered. */
async function untilDelivered(jobId: string, count: number): Promise<void> {
  await eventually(
    async () => {
      const delivered = (await deliveriesOf(bed, jobId)).filter(({ status }) => status === 'delivered');
      expect(delivered).toHaveLength(count);
    },
    { timeoutMs: WAIT_MS },
  );
}

/** Announces the end of so many jobs together, and waits for what is delivered of each. */
async function announceEnds(about: JobAbout, { jobs = 1, deliveries = 1 } = {}): Promise<void> {
  const ids: string[] = [];
  for (let count = 0; count < jobs; count += 1) ids.push(await bed.seedJob(about));
  for (const id of ids) await bed.announce(id);
  for (const id of ids) await untilDelivered(id, deliveries);
}

async function announceBatch(): Promise<void> {
  const webhook = { url: receiver.url, events: ['job.pages' as const] };
  const data = times(40, () => resultOf(500_000));
  const id = await bed.seedJob({ webhook, data, batches: [times(40, (index) => index)] });
  await bed.announce(id, 'job.pages', undefined, 1);
  await untilDelivered(id, 40);
}

const CASES: Readonly<Record<string, () => Promise<unknown>>> = {
  'a job of one large result': () => announceEnds({ webhook: receiver.url, data: [resultOf(10_000_000)] }),
  'jobs with the most results that a webhook carries': () =>
    announceEnds({ webhook: receiver.url, data: times(40, () => resultOf(25_000)) }, { jobs: 20 }),
  'a batch of large results': announceBatch,
  'a run with many changes': () =>
    announceEnds({
      webhook: { url: receiver.url, events: ['schedule.changed'] },
      scheduleId: createId('sch'),
      changes: times(300, change),
    }),
  'many deliveries': async () => {
    const before = receiver.deliveries.length;
    await bed.queue(times(300, () => receiver.url));
    await eventually(() => expect(receiver.deliveries.length).toBe(before + 300), { timeoutMs: WAIT_MS });
  },
  commands: async () => {
    await bed.command({ type: 'rotate-secret', accountId: ACCOUNT });
    await bed.command({ type: 'test', accountId: ACCOUNT, url: `${receiver.url}?${'ä'.repeat(1300)}` });
  },
};

describe('no turn of the event loop of a notifier is long', () => {
  it.each(Object.entries(CASES))(
    'at %s',
    async (name, run) => {
      const testBeside = () => bed.command({ type: 'test', accountId: 'acc_bystander', url: beside.url });
      expect(await findLongTurns(notifier, [[name, run]], testBeside)).toEqual([]);
      expect(beside.deliveries.length).toBeGreaterThan(0);
    },
    900_000,
  );
});
