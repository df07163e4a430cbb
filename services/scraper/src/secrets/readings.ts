import { decodeReferences } from '@gleaner/extraction';

/** A character that a text may stand for at a place. */
export interface Reading {
  /** Code point. */
  readonly code: number;
  /** Place behind it. */
  readonly end: number;
}

/** Layers of encodings that are read, such as a URL in JSON in an attribute of HTML. */
const MAX_LAYERS = 3;
/** Longest name of a character reference of HTML. */
const MAX_NAME = 33;

const [AMPERSAND, PERCENT, BACKSLASH, PLUS, HASH, SEMICOLON] = [0x26, 0x25, 0x5c, 0x2b, 0x23, 0x3b];

/** Returns true for a character that encodings begin with. */
export function isLead(code: number): boolean {
  return code === AMPERSAND || code === PERCENT || code === BACKSLASH || code === PLUS;
}

/**
 * Returns the characters that a text may stand for at a place: the one that is there, and what percent-encodings, character
 * references of HTML, and escapes of JavaScript, JSON and CSS make of it, in each other.
 */
export function readingsAt(text: string, at: number, layers = MAX_LAYERS): readonly Reading[] {
  const code = text.codePointAt(at);
  if (code === undefined) return [];
  const plain = { code, end: at + (code > 0xffff ? 2 : 1) };
  if (!isLead(code) || layers === 0) return [plain];
  if (code === PLUS) return [plain, { code: 0x20, end: at + 1 }];
  const readings: Reading[] = [];
  for (const lead of readingsAt(text, at, layers - 1)) {
    add(readings, lead);
    for (const reading of decode(text, lead, layers - 1)) add(readings, reading);
  }
  return readings;
}

function add(readings: Reading[], { code, end }: Reading): void {
  if (readings.some((each) => each.code === code && each.end === end)) return;
  readings.push({ code, end });
}

/** Returns the readings of an encoded character, by the first character of its code. */
function decode(text: string, { code, end }: Reading, layers: number): readonly Reading[] {
  if (code === PERCENT) return decodePercent(text, end, layers);
  if (code === AMPERSAND) return decodeReference(text, end, layers);
  return code === BACKSLASH ? decodeEscape(text, end, layers) : [];
}

/** Returns the place behind a character, in whatever form it is there; undefined if it is another one. */
function passOver(text: string, at: number, code: number, layers: number): number | undefined {
  return readingsAt(text, at, layers).find((reading) => reading.code === code)?.end;
}

const HEX = /[\da-f]/i;

/** Returns the number that some hexadecimal digits make; undefined if there are fewer. */
function hexAt(text: string, at: number, digits: number): number | undefined {
  for (let place = at; place < at + digits; place += 1) if (!HEX.test(text[place] ?? '')) return undefined;
  return Number.parseInt(text.slice(at, at + digits), 16);
}

function decodePercent(text: string, at: number, layers: number): readonly Reading[] {
  // `escape` of JavaScript writes units of UTF-16 so.
  if (text[at] === 'u')
    return decodeUnit(text, at + 1, (next) => (text[next + 1] === 'u' ? next + 2 : undefined));
  const first = hexAt(text, at, 2);
  if (first === undefined) return [];
  const end = at + 2;
  if (first < 0x80) return [{ code: first, end }];
  const readings = [...LEGACY.decode(Uint8Array.of(first))].map((each) => ({
    code: each.codePointAt(0) ?? 0,
    end,
  }));
  const whole = decodeUtf8(text, { first, end }, layers);
  return whole ? [...readings, whole] : readings;
}

/** Encoding of the queries of pages that name none. */
const LEGACY = new TextDecoder('windows-1252');
const UTF8 = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(
  text: string,
  { first, end: after }: { readonly first: number; readonly end: number },
  layers: number,
): Reading | undefined {
  const bytes = [first];
  let end = after;
  for (let left = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1; left > 0; left -= 1) {
    const digits = passOver(text, end, PERCENT, layers);
    const byte = digits === undefined ? undefined : hexAt(text, digits, 2);
    if (digits === undefined || byte === undefined) return undefined;
    bytes.push(byte);
    end = digits + 2;
  }
  try {
    return { code: UTF8.decode(Uint8Array.from(bytes)).codePointAt(0) ?? 0, end };
  } catch {
    return undefined;
  }
}

