import { checkCredential } from '../authentication/check-credential.ts';
import type { CredentialLookup } from '../authentication/credential-lookup.ts';
import { readBearer } from '../authentication/read-bearer.ts';
import type { Stage } from '../call.ts';

/** Finds out who calls, by the API key in the Authorization header; throws UNAUTHORIZED. */
export function authenticate(credentials: Pick<CredentialLookup, 'find'>): Stage {
  return async (request, response, next) => {
    const key = readBearer(request.headers.authorization);
    response.locals.call.caller = checkCredential(await credentials.find(key), new Date());
    next();
  };
}
