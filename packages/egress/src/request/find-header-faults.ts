import type { ErrorDetail } from '@gleaner/contracts';

/** Headers that the client itself sets or that belong to one connection (RFC 9110 section 7.6.1, RFC 9113 section 8.2.2). */
const REFUSED_HEADERS: ReadonlySet<string> = new Set([
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

/** Everything that is wrong with a request's own headers; paths are `headers.<name>`. An empty list means they may be sent. */
export function findHeaderFaults(
  headers: Readonly<Record<string, string>>,
  { hasCookies }: { readonly hasCookies: boolean },
): ErrorDetail[] {
  const seen = new Set<string>();
  return Object.entries(headers).flatMap(([name, value]) => {
    const lowerName = name.toLowerCase();
    const isRepeated = seen.has(lowerName);
    seen.add(lowerName);
    const message =
      nameFault(lowerName, hasCookies) ?? (isRepeated ? 'is given twice' : undefined) ?? valueFault(value);
    return message ? [{ path: `headers.${printable(name)}`, message }] : [];
  });
}

function nameFault(name: string, hasCookies: boolean): string | undefined {
  if (name.startsWith(':')) return 'is a pseudo-header of HTTP/2, which only the client sets';
  if (!TOKEN.test(name)) return 'is not a header name: use letters, digits and hyphens';
  if (name === '__proto__') return 'is a name that would get lost on the way';
  if (REFUSED_HEADERS.has(name) || name.startsWith('proxy-'))
    return 'is set by the client itself and cannot be given';
  if (name === 'cookie' && hasCookies) return 'cannot be given beside cookies; put everything into cookies';
  return undefined;
}

function valueFault(value: string): string | undefined {
  const codes = Array.from(value, (character) => character.codePointAt(0) ?? 0);
  if (codes.some((code) => (code < 0x20 && code !== 0x09) || code === 0x7f))
    return 'has a control character in its value';
  if (codes.some((code) => code > 0xff))
    return 'has a character in its value that is outside Latin-1; percent-encode it';
  return undefined;
}

/** Names are quoted back to the caller, so they lose what could break a line or a log. */
function printable(name: string): string {
  return name.replace(/[^\x21-\x7e]/g, '?').slice(0, 100);
}