function decodeReference(text: string, at: number, layers: number): readonly Reading[] {
  const digits = passOver(text, at, HASH, layers);
  if (digits !== undefined) return decodeNumber(text, digits, layers);
  let after = at;
  while (after - at < MAX_NAME && isWordCharacter(text.charCodeAt(after))) after += 1;
  if (after === at) return [];
  const reference = `&${text.slice(at, after)}`;
  const end = passOver(text, after, SEMICOLON, layers);
  const named = decodeReferences(`${reference};`);
  const code = named.codePointAt(0);
  const isOne = code !== undefined && named.length === (code > 0xffff ? 2 : 1);
  if (end !== undefined && isOne) return [{ code, end }];
  // Some names need no semicolon, and may have other letters behind them.
  const bare = decodeReferences(reference);
  const bareCode = bare.codePointAt(0);
  if (bareCode === undefined || bare === reference) return [];
  return [{ code: bareCode, end: after - (bare.length - 1) }];
}

function isWordCharacter(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

/** Most digits of a number that are read; zeros may stand before it. */
const MAX_DIGITS = 12;

function decodeNumber(text: string, at: number, layers: number): readonly Reading[] {
  const isHex = text[at] === 'x' || text[at] === 'X';
  const [start, digit] = isHex ? [at + 1, HEX] : [at, /\d/];
  let after = start;
  while (after - start < MAX_DIGITS && digit.test(text[after] ?? '')) after += 1;
  const code = Number.parseInt(text.slice(start, after), isHex ? 16 : 10);
  if (Number.isNaN(code) || code > 0x10ffff) return [];
  return [{ code, end: passOver(text, after, SEMICOLON, layers) ?? after }];
}

/** Characters that escapes of JavaScript have letters for. */
const CONTROLS: Readonly<Record<string, number>> = { b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

function decodeEscape(text: string, at: number, layers: number): readonly Reading[] {
  const next = text[at];
  if (next === undefined) return [];
  const readings: Reading[] = [...decodeCss(text, at), ...decodeOctal(text, at)];
  const control = CONTROLS[next];
  if (control !== undefined) readings.push({ code: control, end: at + 1 });
  if (next === 'u') readings.push(...decodeUnicode(text, at + 1, layers));
  const byte = next === 'x' ? hexAt(text, at + 1, 2) : undefined;
  if (byte !== undefined) readings.push({ code: byte, end: at + 3 });
  if (!isWordCharacter(next.charCodeAt(0))) readings.push(...readingsAt(text, at, layers));
  return readings;
}

function decodeUnicode(text: string, at: number, layers: number): readonly Reading[] {
  if (text[at] === '{') {
    const close = text.slice(at, at + MAX_DIGITS).indexOf('}');
    const code = close < 2 ? undefined : hexAt(text, at + 1, close - 1);
    return code === undefined || code > 0x10ffff ? [] : [{ code, end: at + close + 1 }];
  }
  return decodeUnit(text, at, (next) => {
    const after = passOver(text, next, BACKSLASH, layers);
    return after !== undefined && text[after] === 'u' ? after + 1 : undefined;
  });
}

/** Decodes a unit of UTF-16, and with half of a surrogate pair the other one, if it comes. */
function decodeUnit(
  text: string,
  at: number,
  findNext: (at: number) => number | undefined,
): readonly Reading[] {
  const unit = hexAt(text, at, 4);
  if (unit === undefined) return [];
  const end = at + 4;
  const next = unit >= 0xd800 && unit < 0xdc00 ? findNext(end) : undefined;
  const other = next === undefined ? undefined : hexAt(text, next, 4);
  if (next === undefined || other === undefined || other < 0xdc00 || other > 0xdfff)
    return [{ code: unit, end }];
  return [{ code: ((unit - 0xd800) << 10) + (other - 0xdc00) + 0x10000, end: next + 4 }];
}

/** An escape of CSS: up to six digits, and white space that ends them. */
function decodeCss(text: string, at: number): readonly Reading[] {
  let after = at;
  while (after - at < 6 && HEX.test(text[after] ?? '')) after += 1;
  if (after === at) return [];
  const code = Number.parseInt(text.slice(at, after), 16);
  return code > 0x10ffff ? [] : [{ code, end: /\s/.test(text[after] ?? '') ? after + 1 : after }];
}

function decodeOctal(text: string, at: number): readonly Reading[] {
  const [digits] = /^[0-3]?[0-7]{1,2}/.exec(text.slice(at, at + 3)) ?? [];
  return digits === undefined ? [] : [{ code: Number.parseInt(digits, 8), end: at + digits.length }];
}
