import type { IncomingHttpHeaders } from 'node:http';
import { checkMediaType } from '../body/check-media-type.ts';
import { parseJsonObject } from '../body/parse-json-object.ts';
import { readBytes } from '../body/read-bytes.ts';
import type { Stage } from '../call.ts';

/** Reads the JSON object that is the body: at most `maxBytes`, uncompressed, in UTF-8. */
export function readBody(maxBytes: number): Stage {
  return async (request, response, next) => {
    if (hasBody(request.headers)) checkMediaType(request.headers);
    response.locals.call.body = parseJsonObject(await readBytes(request, maxBytes));
    next();
  };
}

/** Whether a body comes with the request (RFC 9112, section 6.3). */
function hasBody(headers: IncomingHttpHeaders): boolean {
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0;
}
