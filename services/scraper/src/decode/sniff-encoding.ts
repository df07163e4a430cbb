import { isUtf8 } from 'node:buffer';
import { getBOMEncoding, normalizeEncoding } from '@exodus/bytes/encoding.js';
import { parseContentType } from './parse-content-type.ts';
import { findLateMetaEncoding, prescanEncoding } from './prescan-encoding.ts';

/** Text types whose markup, if any, says nothing about their encoding. */
const TYPES_WITHOUT_META: ReadonlySet<string> = new Set([
  'text/plain',
  'text/css',
  'text/csv',
  'application/json',
]);

/**
 * The encoding that a browser reads a document in, by the Encoding standard's name in lower case
 * (https://html.spec.whatwg.org/#encoding-sniffing-algorithm): byte order mark, Content-Type, `<meta>` or XML
 * declaration, then UTF-8 where the bytes are valid UTF-8, else windows-1252.
 */
export function sniffEncoding(bytes: Uint8Array, contentType: string | undefined): string {
  const { essence, charset } = parseContentType(contentType);
  const declared = charset === undefined ? null : normalizeEncoding(charset);
  const mayHaveMeta = !TYPES_WITHOUT_META.has(essence);
  return (
    getBOMEncoding(bytes) ??
    declared ??
    (mayHaveMeta ? (prescanEncoding(bytes) ?? findLateMetaEncoding(bytes)) : undefined) ??
    (isUtf8(bytes) ? 'utf-8' : 'windows-1252')
  );
}
