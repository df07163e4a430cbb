import type { UrlPattern } from '@gleaner/contracts';
import { RE2JS } from 're2js';
import { normalizePath } from '../robots/parse-robots.ts';

/** Returns true if the pattern matches the URL. */
export type UrlMatcher = (url: URL) => boolean;

/**
 * Compiles a pattern. A glob is compared with path and query, or with the whole URL if it begins with `http`, from the
 * first to the last character: `*` stands for any characters but `/`, `**` for any at all, and every other character for
 * itself, percent-encoded or not. A regular expression is searched for in the whole URL; one with characters that URLs
 * encode, in the decoded URL. Both take time linear in the URL. Throws an Error for a regular expression that RE2 rejects.
 */
export function compileUrlPattern(pattern: UrlPattern): UrlMatcher {
  if (typeof pattern !== 'string') {
    const regex = compileOnce(pattern.regex);
    const isReadable = /[^\x21-\x7e]/.test(pattern.regex);
    return (url) => regex.matcher(isReadable ? readableUrl(url) : url.href).find();
  }
  const isWhole = /^https?:/i.test(pattern);
  const matches = compileGlob(encodeGlob(isWhole ? withUrlHost(pattern) : pattern));
  return ({ href, hash, pathname, search }) =>
    matches(encoded(isWhole ? href.slice(0, href.length - hash.length) : pathname + search));
}

/** Texts that are the same percent-encoded. */
const PLAIN = /^[\w\-.~:/?#[\]@!&()+,;=]*$/;

/** Returns a text of a URL in the one form of its percent-encoding that patterns are compared in. */
function encoded(text: string): string {
  return PLAIN.test(text) ? text : normalizePath(text);
}

/** Writes the literal parts of a glob as the texts that it is compared with. */
function encodeGlob(glob: string): string {
  return glob.replace(/[^*]+/g, encoded);
}

/** Writes the host of a glob for whole URLs as URLs do: in lower case, in ASCII, without the usual port, and before a path. */
function withUrlHost(glob: string): string {
  const [, scheme = '', host = '', rest = ''] = /^(https?:)\/\/([^/?#]*)([/?#].*)?$/is.exec(glob) ?? [];
  if (host === '') return glob;
  const labels = host.split('.').map((label) => {
    const isAscii = /^[\x21-\x7e]*$/.test(label);
    return isAscii ? label.toLowerCase() : (URL.parse(`http://${label}`)?.host ?? label);
  });
  const usualPort = scheme.toLowerCase() === 'https:' ? /:443$/ : /:80$/;
  const path = rest === '' && !host.endsWith('*') ? '/' : rest;
  return `${scheme.toLowerCase()}//${labels.join('.').replace(usualPort, '')}${path}`;
}

/** Returns a URL as people read it; escapes of other bytes than UTF-8 stay. */
function readableUrl({ href }: URL): string {
  return href.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

/** Most instructions of the patterns that are kept, together: each takes some 200 bytes. */
const MAX_KEPT_SIZE = 100_000;

/** Compiled patterns, the least recently used first: a crawl is checked, started, read and explained with the same ones. */
const compiled = new Map<string, RE2JS>();
let keptSize = 0;

/** Returns the regular expression, compiled once as long as it is in use. Throws an Error if RE2 rejects it. */
function compileOnce(source: string): RE2JS {
  const known = compiled.get(source);
  const regex = known ?? RE2JS.compile(source);
  if (known) compiled.delete(source);
  else keptSize += regex.programSize();
  compiled.set(source, regex);
  for (const [oldest, unused] of compiled) {
    if (keptSize <= MAX_KEPT_SIZE) break;
    compiled.delete(oldest);
    keptSize -= unused.programSize();
  }
  return regex;
}

/** Compiles a glob. The literal parts, which are quickly compared, decide about most URLs. */
function compileGlob(glob: string): (text: string) => boolean {
  const parts = glob.split('*');
  const [head = '', tail = ''] = [parts[0], parts.at(-1)];
  if (glob === head) return (text) => text === glob;
  if (glob === `${head}**`) return (text) => text.startsWith(head);
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best));
  const matches = glob.includes('**') ? compileDeep(glob) : compileFlat(glob);
  return (text) => text.startsWith(head) && text.endsWith(tail) && text.includes(longest) && matches(text);
}

/** Compiles a glob with `**`. */
function compileDeep(glob: string): (text: string) => boolean {
  const regex = compileOnce(`(?s)${globToRegex(glob)}`);
  return (text) => regex.matcher(text).matches();
}

/** Compiles a glob without `**`: the text has as many segments as the glob, and each matches its own. */
function compileFlat(glob: string): (text: string) => boolean {
  const globs = glob.split('/').map((segment) => segment.split('*'));
  return (text) => {
    const segments = text.split('/');
    return (
      segments.length === globs.length &&
      globs.every((parts, index) => matchesParts(segments[index] as string, parts))
    );
  };
}

/** Returns true if the text is made of these parts in order, with anything between them. */
function matchesParts(text: string, parts: readonly string[]): boolean {
  const [head = '', ...rest] = parts;
  const tail = rest.pop();
  if (tail === undefined) return text === head;
  if (!text.startsWith(head)) return false;
  let from = head.length;
  for (const part of rest) {
    // The earliest match leaves the most for the later parts.
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return text.length - tail.length >= from && text.endsWith(tail);
}

/** Explains why a pattern is not valid and what to write instead, or returns undefined. */
export function findUrlPatternError(pattern: UrlPattern): string | undefined {
  if (typeof pattern !== 'string') return findRegexError(pattern.regex);
  if (/^(?:\/|\*|https?:)/i.test(pattern)) return undefined;
  return `${JSON.stringify(pattern)} matches no URL: ${adviseOnGlob(pattern)}.`;
}

function adviseOnGlob(glob: string): string {
  const isHost = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+(?:[/:]|$)/u.test(glob);
  if (isHost) return `write "https://${glob}" to compare the whole URL`;
  return `write "/${glob}" to compare the path from its beginning, or "**${glob}" for any beginning`;
}

/** Syntax of other engines without a counterpart in RE2, and what to do instead. */
const UNSUPPORTED: readonly (readonly [RegExp, string])[] = [
  [/\(\?<?[=!]/, 'no look-around; put what must not match into exclude'],
  [/\\[1-9]|\\k</, 'no backreferences'],
  [/\(\?>|[*+?}]\+/, 'no possessive quantifiers; nothing backtracks, so a plain one does the same'],
];

function findRegexError(regex: string): string | undefined {
  try {
    compileOnce(regex);
    return undefined;
  } catch (error) {
    const reason =
      error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error);
    const known = UNSUPPORTED.find(([syntax]) => syntax.test(regex))?.[1];
    return `${JSON.stringify(regex)} is not a regular expression in RE2's syntax${known ? `, which has ${known}` : `: ${reason}`}.`;
  }
}

function globToRegex(glob: string): string {
  return glob.replace(/\*\*+|\*|[^*]+/g, (part) => {
    if (part === '*') return '[^/]*';
    return part.startsWith('*') ? '.*' : RE2JS.quote(part);
  });
}
