import { AppError } from '@gleaner/contracts';
import type { Stage } from '../call.ts';

/** Refuses what says that it is HTTP/0.9 or HTTP/2.0, which Node's parser reads as if it were HTTP/1. */
export function checkVersion(): Stage {
  return (request, response, next) => {
    if (request.httpVersionMajor !== 1) {
      response.setHeader('Connection', 'close');
      throw new AppError('INVALID_REQUEST', {
        message: `The request came as HTTP/${request.httpVersion}.`,
        suggestion: 'Send it as HTTP/1.1.',
      });
    }
    next();
  };
}
