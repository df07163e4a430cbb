import type { IncomingHttpHeaders } from 'node:http';
import { MIMEType } from 'node:util';
import { AppError } from '@gleaner/contracts';

/** Throws UNSUPPORTED_MEDIA_TYPE unless the body is said to be uncompressed JSON in UTF-8 (RFC 8259, section 8.1). */
export function checkMediaType(headers: IncomingHttpHeaders): void {
  const type = headers['content-type'];
  if (type !== 'application/json' && !isJson(type)) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', {
      message: type ? `The body came as ${quote(type)}.` : 'The body came without a Content-Type.',
    });
  }
  for (const { header, plain } of CODINGS) {
    const coding = headers[header.toLowerCase()];
    if (typeof coding === 'string' && coding.toLowerCase() !== plain) throw unwantedCoding(header, coding);
  }
}

/** The headers that may say that a body is compressed, and what they say of one that is not. */
const CODINGS = [
  { header: 'Content-Encoding', plain: 'identity' },
  // Of `gzip, chunked` Node undoes no more than the last.
  { header: 'Transfer-Encoding', plain: 'chunked' },
];

function unwantedCoding(header: string, coding: string): AppError {
  return new AppError('UNSUPPORTED_MEDIA_TYPE', {
    message: `The body came with ${header} ${quote(coding)}.`,
    suggestion: 'Send the body uncompressed, and say nothing of a coding.',
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
