import type { IncomingHttpHeaders } from 'node:http';
import { LIMITS, type RouteDefinition } from '@gleaner/contracts';
import type { Request } from 'express';
import type { BodyBudget } from '../body/body-budget.ts';
import { checkCodings, checkMediaType } from '../body/check-media-type.ts';
import { parseJsonObject } from '../body/parse-json-object.ts';
import { MAX_UPLOAD_BYTES, parseUpload, requireFormType } from '../body/parse-upload.ts';
import { readBytes, SMALL_BODY_BYTES } from '../body/read-bytes.ts';
import { expectSet, type Response, type Stage } from '../call.ts';

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
    await useBytes(request, response, { maxBytes, budget }, async (bytes) => {
      call.body = bytes.length === 0 && bodyIsOptional ? {} : await parseJsonObject(bytes, { maxTextBytes });
    });
    next();
  };
}

/** Reads a file with its options, which become the body. The file counts as a large body does. */
export function readUpload(_route: BodyRules, budget: BodyBudget): Stage {
  return async (request, response, next) => {
    const { call } = response.locals;
    const { headers } = request;
    checkCodings(headers);
    const form = requireFormType(headers['content-type']);
    await useBytes(request, response, { maxBytes: MAX_UPLOAD_BYTES, budget }, async (bytes) => {
      const { file, options } = await parseUpload(bytes, form);
      Object.assign(call, { file, body: options });
    });
    next();
  };
}

/** Reads the bytes of a body, which are gone after their use. */
async function useBytes(
  request: Request,
  response: Response,
  { maxBytes, budget }: { readonly maxBytes: number; readonly budget: BodyBudget },
  use: (bytes: Buffer<ArrayBuffer>) => Promise<void>,
): Promise<void> {
  const { call } = response.locals;
  const reserve = async (bytes: number) => {
    const release = await budget.reserve(expectSet(call.caller, 'caller').account.id, bytes, call.signal);
    if (response.closed) release();
    else response.once('close', release);
  };
  const bytes = await readBytes(request, maxBytes, reserve);
  try {
    await use(bytes);
  } finally {
    // Frees a large body at once; V8 would keep it until a full collection, and a burst of bodies grows before that.
    if (bytes.length > SMALL_BODY_BYTES) bytes.buffer.transfer(0);
  }
}

/** Returns true when the request has a body (RFC 9112, section 6.3). */
function hasBody(headers: IncomingHttpHeaders): boolean {
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0;
}
