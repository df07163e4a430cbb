import { setImmediate as turn } from 'node:timers/promises';
import type { Redactor, TextKind } from './redactor.ts';

const HIDDEN = '"[redacted]"';
/** Longer strings are read in steps of their own. */
const SHORT = 16 * 1024;
const TURN_MS = 10;

/** Keeps names such as "main", which keys may have. */
const KEY: TextKind = { isKept: ({ form }) => form.isName };

/** Replaces the secrets in the strings, keys and numbers of a JSON text; a valid one stays valid. */
export async function redactJson(json: string, redactor: Redactor): Promise<string> {
  if (redactor.isIdle) return json;
  const parts: string[] = [];
  let sinceMs = performance.now();
  for (let at = 0; at < json.length; ) {
    const start = nextToken(json, at);
    if (start > at) parts.push(await redactBetween(json.slice(at, start), redactor));
    const isString = json[start] === '"';
    at = isString ? endOfString(json, start) : endOfNumber(json, start);
    const token = json.slice(start, at);
    parts.push(
      isString ? await redactString(token, redactor, kindOf(json, at)) : redactNumber(token, redactor),
    );
    if (performance.now() - sinceMs < TURN_MS) continue;
    await turn();
    sinceMs = performance.now();
  }
  return parts.join('');
}

/** Words of JSON, which do not come from the page. */
const WORDS = /true|false|null/g;
const PUNCTUATION = /^[\s{}[\],:]*$/;

async function redactBetween(text: string, redactor: Redactor): Promise<string> {
  const isOfJson = text.length < 100 && PUNCTUATION.test(text.replace(WORDS, ''));
  return isOfJson ? text : await redactor.redactLong(text);
}

/** Returns the place of the next string or number. */
function nextToken(json: string, from: number): number {
  let [at, before] = [from, ''];
  for (; at < json.length; at += 1) {
    const character = json[at] ?? '';
    if (character === '"' || (NUMBER.test(character) && '[:,'.includes(before))) return at;
    if (!SPACE.test(character)) before = character;
  }
  return at;
}

const NUMBER = /[\d-]/;
const SPACE = /\s/;

function endOfString(json: string, at: number): number {
  let end = at + 1;
  while (end < json.length && json[end] !== '"') end += json[end] === '\\' ? 2 : 1;
  return end + 1;
}

function endOfNumber(json: string, at: number): number {
  let end = at + 1;
  while (/[\d.eE+-]/.test(json[end] ?? '')) end += 1;
  return end;
}

function kindOf(json: string, end: number): TextKind {
  let after = end;
  while (SPACE.test(json[after] ?? '')) after += 1;
  return json[after] === ':' ? KEY : {};
}

/** Replaces secrets in the text of a JSON string, so that no escape is cut in two. */
async function redactString(token: string, redactor: Redactor, kind: TextKind): Promise<string> {
  const redact = async (text: string) =>
    text.length > SHORT ? await redactor.redactLong(text, kind) : redactor.redact(text, kind);
  if ((await redact(token)) === token) return token;
  const text = parse(token);
  if (text === undefined) return HIDDEN;
  const shown = JSON.stringify(await redact(text));
  // As it is written it may still be one, though the text is another.
  return (await redact(shown)) === shown ? shown : HIDDEN;
}

/** Returns the text of a string; undefined of one that is not valid. */
function parse(token: string): string | undefined {
  try {
    return JSON.parse(token);
  } catch {
    return undefined;
  }
}

function redactNumber(token: string, redactor: Redactor): string {
  return redactor.has(token) ? HIDDEN : token;
}
