import { isUtf8 } from 'node:buffer';
import { getBOMEncoding, legacyHookDecode, normalizeEncoding } from '@exodus/bytes/encoding.js';
import type { DocumentKind } from '@gleaner/extraction';
import { documentKindOf, parseContentType } from './content-type.ts';
import { findLateMetaEncoding, findXmlEncoding, prescanEncoding } from './prescan-encoding.ts';

/**
 * Returns the encoding in which a browser reads a document, by the Encoding standard's name in lower case
 * (https://html.spec.whatwg.org/#encoding-sniffing-algorithm): from the byte order mark, the Content-Type, the document's
 * own declaration, then UTF-8 where the bytes are valid UTF-8, else windows-1252 (in which browsers fail to read XML).
 */
export function sniffEncoding(bytes: Uint8Array, contentType: string | undefined): string {
  const { charset } = parseContentType(contentType);
  const declared = charset === undefined ? null : normalizeEncoding(charset);
  return (
    getBOMEncoding(bytes) ??
    declared ??
    DECLARATION_FINDERS[documentKindOf(contentType)](bytes) ??
    (isUtf8(bytes) ? 'utf-8' : 'windows-1252')
  );
}

/** Finds the encoding that a document declares: XML in its declaration, HTML there or in `<meta>`, a text nowhere. */
const DECLARATION_FINDERS: Readonly<Record<DocumentKind, (bytes: Uint8Array) => string | undefined>> = {
  text: () => undefined,
  json: () => undefined,
  html: (bytes) => prescanEncoding(bytes) ?? findLateMetaEncoding(bytes),
  xml: findXmlEncoding,
};

/**
 * Decodes a body as browsers do (https://encoding.spec.whatwg.org/#decode): invalid bytes become U+FFFD, and the byte order
 * mark is dropped.
 */
export function decodeBody(bytes: Uint8Array, encoding: string): string {
  return legacyHookDecode(bytes, encoding);
}
