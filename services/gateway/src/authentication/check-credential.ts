import { AppError } from '@gleaner/contracts';
import type { Caller } from './caller.ts';
import type { Credential } from './credential-lookup.ts';

/** The caller that a credential stands for. Throws UNAUTHORIZED when there is none, or its key is over at `now`. */
export function checkCredential(credential: Credential | null, now: Date): Caller {
  if (!credential) throw unauthorized('is not known here');
  const { key, account } = credential;
  if (key.revokedAt) throw unauthorized(`was revoked at ${key.revokedAt.toISOString()}`);
  if (key.expiresAt && key.expiresAt <= now) throw unauthorized(`expired at ${key.expiresAt.toISOString()}`);
  return { keyId: key.id, scopes: key.scopes, account };
}

function unauthorized(problem: string): AppError {
  return new AppError('UNAUTHORIZED', { message: `The API key ${problem}.` });
}
