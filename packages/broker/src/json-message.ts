import { AppError, type Check, type ErrorDetail } from '@gleaner/contracts';

/** The largest body that is sent; RabbitMQ refuses messages of 16 MiB and more (4.0 release notes). */
export const MAX_BODY_BYTES = 15 * 1024 * 1024;

/** A value as the body of a message, of whatever size. */
export function encodeJson(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

/** PAYLOAD_TOO_LARGE when a body does not fit into a message. */
export function oversize(content: Buffer, to: string): AppError | undefined {
  if (content.length <= MAX_BODY_BYTES) return undefined;
  return new AppError('PAYLOAD_TOO_LARGE', {
    message: `A message for ${to} has ${content.length} bytes; at most ${MAX_BODY_BYTES} fit.`,
    suggestion: 'Send less at once.',
  });
}

/** The body of a message, read and checked; INTERNAL_ERROR naming each fault when it is not what it should be. */
export function decodeJson<Value>(content: Buffer, check: Check<Value>, what: string): Value {
  const checked = check(parse(content, what));
  if (checked.ok) return checked.value;
  throw malformed(`${what} does not fit its schema.`, checked.details);
}

function parse(content: Buffer, what: string): unknown {
  try {
    return JSON.parse(content.toString());
  } catch {
    throw malformed(`${what} is not JSON.`);
  }
}

function malformed(message: string, details: readonly ErrorDetail[] = []): AppError {
  return new AppError('INTERNAL_ERROR', {
    message,
    suggestion: 'Run the same version of every service; nothing else may write to these queues.',
    details,
  });
}
