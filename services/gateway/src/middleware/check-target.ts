import { AppError } from '@gleaner/contracts';
import type { Stage } from '../call.ts';

/** Refuses requests whose target cannot be read: no Host or several (RFC 9112, section 3.2), or a broken percent-encoding. */
export function checkTarget(): Stage {
  return (request, response, next) => {
    const hosts = request.headersDistinct.host ?? [];
    if (hosts.length > 1 || (hosts.length === 0 && request.httpVersion === '1.1')) {
      response.setHeader('Connection', 'close');
      throw new AppError('INVALID_REQUEST', {
        message: `The request has ${hosts.length === 0 ? 'no Host header' : 'several Host headers'}.`,
        suggestion: 'Send the header Host once, as HTTP/1.1 demands.',
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
