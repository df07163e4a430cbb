import { isUnknownType, parseContentType } from '../decode/content-type.ts';

/** File types by their first bytes; no document begins with them (https://mimesniff.spec.whatwg.org/#sniffing-a-mime-type-unknown). */
const MAGIC_NUMBERS: readonly (readonly [kind: string, hex: RegExp])[] = [
  ['a PDF file', /^255044462d/],
  ['a PNG image', /^89504e470d0a1a0a/],
  ['a JPEG image', /^ffd8ff/],
  ['a GIF image', /^47494638(?:37|39)61/],
  ['a WebP image', /^52494646.{8}574542505650/],
  ['an image', /^(?:424d.{8}0000|00000100|00000200|49492a00|4d4d002a)/],
  ['a ZIP archive', /^504b0304/],
  ['a gzip archive', /^1f8b08/],
  ['a RAR archive', /^526172211a07/],
  ['a 7z archive', /^377abcaf271c/],
  ['a font', /^(?:774f4646|774f4632|00010000)/],
  ['a video', /^(?:.{8}66747970|1a45dfa3|000001b[a3])/],
  ['an audio file', /^(?:4944330[234]00|4f67675300|52494646.{8}57415645)/],
  ['a program', /^(?:7f454c46|0061736d)/],
];

/** Types whose body is a document with text. */
const DOCUMENT_TYPE =
  /^(?:text\/|application\/(?:xhtml\+xml|xml|json|javascript|x-javascript|ld\+json|rss\+xml|atom\+xml)$|[^/]+\/[^/]+\+(?:xml|json)$)/;

/**
 * Types, letter by letter, that old servers send for every unknown file; any other charset was chosen for the file
 * (https://mimesniff.spec.whatwg.org/#interpreting-the-resource-metadata).
 */
const SUSPECT_TYPES: ReadonlySet<string> = new Set([
  'text/plain',
  'text/plain; charset=ISO-8859-1',
  'text/plain; charset=iso-8859-1',
  'text/plain; charset=UTF-8',
]);

const SNIFFED_BYTES = 1_445;

/** Returns the type of a body as a noun phrase when it is not a document; undefined for documents. */
export function describeNonDocument(bytes: Uint8Array, contentType: string | undefined): string | undefined {
  const { essence } = parseContentType(contentType);
  const head = bytes.subarray(0, SNIFFED_BYTES);
  const magic = magicKind(head);
  if (magic !== undefined) return magic;
  const isSniffed = isUnknownType(essence) || SUSPECT_TYPES.has(contentType ?? '');
  if (isSniffed) return isBinary(head) ? 'binary data' : undefined;
  return isDocumentType(contentType) ? undefined : `of type ${essence}`;
}

const PDF_TYPE = 'application/pdf';

/** Tells whether a body is a PDF: by its first bytes, which readers look for in a longer beginning where the type says so. */
export function isPdf(bytes: Uint8Array, contentType: string | undefined): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024));
  const at = head.indexOf('%PDF-');
  return at === 0 || (at > 0 && isPdfType(contentType));
}

/** Tells whether a Content-Type stands for PDFs. */
export function isPdfType(contentType: string | undefined): boolean {
  return parseContentType(contentType).essence === PDF_TYPE;
}

/** Tells whether a Content-Type stands for a document with text. */
export function isDocumentType(contentType: string | undefined): boolean {
  return DOCUMENT_TYPE.test(parseContentType(contentType).essence);
}

/** Rules out all of them in one pass, as for nearly every page. */
const ANY_MAGIC_NUMBER = new RegExp(MAGIC_NUMBERS.map(([, { source }]) => source).join('|'));

function magicKind(head: Uint8Array): string | undefined {
  const hex = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 16)).toString('hex');
  if (!ANY_MAGIC_NUMBER.test(hex)) return undefined;
  return MAGIC_NUMBERS.find(([, pattern]) => pattern.test(hex))?.[0];
}

/** Finds binary bytes (https://mimesniff.spec.whatwg.org/#binary-data-byte), unless a byte order mark shows that it is text. */
function isBinary(head: Uint8Array): boolean {
  if ((head[0] === 0xfe && head[1] === 0xff) || (head[0] === 0xff && head[1] === 0xfe)) return false;
  return head.some(
    (byte) =>
      byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || (byte >= 0x1c && byte <= 0x1f),
  );
}
