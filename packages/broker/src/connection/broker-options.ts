import { AppError } from '@gleaner/contracts';

/** The part of a pino logger that the broker writes to. */
export interface BrokerLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * An event worth counting: the state of a connection (by its role: `publish`, `consume`, `answer`), or the fate of a
 * message (by its queue or exchange, as the contracts name it).
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

/** Receives every event with its connection, queue or exchange; must not throw. */
export type Observe = (event: BrokerEvent, subject: string) => void;

/** Spans, as far as messages have to do with them. */
export interface MessageTracing {
  /** Returns the `traceparent` of the current span, if there is one. */
  current(): string | undefined;
  /** Runs the work on a message as a span. */
  run<Result>(
    options: { readonly name: string; readonly kind: 'consumer'; readonly parent: string },
    work: () => Promise<Result>,
  ): Promise<Result>;
}

/** Options of `connectBroker`. */
export interface BrokerOptions {
  /** `amqp://user:password@host:port/vhost` or `amqps://…`; its credentials are never logged. */
  readonly url: string;
  /** Name of this client in the broker's own tools. */
  readonly name: string;
  readonly logger: BrokerLogger;
  readonly observe?: Observe;
  /** Receives the seconds that each delivered message has waited in its queue; must not throw. */
  readonly observeWait?: (queue: string, seconds: number) => void;
  /** Carries the current span of a requester to the worker of its request. */
  readonly tracing?: MessageTracing;
  /** Put before every queue and exchange name, so that several installations can share one broker. */
  readonly namePrefix?: string;
  /** Time for the first connection, after which `connectBroker` returns without it; 5000 by default. */
  readonly connectTimeoutMs?: number;
  /** Silence for about twice this long ends a connection; 10 by default. */
  readonly heartbeatSeconds?: number;
}

/** Address of the broker: the URL to connect with (a secret), and its label for logs. */
export interface BrokerAddress {
  readonly url: string;
  readonly label: string;
}

const DEFAULT_PORTS: Record<string, string> = { 'amqp:': '5672', 'amqps:': '5671' };

/** Parses an AMQP URL; a heartbeat in its query overrides the one given. Throws without repeating the URL. */
export function brokerAddress(url: string, heartbeatSeconds: number): BrokerAddress {
  const parsed = URL.parse(url);
  const defaultPort = DEFAULT_PORTS[parsed?.protocol ?? ''];
  if (!parsed?.hostname || !defaultPort) {
    throw new AppError('INTERNAL_ERROR', {
      message: 'The URL of the broker is not an AMQP URL.',
      suggestion:
        'Set AMQP_URL to amqp://user:password@host:5672/vhost (amqps:// for TLS); percent-encode special characters in the password.',
    });
  }
  if (!parsed.searchParams.has('heartbeat')) parsed.searchParams.set('heartbeat', String(heartbeatSeconds));
  const port = parsed.port || defaultPort;
  return { url: parsed.href, label: `${parsed.protocol}//${parsed.hostname}:${port}${parsed.pathname}` };
}
