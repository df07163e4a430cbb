import type { Broker } from '../broker/broker.ts';
import type { MemoryGauge } from '../messages/memory-gauge.ts';
import type { DiskAlarm } from '../store/disk-alarm.ts';
import type { FlushListener } from '../store/write-batch.ts';

/** Log of the server; a pino logger fits. */
export interface AmqpLogger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Limits of the server; the defaults are RabbitMQ's. */
export interface AmqpLimits {
  readonly maxMessageBytes: number;
  readonly maxFrameBytes: number;
  readonly maxChannels: number;
  /** Proposed to the clients; 0 turns heartbeats off. */
  readonly heartbeatSeconds: number;
  /** From the connection of the socket to the end of the AMQP handshake. */
  readonly handshakeTimeoutMs: number;
  /** Bytes that the messages in all queues may take before publishers have to wait. */
  readonly maxMemoryBytes: number;
}

/** Credentials of the only account. */
export interface AmqpCredentials {
  readonly username: string;
  readonly password: string;
}

/** State and settings that all connections of a server share. */
export interface ServerContext {
  readonly broker: Broker;
  readonly limits: AmqpLimits;
  readonly credentials: AmqpCredentials;
  readonly logger: AmqpLogger;
  readonly now: () => number;
  /** Memory of all messages together. */
  readonly memory: MemoryGauge;
  /** Raised while messages cannot be written. */
  readonly diskAlarm: DiskAlarm;
  /** Calls back when everything stored so far is on disk. */
  readonly afterFlush: (listener: FlushListener) => void;
  /** Returns true while the disk is so far behind that publishers have to wait. */
  readonly isDiskBehind: () => boolean;
}
