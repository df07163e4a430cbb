import { hostname } from 'node:os';
import { redactLine } from '@gleaner/config';
import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino';
import type { Tracer } from '../tracing/tracer.ts';
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

const LEVELS_WITH_STACK = new Set(['error', 'fatal']);

/** Formats a JSON log line for people: time, level, message, other fields; the stack of an error below. */
function formatLine(line: string): string {
  const { time, level, service, instance, msg, err, ...fields } = JSON.parse(line) as LogRecord;
  const details = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  // An error with a suggestion is written for operators: its stack would not help.
  const stack = err?.stack && !err.suggestion && LEVELS_WITH_STACK.has(level) ? `\n${err.stack}` : '';
  const clock = time.slice('2026-01-01T'.length, -1);
  return `${clock} ${level.toUpperCase().padEnd(5)} ${service} ${msg ?? ''}${details.join('')}${stack}\n`;
}

interface LogRecord {
  readonly time: string;
  readonly level: string;
  readonly service: string;
  readonly instance: string;
  readonly msg?: string;
  readonly err?: { readonly stack?: string; readonly suggestion?: string };
  readonly [field: string]: unknown;
}

/**
 * Runs a promise without waiting for it: a failure becomes an error line in the log instead of an unhandled rejection,
 * which would end the process. The only way for a service to start work that it does not await.
 */
export function inBackground(
  promise: Promise<unknown>,
  logger: Pick<Logger, 'error'>,
  message = 'Background work failed.',
): void {
  promise.catch((err: unknown) => logger.error({ err }, message));
}
