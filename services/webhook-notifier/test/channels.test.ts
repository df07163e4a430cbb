import { type ChannelTarget, type ChannelType, channelPurpose, createId } from '@gleaner/contracts';
import { createSecretBox } from '@gleaner/service-kit';
import { eventually, startWebhookReceiver } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { verified } from './read-deliveries.ts';
import { type Mailbox, startMailbox } from './start-mailbox.ts';
import { ACCOUNT, startTestBed, type TestBed } from './start-test-bed.ts';

type Receiver = Awaited<ReturnType<typeof startWebhookReceiver>>;

const SECRETS_KEY = 'k'.repeat(40);

let bed: TestBed;
let receiver: Receiver;
let mailbox: Mailbox;

beforeEach(async () => {
  [receiver, mailbox] = await Promise.all([startWebhookReceiver(), startMailbox()]);
  bed = await startTestBed({
    SECRETS_KEY,
    SMTP_URL: mailbox.url,
    SMTP_FROM: 'Gleaner <gleaner@shop.example>',
    APPRISE_URL: receiver.url,
  });
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
  await receiver.close();
  await mailbox[Symbol.asyncDispose]();
});

/** Stores a channel, as the gateway does. */
async function channel(type: ChannelType, target: ChannelTarget, key = SECRETS_KEY): Promise<string> {
  const id = createId('chn');
  const now = new Date();
  const json = JSON.stringify(target);
  await bed.stores.channels.insertChannel({
    id,
    accountId: ACCOUNT,
    type,
    name: 'Buyers',
    address: 'cut…',
    status: 'active',
    createdAt: now,
    updatedAt: now,
    ...(type === 'email'
      ? { targetJson: json }
      : { sealed: createSecretBox(key)?.seal(channelPurpose(ACCOUNT, id), json) ?? '' }),
  });
  return id;
}

/** Stores a message for a channel and announces it, as the handling of an event does. */
async function tell(channelId: string, number: number): Promise<string> {
  const id = `evt_run_${String(number).padStart(6, '0')}`;
  const createdAt = new Date();
  const data = { title: `Message ${number}`, text: 'Emma: price 30 → 18', link: 'https://shop.example/emma' };
  const { id: deliveryId } = await bed.stores.deliveries.insertDelivery({
    id: createId('del'),
    accountId: ACCOUNT,
    eventId: id,
    type: 'rule.matched',
    channelId,
    url: 'cut…',
    body: JSON.stringify({ id, type: 'rule.matched', timestamp: createdAt.toISOString(), data }),
    createdAt,
    expiresAt: new Date(createdAt.getTime() + 3_600_000),
  });
  return deliveryId;
}

async function statuses(channelId: string) {
  const { deliveries } = await bed.stores.deliveries.listDeliveries(ACCOUNT, {
    channelId,
    limit: 1000,
    offset: 0,
  });
  return deliveries.toReversed();
}

async function test(channelId: string) {
  const { deliveryId = '' } = await bed.command({ type: 'test-channel', accountId: ACCOUNT, channelId });
  return await bed.stores.deliveries.readDelivery(deliveryId);
}

const sentTo = () => receiver.deliveries.map(({ body }) => JSON.parse(body.toString()));
const pathOf = (index: number) => receiver.deliveries[index]?.path;

describe('a test of a channel', () => {
  beforeEach(() => bed.startNotifier());

  it('reaches a webhook as a signed event', async () => {
    const id = await channel('webhook', { url: receiver.url });
    expect(await test(id)).toMatchObject({ status: 'delivered', type: 'channel.test', channelId: id });
    const [received] = receiver.deliveries;
    expect(received && (await verified(bed, received))).toMatchObject({
      type: 'channel.test',
      data: { title: 'Test of the channel Buyers' },
    });
  });

  it.each([
    ['slack', {}, '', { text: expect.stringMatching(/^\*Test of the channel Buyers\*\n/) }],
    ['discord', {}, '', { content: expect.any(String), allowed_mentions: { parse: [] } }],
    ['teams', {}, '', { type: 'message', attachments: [{ content: { type: 'AdaptiveCard' } }] }],
    [
      'telegram',
      { token: '1:a', chat: '@p' },
      'bot1:a/sendMessage',
      { chat_id: '@p', text: expect.any(String) },
    ],
    ['ntfy', { topic: 'prices', token: 'tk' }, '', { topic: 'prices', message: expect.any(String) }],
    [
      'apprise',
      { key: 'family', tag: 'x' },
      'notify/family',
      { title: expect.any(String), type: 'info', tag: 'x' },
    ],
  ] as const)('reaches %s in its form', async (type, target, path, body) => {
    const id = await channel(type, { url: receiver.url, server: receiver.url, ...target });
    expect(await test(id)).toMatchObject({ status: 'delivered', attempts: [{ statusCode: 200 }] });
    expect(sentTo()).toMatchObject([body]);
    expect(pathOf(0)).toContain(path);
  });

  it('reaches a mailbox as a text', async () => {
    const id = await channel('email', { to: ['ann@example.com', 'ben@example.com'] });
    expect(await test(id)).toMatchObject({ status: 'delivered', attempts: [{ statusCode: 250 }] });
    const [mail = ''] = mailbox.mails;
    expect(mail).toMatch(/^From: Gleaner <gleaner@shop\.example>\r?$/m);
    expect(mail).toMatch(/^To: ann@example\.com, ben@example\.com\r?$/m);
    expect(mail).toMatch(/^Subject: Test of the channel Buyers\r?$/m);
  });

  it('is attempted once, and says what the endpoint answered', async () => {
    receiver.script({ status: 503 });
    const id = await channel('slack', { url: receiver.url });
    expect(await test(id)).toMatchObject({ status: 'failed', attempts: [{ statusCode: 503 }] });
  });

  it('says that the key does not open the address', async () => {
    const id = await channel('slack', { url: receiver.url }, 'l'.repeat(40));
    expect(await test(id)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('SECRETS_KEY'),
    });
  });

  it('makes a channel active again that was gone', async () => {
    receiver.script({ status: 410 });
    const id = await channel('slack', { url: receiver.url });
    const stateOf = async () => (await bed.stores.channels.findChannel(ACCOUNT, id))?.status;
    expect(await test(id)).toMatchObject({ status: 'gone' });
    expect(await stateOf()).toBe('gone');
    expect(await test(id)).toMatchObject({ status: 'delivered' });
    expect(await stateOf()).toBe('active');
  });
});

