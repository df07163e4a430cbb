import type { ErrorDetail } from '@gleaner/contracts';

/** Headers set by the client itself or belonging to one connection (RFC 9110 section 7.6.1, RFC 9113 section 8.2.2). */
const FORBIDDEN_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** A field name (RFC 9110 section 5.6.2). */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Returns every error of a request's own headers, with paths `headers.<name>`; an empty list when all may be sent. */
export function findHeaderErrors(
  headers: Readonly<Record<string, string>>,
  { hasCookies }: { readonly hasCookies: boolean },
): ErrorDetail[] {
  const seen = new Set<string>();
  return Object.entries(headers).flatMap(([name, value]) => {
    const lowerName = name.toLowerCase();
    const isRepeated = seen.has(lowerName);
    seen.add(lowerName);
    const message =
      nameError(lowerName, hasCookies) ?? (isRepeated ? 'is given twice' : undefined) ?? valueError(value);
    return message ? [{ path: `headers.${printable(name)}`, message }] : [];
  });
}

function nameError(name: string, hasCookies: boolean): string | undefined {
  if (name.startsWith(':')) return 'is an HTTP/2 pseudo-header, which only the client sets';
  if (!TOKEN.test(name)) return 'is not a header name: use letters, digits and hyphens';
  if (name === '__proto__') return 'is not a supported header name';
  if (FORBIDDEN_HEADERS.has(name) || name.startsWith('proxy-'))
    return 'is set by the client itself and cannot be given';
  if (name === 'cookie' && hasCookies)
    return 'cannot be combined with cookies; put every cookie into cookies';
  return undefined;
}

function valueError(value: string): string | undefined {
  const codes = Array.from(value, (character) => character.codePointAt(0) ?? 0);
  if (codes.some((code) => (code < 0x20 && code !== 0x09) || code === 0x7f))
    return 'contains a control character in its value';
  if (codes.some((code) => code > 0xff))
    return 'contains a character outside Latin-1 in its value; percent-encode it';
  return undefined;
}

/** Removes characters that could break a line or a log, because names are quoted back to the caller. */
function printable(name: string): string {
  return name.replace(/[^\x21-\x7e]/g, '?').slice(0, 100);
}
