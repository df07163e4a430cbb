import { isUtf8 } from 'node:buffer';
import { AppError } from '@gleaner/contracts';
import { locateJsonFault } from './locate-json-fault.ts';
import { isDeeperThan } from './nesting-depth.ts';

/** How deep arrays and objects may lie in one another. */
const MAX_DEPTH = 64;

/**
 * The one JSON object that a body holds (RFC 8259; a byte order mark is skipped). Throws INVALID_JSON, saying where,
 * and INVALID_REQUEST for what nests too deep. Keys such as `__proto__` come out as plain fields.
 */
export function parseJsonObject(bytes: Buffer): object {
  if (bytes.length === 0) throw new AppError('INVALID_JSON', { message: 'The request has no body.' });
  if (!isUtf8(bytes)) throw new AppError('INVALID_JSON', { message: 'The body is not valid UTF-8.' });
  const value = parse(withoutByteOrderMark(bytes.toString('utf8')));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('INVALID_JSON', { message: `The body is ${nameOf(value)}, not an object.` });
  }
  if (isDeeperThan(bytes, MAX_DEPTH)) throw tooDeep();
  return value;
}

function withoutByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('INVALID_JSON', { message: `The body is not JSON: ${locateJsonFault(text)}.` });
  }
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

function tooDeep(): AppError {
  const details = [{ path: '', message: `must not nest deeper than ${MAX_DEPTH} levels` }];
  return new AppError('INVALID_REQUEST', { message: 'The body nests too deep.', details });
}
