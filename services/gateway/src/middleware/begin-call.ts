import { createId } from '@gleaner/contracts';
import type { Answer, Call, Stage } from '../call.ts';

/** Gives the call its ids, its time of arrival, and the signal that tells when the caller has gone. */
export function beginCall(): Stage {
  return (request, response, next) => {
    const id = createId('req');
    const requestId = saneRequestId(request.headers['x-request-id']) ?? id;
    const call: Call = {
      id,
      requestId,
      arrivedAtMs: Date.now(),
      startedAtMs: performance.now(),
      signal: departureSignal(response),
    };
    response.locals.call = call;
    response.setHeader('X-Request-Id', requestId);
    next();
  };
}

const SANE = /^[\w.:-]{1,128}$/;

/** The caller's own id, unless it could break a log or is an API key that came in the wrong header. */
function saneRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && SANE.test(header) && !header.startsWith('gl_') ? header : undefined;
}

function departureSignal(response: Answer): AbortSignal {
  const departure = new AbortController();
  response.once('close', () => {
    if (!response.writableEnded) departure.abort();
  });
  return departure.signal;
}
