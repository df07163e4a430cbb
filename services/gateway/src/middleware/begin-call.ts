import { createId } from '@gleaner/contracts';
import type { Call, Response, Stage } from '../call.ts';

/** Creates the call with its ids, its time of arrival, and a signal that aborts when the client disconnects. */
export function beginCall(): Stage {
  return (request, response, next) => {
    const id = createId('req');
    const requestId = validRequestId(request.headers['x-request-id']) ?? id;
    const call: Call = {
      id,
      requestId,
      arrivedAtMs: Date.now(),
      startedAtMs: performance.now(),
      signal: disconnectSignal(response),
    };
    response.locals.call = call;
    response.setHeader('X-Request-Id', requestId);
    next();
  };
}

const VALID_REQUEST_ID = /^[\w.:-]{1,128}$/;

/** Beginnings of keys, and of the tokens of sessions and signatures, which no log may have. */
const CREDENTIAL = /^(?:bearer|eyJ|whsec_)|(?:^|[^a-z\d])gl[fs]?_/i;

/** Returns the client's own id, unless it could corrupt a log or is a credential in the wrong header. */
function validRequestId(header: string | string[] | undefined): string | undefined {
  const isValid = typeof header === 'string' && VALID_REQUEST_ID.test(header) && !CREDENTIAL.test(header);
  return isValid ? header : undefined;
}

function disconnectSignal(response: Response): AbortSignal {
  const disconnected = new AbortController();
  response.once('close', () => {
    if (!response.writableEnded) disconnected.abort();
  });
  return disconnected.signal;
}
