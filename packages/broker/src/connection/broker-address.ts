import { AppError } from '@gleaner/contracts';

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
