import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterSilence, backoffMs } from '@gleaner/contracts';
import { type Channel, type ChannelModel, connect } from 'amqplib';
import { BrokerChannel, type BrokerChannelOptions, RETRY_BACKOFF } from './broker-channel.ts';
import { explainError } from './broker-errors.ts';
import type { BrokerAddress, BrokerLogger, Observe } from './broker-options.ts';

const HANDSHAKE_TIMEOUT_MS = 10_000;
const LINGER_MS = 1000;

/** Purpose of a connection, as logs, metrics and the broker's own tools name it. */
export type ConnectionRole = 'publish' | 'consume' | 'answer';

/** The part of a channel, of whatever kind, that its connection uses. */
type AnyChannel = Pick<BrokerChannel<Channel>, 'isOpen' | 'whenReady' | 'wakeWaiting' | 'keepOpen' | 'close'>;

interface BrokerConnectionDeps {
  readonly address: BrokerAddress;
  readonly role: ConnectionRole;
  /** Name of the connection in the broker's own tools. */
  readonly connectionName: string;
  readonly logger: BrokerLogger;
  readonly observe: Observe;
}

/**
 * A connection to the broker that recovers for as long as the process lives, with the channels that run on it. It is
 * opened when the first channel is added. Never throws.
 */
export class BrokerConnection {
  readonly #deps: BrokerConnectionDeps;
  readonly #channels = new Set<AnyChannel>();
  /** Ends waits and connection attempts at once, and destroys the socket. */
  readonly #cut = new AbortController();
  /** Resolves when the connection is closed for good. */
  #running: Promise<void> | undefined;
  #open: { connection: ChannelModel; ended: AbortSignal } | undefined;
  #isBlocked = false;
  #isClosing = false;
  #connectedTimes = 0;

  constructor(deps: BrokerConnectionDeps) {
    this.#deps = deps;
  }

  /** amqplib's connection, while there is one. */
  get current(): ChannelModel | undefined {
    return this.#open?.connection;
  }

  /** True when every channel is open and the broker takes messages; also while no channel was added. */
  get isReady(): boolean {
    return !this.#isBlocked && [...this.#channels].every((channel) => channel.isOpen);
  }

