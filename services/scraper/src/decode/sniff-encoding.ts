import { isUtf8 } from 'node:buffer';
import { getBOMEncoding, normalizeEncoding } from '@exodus/bytes/encoding.js';
import type { DocumentKind } from '@gleaner/extraction';
import { documentKindOf } from './document-kind.ts';
import { parseContentType } from './parse-content-type.ts';
import { findLateMetaEncoding, findXmlEncoding, prescanEncoding } from './prescan-encoding.ts';

/**
 * The encoding that a browser reads a document in, by the Encoding standard's name in lower case
 * (https://html.spec.whatwg.org/#encoding-sniffing-algorithm): byte order mark, Content-Type, what the document says
 * itself, then UTF-8 where the bytes are valid UTF-8, else windows-1252 (at which browsers give up on XML).
 */
export function sniffEncoding(bytes: Uint8Array, contentType: string | undefined): string {
  const { charset } = parseContentType(contentType);
  const declared = charset === undefined ? null : normalizeEncoding(charset);
  return (
    getBOMEncoding(bytes) ??
    declared ??
    OWN_WORDS[documentKindOf(contentType)](bytes) ??
    (isUtf8(bytes) ? 'utf-8' : 'windows-1252')
  );
}

/** What a document says of its encoding: a text nothing, XML by its declaration, HTML by that or `<meta>`. */
const OWN_WORDS: Readonly<Record<DocumentKind, (bytes: Uint8Array) => string | undefined>> = {
  text: () => undefined,
  html: (bytes) => prescanEncoding(bytes) ?? findLateMetaEncoding(bytes),
  xml: findXmlEncoding,
};
