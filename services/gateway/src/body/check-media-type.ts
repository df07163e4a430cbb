import type { IncomingHttpHeaders } from 'node:http';
import { MIMEType } from 'node:util';
import { AppError } from '@gleaner/contracts';

/** Throws UNSUPPORTED_MEDIA_TYPE unless the headers declare uncompressed JSON in UTF-8 (RFC 8259, section 8.1). */
export function checkMediaType(headers: IncomingHttpHeaders): void {
  const type = headers['content-type'];
  if (type !== 'application/json' && !isJson(type)) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', {
      message: type ? `The body has the Content-Type ${quote(type)}.` : 'The body has no Content-Type.',
    });
  }
  checkCodings(headers);
}

/** Throws UNSUPPORTED_MEDIA_TYPE if the headers declare a compressed body. */
export function checkCodings(headers: IncomingHttpHeaders): void {
  for (const { header, plain } of CODINGS) {
    const coding = headers[header.toLowerCase()];
    if (typeof coding === 'string' && coding.toLowerCase() !== plain) throw unsupportedCoding(header, coding);
  }
}

/** Headers for the compression of a body, with the value of an uncompressed one. */
const CODINGS = [
  { header: 'Content-Encoding', plain: 'identity' },
  // Node decodes only the last coding of `gzip, chunked`.
  { header: 'Transfer-Encoding', plain: 'chunked' },
];

function unsupportedCoding(header: string, coding: string): AppError {
  return new AppError('UNSUPPORTED_MEDIA_TYPE', {
    message: `The body has the ${header} ${quote(coding)}, which is not supported.`,
    suggestion: `Send the body uncompressed, without the header ${header}.`,
  });
}

function isJson(type: string | undefined): boolean {
  try {
    const { essence, params } = new MIMEType(type ?? '');
    const charset = params.get('charset');
    return essence === 'application/json' && (charset === null || /^utf-?8$/i.test(charset));
  } catch {
    return false;
  }
}

function quote(value: string): string {
  return JSON.stringify(value.slice(0, 100));
}
