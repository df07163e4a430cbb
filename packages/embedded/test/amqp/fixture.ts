import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { eventually } from '@gleaner/test-kit';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import {
  type Channel,
  type ChannelModel,
  type ConfirmChannel,
  type ConsumeMessage,
  connect,
  type GetMessage,
  type Options,
} from 'amqplib';

/** An error as amqplib reports it when the broker closes a channel or a connection. */
export interface BrokerError extends Error {
  readonly code: number;
}

/** Fixture of the tests of one broker: its connections are closed and its names deleted afterwards. */
export interface Fixture {
  /** The broker's address. */
  url(): string;
  /** Returns whether the broker is a RabbitMQ before 4.0, where some defaults differ. */
  isRabbitBefore4(): boolean;
  /** A connection of its own, closed after the test. */
  connect(): Promise<ChannelModel>;
  /** A confirm channel on the shared connection, closed after the test. */
  channel(): Promise<ConfirmChannel>;
  /** Returns an unused name; a queue or exchange of that name is deleted afterwards. */
  name(label: string): string;
  /** A queue of a fresh name. */
  queue(channel: Channel, options?: Options.AssertQueue): Promise<string>;
}

/** Registers the hooks that open and tidy up; call it inside a describe. */
export function createFixture(getUrl: () => string): Fixture {
  const names: string[] = [];
  let shared: ChannelModel;
  let opened: { close(): Promise<void> }[] = [];
  beforeAll(async () => {
    shared = await openConnection(getUrl());
  });
  afterEach(async () => {
    const closing = opened.reverse();
    opened = [];
    for (const each of closing) await each.close().catch(() => undefined);
    await deleteAll(shared, names.splice(0));
  });
  afterAll(() => shared.close());
  const channel = async () => {
    const made = await openChannel(shared);
    opened.push(made);
    return made;
  };
  return {
    url: getUrl,
    isRabbitBefore4: () => isRabbitBefore4(shared),
    async connect() {
      const made = await openConnection(getUrl());
      opened.push(made);
      return made;
    },
    channel,
    name: (label) => nameFor(label, names),
    async queue(on, options = {}) {
      const { queue } = await on.assertQueue(nameFor('queue', names), { durable: true, ...options });
      return queue;
    },
  };
}

/** Opens a confirm channel whose errors are ignored unless a test listens for them. */
export async function openChannel(connection: ChannelModel): Promise<ConfirmChannel> {
  const channel = await connection.createConfirmChannel();
  channel.on('error', () => undefined);
  return channel;
}

/** Opens a connection whose errors are ignored unless a test listens for them. */
export async function openConnection(url: string): Promise<ChannelModel> {
  const connection = await connect(url, { noDelay: true });
  connection.on('error', () => undefined);
  return connection;
}

/** Returns the error with which the broker closes the channel after `act`. */
export async function channelErrorOf(channel: Channel, act: () => unknown): Promise<BrokerError> {
  const failed = once(channel, 'error');
  Promise.resolve(act()).catch(() => undefined);
  const [error] = (await failed) as [BrokerError];
  return error;
}

/** Publishes to a queue by name and waits for the confirm. */
export async function send(
  channel: ConfirmChannel,
  queue: string,
  texts: readonly string[],
  options: Options.Publish = {},
): Promise<void> {
  for (const text of texts) channel.sendToQueue(queue, Buffer.from(text), { persistent: true, ...options });
  await channel.waitForConfirms();
}

/** Messages of a consumer, in order of arrival. */
export interface Inbox {
  readonly messages: ConsumeMessage[];
  readonly texts: string[];
  readonly consumerTag: string;
  /** True once the broker has cancelled the consumer. */
  readonly isCancelled: boolean;
  /** Waits until that many have arrived in all. */
  until(count: number): Promise<ConsumeMessage[]>;
}

/** Starts a consumer that keeps its deliveries, unacknowledged by default. */
export async function consume(
  channel: Channel,
  queue: string,
  options: Options.Consume = {},
): Promise<Inbox> {
  const messages: ConsumeMessage[] = [];
  let isCancelled = false;
  const { consumerTag } = await channel.consume(
    queue,
    (message) => {
      if (message) messages.push(message);
      else isCancelled = true;
    },
    options,
  );
  return {
    messages,
    consumerTag,
    get texts() {
      return messages.map(textOf);
    },
    get isCancelled() {
      return isCancelled;
    },
    until: (count) =>
      eventually(() => {
        expect(messages.length).toBeGreaterThanOrEqual(count);
        return messages;
      }),
  };
}

/** The body of a message as text. */
export function textOf({ content }: { content: Buffer }): string {
  return content.toString();
}

/** The first message of a queue, to be acknowledged; rejects when there is none. */
export async function take(channel: Channel, queue: string): Promise<GetMessage> {
  const got = await channel.get(queue);
  if (!got) throw new Error(`${queue} is empty`);
  return got;
}

/** Everything that waits in a queue, taken out. */
export async function drain(channel: Channel, queue: string): Promise<string[]> {
  const texts: string[] = [];
  for (
    let got = await channel.get(queue, { noAck: true });
    got;
    got = await channel.get(queue, { noAck: true })
  ) {
    texts.push(textOf(got));
  }
  return texts;
}

/** Waits until a queue holds exactly that many messages ready. */
export async function untilReady(channel: Channel, queue: string, count: number): Promise<void> {
  await eventually(async () =>
    expect(await channel.checkQueue(queue)).toMatchObject({ messageCount: count }),
  );
}

/** Waits for the next message that a queue holds and takes it. */
export function nextIn(channel: Channel, queue: string): Promise<GetMessage> {
  return eventually(async () => {
    const message = await channel.get(queue, { noAck: true });
    if (!message) throw new Error(`The queue ${queue} is empty.`);
    return message;
  });
}

function nameFor(label: string, names: string[]): string {
  const name = `conformance.${label}.${randomBytes(6).toString('hex')}`;
  names.push(name);
  return name;
}

async function deleteAll(connection: ChannelModel, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const channel = await openChannel(connection);
  for (const name of names) {
    await channel.deleteQueue(name);
    await channel.deleteExchange(name);
  }
  await channel.close();
}

function isRabbitBefore4({ connection }: ChannelModel): boolean {
  const { product, version } = connection.serverProperties;
  return product === 'RabbitMQ' && Number.parseInt(version, 10) < 4;
}
