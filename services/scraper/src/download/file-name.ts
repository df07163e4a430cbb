/** Most bytes of a name, which file systems bound at 255; there is room for a number in front. */
const MAX_BYTES = 200;
const FALLBACK = 'download';

/** Names of devices on Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;
/** Control characters, marks of direction, invisible characters, and characters that some file system refuses. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029<>:"|?*]/gu;

/**
 * Returns the name of a file: that of its Content-Disposition (RFC 6266), or the end of its URL. Folders, and everything that is
 * not safe in a name on some system, are left out.
 */
export function fileNameOf(disposition: string | undefined, url: string): string {
  const given = disposition === undefined ? undefined : nameIn(disposition);
  return safe(given ?? '') ?? safe(decoded(new URL(url).pathname)) ?? FALLBACK;
}

/** Returns the name that a Content-Disposition gives; the extended form comes first. */
function nameIn(disposition: string): string | undefined {
  const values = new Map<string, string>();
  for (const [, name = '', quoted, plain] of disposition.matchAll(PARAMETER)) {
    const value = quoted?.replace(/\\(.)/g, '$1') ?? plain?.trim() ?? '';
    if (!values.has(name.toLowerCase())) values.set(name.toLowerCase(), value);
  }
  const plain = values.get('filename');
  return extended(values.get('filename*')) ?? (plain === undefined ? undefined : readPlain(plain));
}

const PARAMETER = /;[ \t]*([^=;\s]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"?|([^;]*))/g;

/** Reads `UTF-8''a%20b` (RFC 8187); undefined for bytes that are not in the charset, so that the plain name counts, as in Chromium. */
function extended(value: string | undefined): string | undefined {
  const [, charset = '', text = ''] = /^([^']*)'[^']*'(.*)$/s.exec(value ?? '') ?? [];
  return decodeAs(charset, unescapeBytes(text));
}

/** Reads what servers send without an extended form, as Chromium does: encoded words, else percent escapes, else bytes of UTF-8. */
function readPlain(text: string): string {
  if (text.includes('=?')) return text.replace(ENCODED_WORDS, readWords);
  const unescaped = text.includes('%') ? decodeAs('utf-8', unescapeBytes(text)) : undefined;
  return unescaped ?? fromLatin1(text);
}

/** Matches words of RFC 2047 with the white space between them. */
const ENCODED_WORDS =
  /=\?[\w-]+(?:\*[\w-]*)?\?[bq]\?[^?]*\?=(?:\s*=\?[\w-]+(?:\*[\w-]*)?\?[bq]\?[^?]*\?=)*/gi;
const ENCODED_WORD = /=\?([\w-]+)(?:\*[\w-]*)?\?([bq])\?([^?]*)\?=/gi;

/** Decodes words in a row, whose characters may be cut at their ends; as they are written where a charset is unknown. */
function readWords(words: string): string {
  const parts: { charset: string; bytes: Buffer }[] = [];
  for (const [, charset = '', encoding = '', text = ''] of words.matchAll(ENCODED_WORD)) {
    const bytes = encoding.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : unescapeQ(text);
    const last = parts.at(-1);
    if (last?.charset === charset.toLowerCase()) last.bytes = Buffer.concat([last.bytes, bytes]);
    else parts.push({ charset: charset.toLowerCase(), bytes });
  }
  const texts = parts.map(({ charset, bytes }) => decodeAs(charset, bytes));
  return texts.some((text) => text === undefined) ? words : texts.join('');
}

function unescapeQ(text: string): Buffer {
  const spaced = text.replaceAll('_', ' ');
  return Buffer.from(unescapeBytes(spaced.replace(/%/g, '%25').replace(/=([\da-f]{2})/gi, '%$1')));
}

function decodeAs(charset: string, bytes: Uint8Array): string | undefined {
  if (charset.toLowerCase() === 'iso-8859-1') return Buffer.from(bytes).toString('latin1');
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function unescapeBytes(text: string): Uint8Array {
  const latin1 = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(latin1, 'latin1');
}

/** Many servers send the bytes of UTF-8, which node reads as Latin-1. */
function fromLatin1(text: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Returns the last part of a path as a name that is safe anywhere; undefined if nothing is left of it. */
function safe(path: string): string | undefined {
  const last = path.split(/[/\\]/).findLast((part) => part.trim() !== '') ?? '';
  const name = trimmed(last.normalize('NFC').replace(UNSAFE, ''));
  if (name === '') return undefined;
  return cut(DEVICE.test(name) ? `_${name}` : name);
}

/** Leaves out white space and dots at both ends: systems hide names that begin with one, and drop them at the end. */
function trimmed(name: string): string {
  let end = name.length;
  while (end > 0 && /[\s.]/.test(name.charAt(end - 1))) end -= 1;
  return name.slice(0, end).replace(/^[\s.]+/, '');
}

/** Shortens a name, and keeps its extension. */
function cut(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name;
  const [extension = ''] = /\.[A-Za-z0-9]{1,10}$/.exec(name) ?? [];
  const room = MAX_BYTES - extension.length;
  let stem = '';
  for (const character of name.slice(0, name.length - extension.length)) {
    if (Buffer.byteLength(stem + character) > room) break;
    stem += character;
  }
  return stem.trimEnd() + extension;
}
