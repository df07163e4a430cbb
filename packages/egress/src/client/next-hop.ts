import { isSecretHeader, sharesCredentials } from '@gleaner/contracts';
import type { Hop } from '../http/http-stack.ts';

const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const BODY_HEADERS: readonly string[] = [
  'content-encoding',
  'content-language',
  'content-location',
  'content-type',
];
/** Conditions on the content of one URL, which mean nothing for another (RFC 9110, section 15.4). */
const CONDITION_HEADERS: readonly string[] = [
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
];

/** Returns true if a response redirects; browsers show one whose Location is empty. */
export function isRedirect(statusCode: number, location: string | undefined): location is string {
  return REDIRECT_STATUSES.has(statusCode) && location !== undefined && location !== '';
}

/**
 * Resolves a Location header as browsers do: relative to the hop, with bytes outside ASCII percent-encoded and the hop's
 * fragment kept. Returns undefined when it is not a valid URL.
 */
export function resolveLocation(location: string, from: URL): string | undefined {
  const encoded = location.replace(
    /[\x80-\xff]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  if (!URL.canParse(encoded, from.href)) return undefined;
  const url = new URL(encoded, from.href);
  if (url.hash === '' && !encoded.includes('#')) url.hash = from.hash;
  return url.href;
}

/**
 * Returns the request that a redirect asks for (https://fetch.spec.whatwg.org/#http-redirect-fetch): 303, and 301 or 302 after
 * POST, turn into GET without a body; secret headers are dropped when the origin changes, conditions always.
 */
export function nextHop(hop: Hop, statusCode: number, url: URL): Hop {
  const turnsIntoGet =
    statusCode === 303
      ? hop.method !== 'GET' && hop.method !== 'HEAD'
      : statusCode < 303 && hop.method === 'POST';
  const dropped = new Set([...CONDITION_HEADERS, ...(turnsIntoGet ? BODY_HEADERS : [])]);
  const keepsSecrets = sharesCredentials(hop.url, url);
  return {
    url,
    method: turnsIntoGet ? 'GET' : hop.method,
    headers: Object.fromEntries(
      Object.entries(hop.headers).filter(
        ([name]) => !dropped.has(name) && (keepsSecrets || !isSecretHeader(name)),
      ),
    ),
    body: turnsIntoGet ? undefined : hop.body,
  };
}
