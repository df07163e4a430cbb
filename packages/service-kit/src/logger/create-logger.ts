import { hostname } from 'node:os';
import { redactLine } from '@gleaner/config';
import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino';
import { formatLine } from './format-line.ts';
import { serialiseError } from './serialise-error.ts';

export type { Logger } from 'pino';

/** How a service logs. */
export interface LoggerOptions {
  readonly service: string;
  /** Which replica it is; by default the host name and the process id. */
  readonly instance?: string | undefined;
  readonly level: string;
  readonly format: 'json' | 'pretty';
  /** Where lines go; by default to stdout, written before the call returns. */
  readonly stream?: DestinationStream;
}

/**
 * A pino logger: one JSON object a line with ISO time, level, service and instance. Errors go in as `err`.
 * No line leaves it with a secret that `redact` knows, wherever it stood.
 */
export function createLogger({ service, instance, level, format, stream }: LoggerOptions): Logger {
  const options = {
    level,
    base: { service, instance: instance ?? `${hostname()}-${process.pid}` },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: serialiseError },
    hooks: {
      streamWrite: format === 'json' ? redactLine : (line: string) => formatLine(redactLine(line)),
    },
  };
  return pino(options, stream ?? destination({ dest: 1, sync: true }));
}