describe('messages', () => {
  it('of one channel arrive one after the other, although the first one fails at first and notifiers are many', async () => {
    const id = await channel('slack', { url: receiver.url });
    for (let number = 0; number < 30; number++) await tell(id, number);
    receiver.script({ status: 503 }, { status: 'reset' });
    for (let count = 0; count < 3; count++) await bed.startNotifier();
    await eventually(() => expect(receiver.deliveries.length).toBeGreaterThanOrEqual(32));
    const numbers = sentTo().map(({ text }) => Number(/Message (\d+)/.exec(text)?.[1]));
    expect(numbers).toEqual([0, 0, ...Array.from({ length: 30 }, (_, number) => number)]);
  });

  it('of a chat that refuses one go on with the next', async () => {
    const id = await channel('discord', { url: receiver.url });
    for (let number = 0; number < 2; number++) await tell(id, number);
    receiver.script({ status: 400 });
    await bed.startNotifier();
    await eventually(async () =>
      expect((await statuses(id)).map(({ status }) => status)).toEqual(['failed', 'delivered']),
    );
    expect(await statuses(id)).toMatchObject([{ attemptCount: 1 }, { attemptCount: 1 }]);
  });

  it('beyond sixty an hour become one digest', async () => {
    const id = await channel('slack', { url: receiver.url });
    for (let number = 0; number < 75; number++) await tell(id, number);
    await bed.startNotifier();
    await eventually(() => expect(receiver.deliveries).toHaveLength(60));
    // An hour later: what was sent is longer ago.
    const held = await eventually(async () => {
      const waiting = (await statuses(id)).filter(({ isHeld }) => isHeld);
      expect(waiting).toHaveLength(1);
      return waiting[0];
    });
    expect(held?.nextAttemptAt?.getTime()).toBeGreaterThan(Date.now() + 3_000_000);
    await bed.forgetSent();
    await bed.stores.deliveries.hold(held?.id ?? '', new Date());
    await eventually(async () =>
      expect((await statuses(id)).map(({ status }) => status)).toEqual(Array(75).fill('delivered')),
    );
    expect(receiver.deliveries).toHaveLength(61);
    expect(sentTo().at(-1).text).toMatch(/^\*15 messages\*\n- Message 60\n- Message 61\n/);
  });

  it('to an endpoint that is gone end, and the later ones with them', async () => {
    const id = await channel('webhook', { url: receiver.url });
    for (let number = 0; number < 3; number++) await tell(id, number);
    receiver.script({ status: 410 });
    await bed.startNotifier();
    await eventually(async () =>
      expect((await statuses(id)).map(({ status }) => status)).toEqual(Array(3).fill('gone')),
    );
    expect(receiver.deliveries).toHaveLength(1);
  });

  it('of a channel that was deleted before the run are told of in the log, once for each run', async () => {
    const message = { rule: 'Cheap', to: ['chn_gone'], title: 'Cheap', text: 'Emma', records: [] };
    const key = `${createId('job')}.1`;
    const texts = [1, 2].map(() => JSON.stringify(message));
    await bed.stores.tellings.put(key, texts, new Date(Date.now() + 3_600_000));
    await bed.startNotifier();
    const jobId = await bed.seedJob({ scheduleId: 'sch_1', told: { key, messages: texts.length } });
    await bed.announce(jobId);
    const told = () =>
      bed.logLines.map((line) => JSON.parse(line)).filter(({ channelId }) => channelId === 'chn_gone');
    await eventually(() => expect(told()).toMatchObject([{ jobId, scheduleId: 'sch_1' }]));
    expect(await statuses('chn_gone')).toEqual([]);
  });

  it('of a deleted channel fail', async () => {
    const id = await channel('webhook', { url: receiver.url });
    await tell(id, 1);
    await bed.stores.channels.removeChannel(ACCOUNT, id);
    await bed.startNotifier();
    await eventually(async () =>
      expect(await statuses(id)).toMatchObject([{ status: 'failed', reason: 'The channel was deleted.' }]),
    );
  });

  it('wait for a mail server that greylists or stalls, and end with one that refuses them', async () => {
    const id = await channel('email', { to: ['ann@example.com'] });
    for (let number = 0; number < 2; number++) await tell(id, number);
    mailbox.script({ code: 451, text: 'Greylisted' }, 'stall', { code: 550, text: 'No such user' });
    await bed.startNotifier({ DELIVERY_TIMEOUT_MS: '15000' });
    await eventually(async () =>
      expect((await statuses(id)).map(({ status }) => status)).toEqual(['failed', 'delivered']),
    );
    const [first] = await statuses(id);
    expect(first?.attempts.map(({ statusCode, error }) => [statusCode, error])).toEqual([
      [451, expect.stringContaining('Greylisted')],
      [undefined, expect.stringContaining('The time ran out')],
      [550, expect.stringContaining('No such user')],
    ]);
    expect(mailbox.mails).toHaveLength(1);
  });
});
