import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Channel, type ChannelModel, connect } from 'amqplib';
import { backoffDelayMs } from './backoff-delay.ts';
import type { BrokerAddress } from './broker-address.ts';
import type { BrokerLogger, Observe } from './broker-options.ts';
import { coalesceWrites } from './coalesce-writes.ts';
import { explainFault } from './explain-fault.ts';
import { Lane, type LaneOptions } from './lane.ts';

const HANDSHAKE_TIMEOUT_MS = 10_000;
const LINGER_MS = 1000;

/** What connections are for, as logs, metrics and the broker's own tools say it. */
export type LinkRole = 'publish' | 'consume' | 'answer';

/** What a link has to do with each of its lanes. */
type LinkedLane = Pick<Lane<Channel>, 'isOpen' | 'whenReady' | 'announce' | 'serve' | 'close'>;

interface LinkDeps {
  readonly address: BrokerAddress;
  /** What the connection is for. */
  readonly role: LinkRole;
  /** How the broker's own tools show the connection. */
  readonly connectionName: string;
  readonly logger: BrokerLogger;
  readonly observe: Observe;
}

/** One connection to the broker that comes back for ever, with the lanes that run on it. Never throws. */
export class Link {
  readonly #deps: LinkDeps;
  readonly #lanes = new Set<LinkedLane>();
  /** Ends waits and connects at once, and cuts the socket. */
  readonly #cut = new AbortController();
  /** Connects at the first use, and is done when the link is closed. */
  #running: Promise<void> | undefined;
  #current: { connection: ChannelModel; ended: AbortSignal } | undefined;
  #isBlocked = false;
  #isClosing = false;
  #connectedTimes = 0;

  constructor(deps: LinkDeps) {
    this.#deps = deps;
  }

  /** The connection, while there is one. */
  get connection(): ChannelModel | undefined {
    return this.#current?.connection;
  }

  /** Whether every channel is open and the broker takes messages; true for a link that nobody uses. */
  get isReady(): boolean {
    return !this.#isBlocked && [...this.#lanes].every((lane) => lane.isOpen);
  }

  /** Waits until the link is ready, at most this long. */
  async whenReady(timeoutMs: number): Promise<void> {
    const bound = AbortSignal.timeout(timeoutMs);
    await Promise.allSettled([...this.#lanes].map((lane) => lane.whenReady(bound, timeoutMs)));
  }

  /** Adds a channel that is opened now, if there is a connection, and after every reconnect. */
  addLane<Kind extends Channel>(options: LaneOptions<Kind>): Lane<Kind> {
    const lane = new Lane(options, { logger: this.#deps.logger, isBlocked: () => this.#isBlocked });
    this.#lanes.add(lane);
    if (this.#current) void lane.serve(this.#current.connection, this.#current.ended);
    this.#running ??= this.#keepConnected();
    return lane;
  }

  /** Closes a lane and forgets it. */
  async removeLane(lane: LinkedLane): Promise<void> {
    this.#lanes.delete(lane);
    await lane.close();
  }

  /** Closes everything; from a broker that does not answer within the bound it parts without goodbye. */
  async close(timeoutMs: number): Promise<void> {
    this.#isClosing = true;
    const goodbye = Promise.all([...this.#lanes].map((lane) => lane.close()))
      .then(() => this.connection?.close())
      .catch(() => {});
    await Promise.race([goodbye, sleep(timeoutMs, undefined, { signal: this.#cut.signal })]);
    this.#cut.abort();
    await this.#running;
  }

  async #keepConnected(): Promise<void> {
    for (let attempt = 0; !this.#isClosing; attempt++) {
      try {
        const connection = await this.#connect();
        attempt = 0;
        await this.#hold(connection);
      } catch (fault) {
        this.#report(fault);
      }
      const delayMs = backoffDelayMs(attempt, Math.random());
      if (!this.#isClosing) await sleep(delayMs, undefined, { signal: this.#cut.signal }).catch(() => {});
    }
  }

  async #connect(): Promise<ChannelModel> {
    const socket = new AbortController();
    const cutSocket = () => socket.abort();
    this.#cut.signal.addEventListener('abort', cutSocket);
    const timer = setTimeout(cutSocket, HANDSHAKE_TIMEOUT_MS);
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
    } catch (fault) {
      this.#cut.signal.removeEventListener('abort', cutSocket);
      if (!socket.signal.aborted) throw fault;
      throw new Error(`No answer to the handshake within ${HANDSHAKE_TIMEOUT_MS} ms.`, { cause: fault });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Runs the lanes until the connection ends, then throws what ended it. */
  async #hold(connection: ChannelModel): Promise<never> {
    const { observe, role, logger, address } = this.#deps;
    const ended = new AbortController();
    const fault = new Promise<Error | undefined>((resolve) => {
      connection.once('close', (cause) => {
        ended.abort();
        resolve(cause);
      });
    });
    connection.on('blocked', (reason) => this.#setBlocked(reason));
    connection.on('unblocked', () => this.#setBlocked(undefined));
    this.#current = { connection, ended: ended.signal };
    this.#isBlocked = false;
    observe(this.#connectedTimes++ === 0 ? 'connected' : 'reconnected', role);
    logger.info({ role }, `Connected to the broker at ${address.label}.`);
    for (const lane of this.#lanes) void lane.serve(connection, ended.signal);
    const cause = await fault;
    this.#current = undefined;
    observe('disconnected', role);
    throw cause ?? new Error('The connection was closed.');
  }

  #setBlocked(reason: string | undefined): void {
    const { logger, role } = this.#deps;
    this.#isBlocked = reason !== undefined;
    if (reason === undefined) {
      logger.info({ role }, 'The broker takes messages again.');
      for (const lane of this.#lanes) lane.announce();
      return;
    }
    const remedy = 'Free memory or disk on its machine, or let consumers catch up.';
    logger.warn({ role }, `The broker takes no messages for now (${reason}). ${remedy}`);
  }

  #report(fault: unknown): void {
    if (this.#isClosing) return;
    const { logger, role, address } = this.#deps;
    logger.warn({ role }, `No connection to the broker at ${address.label}: ${explainFault(fault)}`);
  }
}

function socketOptions(connectionName: string, signal: AbortSignal) {
  // node:net takes a signal that destroys the socket; amqplib hands its options on to it.
  return { noDelay: true, keepAlive: true, clientProperties: { connection_name: connectionName }, signal };
}

/** amqplib has it, and leaves it out of its types. */
function socketOf({ connection }: ChannelModel): Writable {
  return (connection as unknown as { stream: Writable }).stream;
}
