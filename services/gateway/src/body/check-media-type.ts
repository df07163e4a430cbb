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
  const encoding = headers['content-encoding'];
  if (encoding && encoding.toLowerCase() !== 'identity') {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', {
      message: `The body came with Content-Encoding ${quote(encoding)}.`,
      suggestion: 'Send the body uncompressed, without a Content-Encoding.',
    });
  }
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
