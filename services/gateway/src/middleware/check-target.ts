import { AppError } from '@gleaner/contracts';
import type { Stage } from '../call.ts';

/** Refuses requests whose target cannot be read: no Host (RFC 9112, section 3.2), or a broken percent-encoding. */
export function checkTarget(): Stage {
  return (request, _response, next) => {
    if (request.headers.host === undefined && request.httpVersion === '1.1') {
      throw new AppError('INVALID_REQUEST', {
        message: 'The request has no Host header.',
        suggestion: 'Send the header Host, as HTTP/1.1 demands.',
      });
    }
    if (!isDecodable(request.path)) {
      throw new AppError('INVALID_REQUEST', {
        message: 'The path holds a broken percent-encoding.',
        suggestion: 'Encode the path as UTF-8 with %XX; a percent sign itself is %25.',
      });
    }
    next();
  };
}

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
