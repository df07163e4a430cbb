import type { Broker } from '../broker/broker.ts';
import type { MemoryGauge } from '../broker/memory-gauge.ts';
import type { FlushListener } from '../store/write-batch.ts';

/** Where the server says what happens; a pino logger fits. */
export interface AmqpLogger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** The bounds that the server keeps, all of which have RabbitMQ's defaults. */
export interface AmqpLimits {
  readonly maxMessageBytes: number;
  readonly maxFrameBytes: number;
  readonly maxChannels: number;
  /** Proposed to the clients; 0 turns heartbeats off. */
  readonly heartbeatSeconds: number;
  /** From the connection of the socket to the end of the AMQP handshake. */
  readonly handshakeTimeoutMs: number;
  /** What the messages in all queues may hold before publishers have to wait. */
  readonly maxMemoryBytes: number;
  /** How long a delivery may stay unacknowledged before its channel is closed. */
  readonly consumerTimeoutMs: number;
}

/** The one account that may connect. */
export interface AmqpCredentials {
  readonly username: string;
  readonly password: string;
}

/** What all connections of a server share. */
export interface ServerContext {
  readonly broker: Broker;
  readonly limits: AmqpLimits;
  readonly credentials: AmqpCredentials;
  readonly logger: AmqpLogger;
  readonly now: () => number;
  /** What all messages hold together. */
  readonly memory: MemoryGauge;
  /** Calls back when everything stored so far is on the disk. */
  readonly afterFlush: (listener: FlushListener) => void;
  /** Whether the disk is so far behind that publishers have to wait. */
  readonly isDiskBehind: () => boolean;
}
