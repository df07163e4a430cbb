import { type CredentialLookup, checkCredential, readBearer } from '../authentication.ts';
import type { Stage } from '../call.ts';

/** Identifies the caller by the API key in the Authorization header. Throws UNAUTHORIZED. */
export function authenticate(credentials: Pick<CredentialLookup, 'find'>): Stage {
  return async (request, response, next) => {
    const key = readBearer(request.headersDistinct.authorization);
    response.locals.call.caller = checkCredential(await credentials.find(key), new Date());
    next();
  };
}
