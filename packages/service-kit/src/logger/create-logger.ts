import { hostname } from 'node:os';
import { redactLine } from '@gleaner/config';
import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino';
import type { Tracer } from '../tracing/tracer.ts';
import { formatLine } from './format-line.ts';
import { serializeError } from './serialize-error.ts';

export type { Logger } from 'pino';

/** Options of `createLogger`. */
export interface LoggerOptions {
  readonly service: string;
  /** Name of the replica; by default the host name and process ID. */
  readonly instance?: string | undefined;
  readonly level: string;
  readonly format: 'json' | 'pretty';
  /** Its current span is named in each line. */
  readonly tracer?: Pick<Tracer, 'isOn' | 'current'>;
  /** Destination of the lines; by default stdout, written before the call returns. */
  readonly stream?: DestinationStream;
}

/**
 * Creates a pino logger: one JSON object per line with ISO time, level, service and instance. Pass errors as `err`. Secrets
 * that `redact` finds are removed from every part of a line.
 */
export function createLogger({ service, instance, level, format, tracer, stream }: LoggerOptions): Logger {
  const options = {
    level,
    base: { service, instance: instance ?? `${hostname()}-${process.pid}` },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: serializeError },
    ...(tracer?.isOn && { mixin: () => idsOf(tracer.current()) }),
    hooks: {
      streamWrite: format === 'json' ? redactLine : (line: string) => formatLine(redactLine(line)),
    },
  };
  return pino(options, stream ?? destination({ dest: 1, sync: true }));
}

/** Returns the ids of a `traceparent` under their names in OpenTelemetry's logs. */
function idsOf(traceparent: string | undefined): object {
  if (traceparent === undefined) return {};
  const [, traceId, spanId] = traceparent.split('-');
  return { trace_id: traceId, span_id: spanId };
}
