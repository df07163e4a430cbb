import { AppError } from '@gleaner/contracts';

/** The scheme in any case, one space or more, the token (RFC 6750, section 2.1; RFC 9110, section 11.4). */
const BEARER = /^bearer +([\w.~+/-]+=*)$/i;

/** The API key in an Authorization header. Throws UNAUTHORIZED without showing what was there. */
export function readBearer(authorization: string | undefined): string {
  if (authorization === undefined) {
    throw new AppError('UNAUTHORIZED', { message: 'The request has no Authorization header.' });
  }
  const key = BEARER.exec(authorization)?.[1];
  if (key === undefined) {
    throw new AppError('UNAUTHORIZED', { message: 'The Authorization header is not "Bearer <API key>".' });
  }
  return key;
}
