import { randomUUID } from 'node:crypto';
import { type Check, EXCHANGES, QUEUES, type QueueDefinition } from '@gleaner/contracts';
import { untilReady } from '@gleaner/test-kit';
import { type Channel, type ChannelModel, connect } from 'amqplib';
import type { BrokerEvent, BrokerOptions } from '../src/connection/broker-options.ts';
import type { RequestDefinition, WorkDefinition } from '../src/messages/definitions.ts';
import { delayQueueName } from '../src/messages/delay-queues.ts';
import { Transport } from '../src/transport.ts';
import { TcpProxy } from './tcp-proxy.ts';

export interface Text {
  readonly text: string;
}

export interface LogLine {
  readonly level: string;
  readonly fields: object;
  readonly message: string;
}

/** Brokers, queues and proxies of one test. Its queues have a prefix of their own and are deleted at the end. */
export class Fixture {
  readonly prefix = `test-${randomUUID().slice(0, 8)}.`;
  readonly logs: LogLine[] = [];
  readonly events: { event: BrokerEvent; subject: string }[] = [];
  /** Seconds that messages had waited when they came. */
  readonly waits: { queue: string; seconds: number }[] = [];
  readonly #url: string;
  readonly #closers: (() => Promise<unknown>)[] = [];
  readonly #queues = new Set<string>(Object.keys(QUEUES));
  #admin: { connection: ChannelModel; channel: Channel } | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  /** Returns options to connect with, through a proxy's port if one is given. */
  options(port?: number): BrokerOptions {
    const url = new URL(this.#url);
    if (port) url.port = String(port);
    const log = (level: string) => (fields: object, message: string) => {
      this.logs.push({ level, fields, message });
    };
    return {
      url: url.href,
      name: 'test',
      namePrefix: this.prefix,
      logger: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
      observe: (event, subject) => this.events.push({ event, subject }),
      observeWait: (queue, seconds) => this.waits.push({ queue, seconds }),
    };
  }

  /** Returns a connected transport, which is closed at the end of the test. */
  async transport(port?: number): Promise<Transport> {
    const transport = new Transport(this.options(port));
    this.#closers.push(() => transport.close(0));
    await untilReady(transport);
    return transport;
  }

  async proxy(): Promise<{ proxy: TcpProxy; port: number }> {
    const proxy = new TcpProxy(this.#url);
    this.#closers.push(() => proxy.close());
    return { proxy, port: await proxy.open() };
  }

  /** Defines a queue of requests that are answered with a text. */
  request(name: string, { maxLength = 1000, isPerilous = true } = {}): RequestDefinition<Text, Text> {
    const queue = this.#queue(name, 'request', maxLength);
    return { queue, checkBody: checkText, checkReply: checkText, isPerilous };
  }

  /** Defines a queue of work. */
  work(name: string, maxLength = 10_000): WorkDefinition<Text> {
    return { queue: this.#queue(name, 'work', maxLength), checkBody: checkText };
  }

  /** Defines a queue of work that can be postponed. */
  postponable(name: string, delaysMs: readonly number[]): WorkDefinition<Text> {
    const queue = { ...this.#queue(name, 'work', 10_000), delaysMs };
    for (const delayMs of delaysMs) this.#queues.add(delayQueueName(queue, delayMs));
    return { queue, checkBody: checkText };
  }

  /** Returns a plain channel, to act as an operator or as a foreign client; a misuse closes it. */
  async admin(): Promise<Channel> {
    if (!this.#admin) {
      const connection = await connect(this.#url);
      connection.on('error', () => {});
      const channel = await connection.createChannel();
      channel.on('error', () => {});
      channel.once('close', () => {
        this.#admin = undefined;
        void connection.close().catch(() => {});
      });
      this.#admin = { connection, channel };
    }
    return this.#admin.channel;
  }

  nameOnBroker(name: string): string {
    return `${this.prefix}${name}`;
  }

  logsWith(text: string): LogLine[] {
    return this.logs.filter(({ message }) => message.includes(text));
  }

  count(event: BrokerEvent, subject: string): number {
    return this.events.filter((seen) => seen.event === event && seen.subject === subject).length;
  }

  async close(): Promise<void> {
    for (const closer of this.#closers.reverse()) await closer();
    const channel = await this.admin();
    for (const queue of this.#queues) await channel.deleteQueue(this.nameOnBroker(queue));
    for (const { name } of Object.values(EXCHANGES)) await channel.deleteExchange(this.nameOnBroker(name));
    await this.#admin?.connection.close();
  }

  #queue(name: string, kind: QueueDefinition['kind'], maxLength: number): QueueDefinition {
    this.#queues.add(name);
    return { name, kind, exchange: 'commands', routingKey: name, maxLength };
  }
}

/** Returns the error of a promise; throws when it resolves. */
export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  const value = await promise.then(
    (resolved) => ({ resolved }),
    (error: unknown) => ({ error }),
  );
  if ('error' in value) return value.error;
  throw new Error(`The promise resolved: ${JSON.stringify(value.resolved)?.slice(0, 200)}`);
}

const checkText: Check<Text> = (value) => {
  if (isText(value)) return { ok: true, value };
  return { ok: false, details: [{ path: 'text', message: 'is required' }] };
};

function isText(value: unknown): value is Text {
  return typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string';
}

/** Rejects with the signal's reason once it aborts. */
export function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}
