import { isUtf8 } from 'node:buffer';
import { AppError } from '@gleaner/contracts';

/** Greatest depth of arrays and objects in one another. */
const MAX_DEPTH = 64;

/**
 * Parses the JSON object in a body (RFC 8259; a byte order mark is skipped). Throws INVALID_JSON with the position of the
 * error, and INVALID_REQUEST for a body that nests too deep. Keys such as `__proto__` become plain fields.
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
  } catch (error) {
    throw new AppError('INVALID_JSON', { message: `The body is not JSON: ${explain(error)}.` });
  }
}

/**
 * Rewords a message of V8's parser: "Expected ':' after property name in JSON at position 14 (line 2 column 6)", or, where
 * V8 shows an excerpt instead, "Unexpected token 'N', "{"a": NaN}" is not valid JSON".
 */
function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message
    .replace(/(?: in JSON)? at position \d+ \(line (\d+) column (\d+)\)$/, ' at line $1, column $2')
    .replace(/ is not valid JSON$/, '')
    .replace("', ", "' in ")
    .replaceAll(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

function tooDeep(): AppError {
  const details = [{ path: '', message: `must not nest deeper than ${MAX_DEPTH} levels` }];
  return new AppError('INVALID_REQUEST', { message: 'The body nests too deep.', details });
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Returns true when arrays and objects of a valid JSON text nest deeper than `maxDepth`; one pass, no recursion. */
function isDeeperThan(json: Uint8Array, maxDepth: number): boolean {
  // A text this short cannot hold that many brackets; most bodies end here.
  if (json.length <= 2 * maxDepth) return false;
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index++) {
    const byte = json[index];
    if (isInString) {
      if (byte === BACKSLASH) index++;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) isInString = true;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      if (++depth > maxDepth) return true;
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
  }
  return false;
}
