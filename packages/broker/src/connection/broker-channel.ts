import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterSilence, type Backoff, backoffMs } from '@gleaner/contracts';
import type { Channel, ChannelModel } from 'amqplib';
import { explainError, unavailable } from './broker-errors.ts';
import type { BrokerLogger } from './broker-options.ts';

/** Pauses between attempts to reach the broker, and before failed work is delivered again. */
export const RETRY_BACKOFF: Backoff = { firstMs: 100, longestMs: 5000, jitter: 'half' };

/** Longest wait of a publisher for the broker to come back, or to take more. */
const READY_TIMEOUT_MS = 2000;
const CLOSE_TIMEOUT_MS = 1000;

export interface BrokerChannelOptions<Kind extends Channel> {
  /** Purpose of the channel, for logs. */
  readonly name: string;
  /** Opens a channel of the needed kind: with publisher confirms, or a plain one. */
  readonly open: (connection: ChannelModel) => Promise<Kind>;
  /** Declares and consumes what the channel needs; runs on every new channel before it is used. */
  readonly prepare: (channel: Kind) => Promise<unknown>;
  /** Runs when the channel is gone, with everything that was in flight on it. */
  readonly onLost?: () => void;
}

interface BrokerChannelDeps {
  readonly logger: BrokerLogger;
  /** Returns true while the broker takes no messages from this connection (an alarm). */
  readonly isBlocked: () => boolean;
}

/** A channel that recovers: it is opened and prepared again whenever it or its connection was lost. */
export class BrokerChannel<Kind extends Channel> {
  readonly #options: BrokerChannelOptions<Kind>;
  readonly #deps: BrokerChannelDeps;
  readonly #closing = new AbortController();
  readonly #events = new EventEmitter().setMaxListeners(0);
  #channel: Kind | undefined;
  #isFull = false;

  constructor(options: BrokerChannelOptions<Kind>, deps: BrokerChannelDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  get isOpen(): boolean {
    return this.#channel !== undefined;
  }

  /** The open channel, if it can take a message right now. */
  get readyChannel(): Kind | undefined {
    return this.#isFull || this.#deps.isBlocked() ? undefined : this.#channel;
  }

  /** Waits for a channel that can take a message. Rejects with SERVICE_UNAVAILABLE in the end, or the signal's reason. */
  async whenReady(signal?: AbortSignal, timeoutMs = READY_TIMEOUT_MS): Promise<Kind> {
    const tooLate = new AbortController();
    const bounds = AbortSignal.any([this.#closing.signal, tooLate.signal].concat(signal ?? []));
    const stopWaiting = afterSilence(timeoutMs, () => tooLate.abort());
    try {
      for (;;) {
        signal?.throwIfAborted();
        if (this.readyChannel) return this.readyChannel;
        if (bounds.aborted) throw unavailable(this.#whyNotReady());
        await once(this.#events, 'ready', { signal: bounds }).catch(() => {});
      }
    } finally {
      stopWaiting();
    }
  }

  /** Records the result of `publish`: after false no more is written until the channel has drained. */
  noteWrite(hasRoom: boolean): void {
    this.#isFull = !hasRoom;
  }

  /** Wakes the callers of `whenReady` if the channel is ready. */
  wakeWaiting(): void {
    if (this.readyChannel) this.#events.emit('ready');
  }

  /** Keeps the channel open on this connection until the connection ends or `close` is called. Never rejects. */
  async keepOpen(connection: ChannelModel, ended: AbortSignal): Promise<void> {
    const over = AbortSignal.any([ended, this.#closing.signal]);
    for (let attempt = 0; !over.aborted; attempt++) {
      try {
        await this.#openUntilClosed(connection, () => {
          attempt = 0;
        });
      } catch (error) {
        if (!over.aborted) {
          const message = `Cannot open the channel for ${this.#options.name}: ${explainError(error)}`;
          this.#deps.logger.error({ err: error }, message);
        }
      }
      const delayMs = backoffMs(RETRY_BACKOFF, attempt, Math.random());
      await sleep(delayMs, undefined, { signal: over }).catch(() => {});
    }
  }

  /** Closes the channel for good, within a second; messages that it had not acknowledged go back to their queue. */
  async close(): Promise<void> {
    this.#closing.abort();
    const closed = this.#channel?.close().catch(() => {});
    const timeout = new AbortController();
    await Promise.race([closed, sleep(CLOSE_TIMEOUT_MS, undefined, { signal: timeout.signal })]);
    timeout.abort();
  }

  async #openUntilClosed(connection: ChannelModel, onOpen: () => void): Promise<void> {
    const channel = await this.#options.open(connection);
    let closingError: Error | undefined;
    channel.on('error', (error: Error) => {
      closingError = error;
    });
    const closed = new Promise<void>((resolve) => channel.once('close', resolve));
    try {
      await this.#options.prepare(channel);
      if (this.#closing.signal.aborted) return;
      channel.on('drain', () => {
        this.#isFull = false;
        this.wakeWaiting();
      });
      this.#isFull = false;
      this.#channel = channel;
      onOpen();
      this.wakeWaiting();
      await closed;
      if (closingError) throw closingError;
    } finally {
      if (this.#channel) {
        this.#channel = undefined;
        this.#options.onLost?.();
      }
      await channel.close().catch(() => {});
    }
  }

  #whyNotReady(): string {
    if (this.#closing.signal.aborted) return 'The connection to the broker is being closed.';
    if (!this.#channel) return 'There is no connection to the broker.';
    if (this.#isFull) return 'The broker takes messages more slowly than they are sent.';
    return 'The broker takes no messages for now: it is short of memory or disk.';
  }
}