  /** Waits until every channel is ready, at most this long. */
  async whenReady(timeoutMs: number): Promise<void> {
    const bound = AbortSignal.timeout(timeoutMs);
    await Promise.allSettled([...this.#channels].map((channel) => channel.whenReady(bound, timeoutMs)));
  }

  /** Adds a channel that is opened now, if there is a connection, and after every reconnect. */
  addChannel<Kind extends Channel>(options: BrokerChannelOptions<Kind>): BrokerChannel<Kind> {
    const channel = new BrokerChannel(options, {
      logger: this.#deps.logger,
      isBlocked: () => this.#isBlocked,
    });
    this.#channels.add(channel);
    if (this.#open) this.#keepOpen(channel, this.#open);
    this.#running ??= this.#keepConnected();
    return channel;
  }

  /** Closes a channel for good. */
  async removeChannel(channel: AnyChannel): Promise<void> {
    this.#channels.delete(channel);
    await channel.close();
  }

  /** Closes everything, and destroys the socket if the broker does not answer in time. */
  async close(timeoutMs: number): Promise<void> {
    this.#isClosing = true;
    const closed = Promise.all([...this.#channels].map((channel) => channel.close()))
      .then(() => this.current?.close())
      .catch(() => {});
    await Promise.race([closed, sleep(timeoutMs, undefined, { signal: this.#cut.signal })]);
    this.#cut.abort();
    await this.#running;
  }

  async #keepConnected(): Promise<void> {
    for (let attempt = 0; !this.#isClosing; attempt++) {
      try {
        const connection = await this.#connect();
        attempt = 0;
        await this.#runUntilEnded(connection);
      } catch (error) {
        this.#report(error);
      }
      const delayMs = backoffMs(RETRY_BACKOFF, attempt, Math.random());
      if (!this.#isClosing) await sleep(delayMs, undefined, { signal: this.#cut.signal }).catch(() => {});
    }
  }

  async #connect(): Promise<ChannelModel> {
    const socket = new AbortController();
    const cutSocket = () => socket.abort();
    this.#cut.signal.addEventListener('abort', cutSocket);
    const stopWaiting = afterSilence(HANDSHAKE_TIMEOUT_MS, cutSocket);
    try {
      const connection = await connect(
        this.#deps.address.url,
        socketOptions(this.#deps.connectionName, socket.signal),
      );
      coalesceWrites(socketOf(connection));
      connection.on('error', () => {});
      connection.once('close', () => {
        this.#cut.signal.removeEventListener('abort', cutSocket);
        // A dead peer never ends its half of the socket.
        setTimeout(cutSocket, LINGER_MS).unref();
      });
      return connection;
    } catch (error) {
      this.#cut.signal.removeEventListener('abort', cutSocket);
      if (!socket.signal.aborted) throw error;
      throw new Error(`No response to the handshake within ${HANDSHAKE_TIMEOUT_MS} ms.`, { cause: error });
    } finally {
      stopWaiting();
    }
  }

  /** Runs the channels until the connection ends, then throws the error that ended it. */
  async #runUntilEnded(connection: ChannelModel): Promise<never> {
    const { observe, role, logger, address } = this.#deps;
    const ended = new AbortController();
    const closed = new Promise<Error | undefined>((resolve) => {
      connection.once('close', (cause) => {
        ended.abort();
        resolve(cause);
      });
    });
    connection.on('blocked', (reason) => this.#setBlocked(reason));
    connection.on('unblocked', () => this.#setBlocked(undefined));
    this.#open = { connection, ended: ended.signal };
    this.#isBlocked = false;
    observe(this.#connectedTimes++ === 0 ? 'connected' : 'reconnected', role);
    logger.info({ role }, `Connected to the broker at ${address.label}.`);
    for (const channel of this.#channels) this.#keepOpen(channel, this.#open);
    const cause = await closed;
    this.#open = undefined;
    observe('disconnected', role);
    throw cause ?? new Error('The connection was closed.');
  }

  #keepOpen(channel: AnyChannel, { connection, ended }: { connection: ChannelModel; ended: AbortSignal }) {
    channel.keepOpen(connection, ended).catch((error: unknown) => {
      const { logger, role } = this.#deps;
      logger.error({ err: error, role }, 'A channel is no longer reopened after an unexpected error.');
    });
  }

  #setBlocked(reason: string | undefined): void {
    const { logger, role } = this.#deps;
    this.#isBlocked = reason !== undefined;
    if (reason === undefined) {
      logger.info({ role }, 'The broker takes messages again.');
      for (const channel of this.#channels) channel.wakeWaiting();
      return;
    }
    const remedy = 'Free memory or disk on its machine, or let consumers catch up.';
    logger.warn({ role }, `The broker takes no messages for now (${reason}). ${remedy}`);
  }

  #report(error: unknown): void {
    if (this.#isClosing) return;
    const { logger, role, address } = this.#deps;
    logger.warn({ role }, `No connection to the broker at ${address.label}: ${explainError(error)}`);
  }
}

function socketOptions(connectionName: string, signal: AbortSignal) {
  // node:net takes a signal that destroys the socket, and amqplib passes its options on.
  return { noDelay: true, keepAlive: true, clientProperties: { connection_name: connectionName }, signal };
}

/** Returns the socket, which amqplib leaves out of its types: see docs/decisions/patches.md. */
function socketOf({ connection }: ChannelModel): Writable {
  return (connection as unknown as { stream: Writable }).stream;
}

/**
 * Makes all writes of one turn of the event loop leave together. amqplib writes every frame by itself, and for small
 * frames the system call costs more than all the rest. Replaces `stream.write`: see docs/decisions/patches.md.
 */
export function coalesceWrites(stream: Writable): void {
  const write = stream.write.bind(stream) as (...parameters: unknown[]) => boolean;
  let isCorked = false;
  const uncork = () => {
    isCorked = false;
    stream.uncork();
  };
  stream.write = (...parameters: unknown[]) => {
    if (!isCorked) {
      isCorked = true;
      stream.cork();
      process.nextTick(uncork);
    }
    return write(...parameters);
  };
}
