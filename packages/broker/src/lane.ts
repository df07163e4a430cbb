import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Channel, ChannelModel } from 'amqplib';
import { backoffDelayMs } from './backoff-delay.ts';
import type { BrokerLogger } from './broker-options.ts';
import { explainFault } from './explain-fault.ts';
import { unavailable } from './unavailable.ts';

/** How long a publisher waits for the broker to come back, or to take more, before it gives up. */
const READY_WAIT_MS = 2000;
const GOODBYE_MS = 1000;

export interface LaneOptions<Kind extends Channel> {
  /** What the channel is for, as logs name it. */
  readonly name: string;
  /** Whether the broker confirms what is published over it is a matter of the channel's kind. */
  readonly open: (connection: ChannelModel) => Promise<Kind>;
  /** Declares and consumes what the channel needs; runs on every new channel before it is used. */
  readonly prepare: (channel: Kind) => Promise<unknown>;
  /** Told when the channel is gone, with all that was under way on it. */
  readonly onLost?: () => void;
}

interface LaneDeps {
  readonly logger: BrokerLogger;
  /** Whether the broker has stopped taking messages from this connection (an alarm). */
  readonly isBlocked: () => boolean;
}

/** One channel that comes back: opened and prepared anew whenever it or its connection was lost. */
export class Lane<Kind extends Channel> {
  readonly #options: LaneOptions<Kind>;
  readonly #deps: LaneDeps;
  readonly #closing = new AbortController();
  readonly #events = new EventEmitter().setMaxListeners(0);
  #channel: Kind | undefined;
  #isFull = false;

  constructor(options: LaneOptions<Kind>, deps: LaneDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  get isOpen(): boolean {
    return this.#channel !== undefined;
  }

  /** The channel, when it can take a message right now. */
  get readyChannel(): Kind | undefined {
    return this.#isFull || this.#deps.isBlocked() ? undefined : this.#channel;
  }

  /** The channel as soon as it can take a message; SERVICE_UNAVAILABLE after the wait, or the signal's reason. */
  async whenReady(signal?: AbortSignal, waitMs = READY_WAIT_MS): Promise<Kind> {
    const bounds = AbortSignal.any([
      this.#closing.signal,
      AbortSignal.timeout(waitMs),
      ...(signal ? [signal] : []),
    ]);
    for (;;) {
      signal?.throwIfAborted();
      if (this.readyChannel) return this.readyChannel;
      if (bounds.aborted) throw unavailable(this.#whyNotReady());
      await once(this.#events, 'ready', { signal: bounds }).catch(() => {});
    }
  }

  /** Notes what `publish` answered: false means that nothing more is written until the channel has drained. */
  wrote(hasRoom: boolean): void {
    this.#isFull = !hasRoom;
  }

  /** Wakes those who wait for the channel. */
  announce(): void {
    if (this.readyChannel) this.#events.emit('ready');
  }

  /** Keeps a channel open on this connection until the connection has ended or the lane is closed. */
  async serve(connection: ChannelModel, ended: AbortSignal): Promise<void> {
    const over = AbortSignal.any([ended, this.#closing.signal]);
    for (let attempt = 0; !over.aborted; attempt++) {
      try {
        await this.#open(connection, () => {
          attempt = 0;
        });
      } catch (fault) {
        if (!over.aborted) {
          const message = `Cannot open the channel for ${this.#options.name}: ${explainFault(fault)}`;
          this.#deps.logger.error({ err: fault }, message);
        }
      }
      await sleep(backoffDelayMs(attempt, Math.random()), undefined, { signal: over }).catch(() => {});
    }
  }

  /** Closes the channel for good, within a second; what it had not acknowledged goes back to its queue. */
  async close(): Promise<void> {
    this.#closing.abort();
    const goodbye = this.#channel?.close().catch(() => {});
    const patience = new AbortController();
    await Promise.race([goodbye, sleep(GOODBYE_MS, undefined, { signal: patience.signal })]);
    patience.abort();
  }

  async #open(connection: ChannelModel, onOpen: () => void): Promise<void> {
    const channel = await this.#options.open(connection);
    let fault: Error | undefined;
    channel.on('error', (error: Error) => {
      fault = error;
    });
    const closed = new Promise<void>((resolve) => channel.once('close', resolve));
    try {
      await this.#options.prepare(channel);
      if (this.#closing.signal.aborted) return;
      channel.on('drain', () => {
        this.#isFull = false;
        this.announce();
      });
      this.#isFull = false;
      this.#channel = channel;
      onOpen();
      this.announce();
      await closed;
      if (fault) throw fault;
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
    if (this.#isFull) return 'The broker takes messages more slowly than they come.';
    return 'The broker takes no messages for now: it is short of memory or disk.';
  }
}
