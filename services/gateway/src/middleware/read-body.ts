import type { IncomingHttpHeaders } from 'node:http';
import { LIMITS, type RouteDefinition } from '@gleaner/contracts';
import type { BodyBudget } from '../body/body-budget.ts';
import { checkMediaType } from '../body/check-media-type.ts';
import { parseJsonObject } from '../body/parse-json-object.ts';
import { readBytes, SMALL_BODY_BYTES } from '../body/read-bytes.ts';
import { expectSet, type Stage } from '../call.ts';

/** Parts of a route for reading its body. */
type BodyRules = Pick<RouteDefinition, 'maxBodyBytes' | 'maxTextBytes' | 'bodyIsOptional'>;

/**
 * Reads the JSON object in the body: at most `maxBodyBytes` of the route, uncompressed, in UTF-8. A large body waits until
 * the account has few enough of them in memory, and counts until its response is sent. An optional body may be missing.
 */
export function readBody(route: BodyRules, budget: BodyBudget): Stage {
  const { maxBodyBytes: maxBytes = LIMITS.maxBodyBytes, maxTextBytes, bodyIsOptional = false } = route;
  return async (request, response, next) => {
    const { call } = response.locals;
    if (hasBody(request.headers)) checkMediaType(request.headers);
    const reserve = async (bytes: number) => {
      const release = await budget.reserve(expectSet(call.caller, 'caller').account.id, bytes, call.signal);
      if (response.closed) release();
      else response.once('close', release);
    };
    const bytes = await readBytes(request, maxBytes, reserve);
    try {
      call.body = bytes.length === 0 && bodyIsOptional ? {} : await parseJsonObject(bytes, { maxTextBytes });
    } finally {
      // Frees a large body at once; V8 would keep it until a full collection, and a burst of bodies grows before that.
      if (bytes.length > SMALL_BODY_BYTES) bytes.buffer.transfer(0);
    }
    next();
  };
}

/** Returns true when the request has a body (RFC 9112, section 6.3). */
function hasBody(headers: IncomingHttpHeaders): boolean {
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0;
}
