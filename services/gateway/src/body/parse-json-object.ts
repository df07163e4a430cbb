import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError, LIMITS } from '@gleaner/contracts';

/** Limits of a JSON body, to keep parsing and validation short. */
const MAX = {
  /** Arrays and objects in one another. */
  depth: 64,
  /** A hundred thousand URLs, and all that a schema allows beside them. */
  values: 2 * LIMITS.maxUrlsPerJob,
  /** Fields of all objects together; selectors of 64 KiB, twice, have fewer. */
  fields: 25_000,
  nameBytes: 1024,
  /** 64 KiB of selectors, each character written as an escape. */
  textBytes: 6 * LIMITS.maxSelectorBytes,
} as const;

/** Bodies over this size are read in several turns of the event loop. */
const LARGE_BYTES = 256 * 1024;

/** Limits of one text of JSON, and its name in messages. */
interface JsonRules {
  readonly maxTextBytes?: number | undefined;
  readonly subject?: string;
}

/**
 * Parses the JSON object in a body (RFC 8259; a byte order mark is skipped). Throws INVALID_JSON with the position of the
 * error, and INVALID_REQUEST for a body that nests too deep or consists of too much. Keys such as `__proto__` become plain
 * fields.
 */
export async function parseJsonObject(
  bytes: Buffer,
  { maxTextBytes = MAX.textBytes, subject = 'The body' }: JsonRules = {},
): Promise<object> {
  const pause = async () => void (bytes.length > LARGE_BYTES && (await nextTurn()));
  if (bytes.length === 0) throw new AppError('INVALID_JSON', { message: 'The request has no body.' });
  if (!isUtf8(bytes)) throw new AppError('INVALID_JSON', { message: `${subject} is not valid UTF-8.` });
  // A text this short cannot hold that many brackets; most bodies end here.
  const excess = bytes.length > 2 * MAX.depth ? findExcess(bytes, maxTextBytes) : undefined;
  if (excess !== undefined) throw tooMuch(excess, subject);
  await pause();
  const text = withoutByteOrderMark(bytes.toString('utf8'));
  await pause();
  const value = parse(text, subject);
  await pause();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('INVALID_JSON', { message: `${subject} is ${nameOf(value)}, not an object.` });
  }
  return value;
}

function withoutByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function parse(text: string, subject: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('INVALID_JSON', { message: `${subject} is not JSON: ${explain(error)}.` });
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

/** Words of the message about each excess. */
const EXCESSES: Readonly<Record<keyof typeof MAX, readonly [problem: string, rule: string]>> = {
  depth: ['nests too deep', `must not nest deeper than ${MAX.depth} levels`],
  values: [
    'holds too many values',
    `must have at most ${MAX.values} values in all its lists and objects together`,
  ],
  fields: ['has too many fields', `must have at most ${MAX.fields} fields in all its objects together`],
  nameBytes: ['has a field whose name is too long', `must have names of at most ${MAX.nameBytes} bytes`],
  textBytes: ['holds a text that is too long', `must have texts of at most ${MAX.textBytes} bytes`],
};

function tooMuch(excess: keyof typeof MAX, subject: string): AppError {
  const [problem, message] = EXCESSES[excess];
  return new AppError('INVALID_REQUEST', {
    message: `${subject} ${problem}.`,
    details: [{ path: '', message }],
  });
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Returns the first bound that a JSON text exceeds; one pass, no recursion. */
function findExcess(json: Uint8Array, maxTextBytes: number): keyof typeof MAX | undefined {
  let depth = 0;
  let values = 0;
  let fields = 0;
  let textBytes = 0;
  for (let index = 0; index < json.length; index++) {
    switch (json[index]) {
      case QUOTE: {
        const end = endOfText(json, index + 1);
        textBytes = end - index - 1;
        if (textBytes > maxTextBytes) return 'textBytes';
        index = end;
        break;
      }
      case COLON:
        if (textBytes > MAX.nameBytes) return 'nameBytes';
        if (++fields > MAX.fields) return 'fields';
        break;
      case COMMA:
        if (++values > MAX.values) return 'values';
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        if (++depth > MAX.depth) return 'depth';
        if (++values > MAX.values) return 'values';
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth--;
        break;
    }
  }
  return undefined;
}

/** Returns the index of the closing quote of a string that begins here; the end of the JSON without one. */
function endOfText(json: Uint8Array, start: number): number {
  for (let index = start; index < json.length; index++) {
    if (json[index] === QUOTE) return index;
    if (json[index] === BACKSLASH) index++;
  }
  return json.length;
}
