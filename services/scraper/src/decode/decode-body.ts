import { legacyHookDecode } from '@exodus/bytes/encoding.js';

/**
 * A body as text, decoded as browsers do (https://encoding.spec.whatwg.org/#decode): bytes that the encoding does not
 * have become U+FFFD; the byte order mark is no part of the text.
 */
export function decodeBody(bytes: Uint8Array, encoding: string): string {
  return legacyHookDecode(bytes, encoding);
}
