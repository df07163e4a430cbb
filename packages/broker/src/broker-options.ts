/** The part of a pino logger that the broker writes to. */
export interface BrokerLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * What can be counted: the state of the two connections (by role: `publish`, `consume`) and the fate of
 * messages (by queue or exchange, as the contracts name it).
 */
export type BrokerEvent =
  | 'connected'
  | 'disconnected'
  | 'reconnected'
  | 'published'
  | 'consumed'
  | 'returned'
  | 'nacked'
  | 'late-reply';

/** Told of every event, with the connection, queue or exchange that it happened to; must not throw. */
export type Observe = (event: BrokerEvent, subject: string) => void;

/** What `connectBroker` needs to know. */
export interface BrokerOptions {
  /** `amqp://user:password@host:port/vhost` or `amqps://…`; its credentials are never logged. */
  readonly url: string;
  /** Who connects, as the broker's own tools show it. */
  readonly name: string;
  readonly logger: BrokerLogger;
  readonly observe?: Observe;
  /** Put before every queue and exchange name, so that several installations can share one broker. */
  readonly namePrefix?: string;
  /** How long the first connection may take before `connectBroker` returns without it; 5000 by default. */
  readonly connectTimeoutMs?: number;
  /** Silence for about twice this long ends a connection; 10 by default. */
  readonly heartbeatSeconds?: number;
}
