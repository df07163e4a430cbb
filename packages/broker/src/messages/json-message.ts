import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError, type Check, type ErrorDetail } from '@gleaner/contracts';
import type { MessageTracing } from '../connection/broker-options.ts';

/** Deadline of a request, in milliseconds since 1970: no reply is wanted after it. */
export const DEADLINE_HEADER = 'x-gleaner-deadline-ms';

/** The span that a request belongs to (https://www.w3.org/TR/trace-context/#traceparent-header). */
export const TRACE_HEADER = 'traceparent';

/** Number of workers that had a request before it was put back into its queue. */
export const DELIVERIES_HEADER = 'x-gleaner-deliveries';

/** Type of a reply whose body is a Failure instead of the result. */
export const FAILURE_TYPE = 'failure';

/** The largest body that is sent; RabbitMQ rejects messages of 16 MiB and more (4.0 release notes). */
export const MAX_BODY_BYTES = 15 * 1024 * 1024;

/** Returns the header that carries the current span; nothing outside of one. */
export function traceHeader(
  tracing: Pick<MessageTracing, 'current'> | undefined,
): Readonly<Record<string, string>> {
  const traceparent = tracing?.current();
  return traceparent === undefined ? {} : { [TRACE_HEADER]: traceparent };
}

/** Encodes a value as the body of a message, of whatever size. */
export function encodeJson(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

/** Returns PAYLOAD_TOO_LARGE when a body does not fit into a message. */
export function oversize(content: Buffer, to: string): AppError | undefined {
  if (content.length <= MAX_BODY_BYTES) return undefined;
  return new AppError('PAYLOAD_TOO_LARGE', {
    message: `A message for ${to} has ${content.length} bytes; at most ${MAX_BODY_BYTES} fit.`,
    suggestion: 'Send less at once.',
  });
}

/** Bodies over this size are decoded in several turns of the event loop. */
const LARGE_BYTES = 256 * 1024;

/** Decodes and checks the body of a message; throws INTERNAL_ERROR that lists every mismatch with the schema. */
export async function decodeJson<Value>(content: Buffer, check: Check<Value>, what: string): Promise<Value> {
  const isLarge = content.length > LARGE_BYTES;
  if (isLarge) await nextTurn();
  const text = content.toString();
  if (isLarge) await nextTurn();
  const value = parse(text, what);
  if (isLarge) await nextTurn();
  const checked = check(value);
  if (checked.ok) return checked.value;
  throw malformed(`${what} does not fit its schema.`, checked.details);
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed(`${what} is not JSON.`);
  }
}

function malformed(message: string, details: readonly ErrorDetail[] = []): AppError {
  return new AppError('INTERNAL_ERROR', {
    message,
    suggestion: 'Run the same version of every service, and let no other program write to these queues.',
    details,
  });
}
