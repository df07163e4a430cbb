import { AppError } from '@gleaner/contracts';
import type { Stores } from '@gleaner/storage';
import { type Credential, type CredentialLookup, checkCredential, readBearer } from '../authentication.ts';
import type { Stage } from '../call.ts';
import type { KeyUses } from '../key-uses.ts';
import { checkSameOrigin } from '../session/check-same-origin.ts';
import type { SessionCookie } from '../session/session-cookie.ts';

/** Collaborators of the stage. */
export interface AuthenticateDeps {
  readonly clock: Stores['clock'];
  readonly credentials: Pick<CredentialLookup, 'find' | 'findByHash'>;
  readonly sessions: Stores['sessions'];
  readonly keyUses: Pick<KeyUses, 'note'>;
  /** Undefined where there is no console, and so no session. */
  readonly cookie: SessionCookie | undefined;
}

/**
 * Identifies the caller by the API key in the Authorization header; without that header, by the session of the console.
 * Throws UNAUTHORIZED.
 */
export function authenticate(deps: AuthenticateDeps): Stage {
  const { credentials, cookie } = deps;
  return async (request, response, next) => {
    const hasHeader = request.headers.authorization !== undefined;
    const secret = hasHeader ? undefined : cookie?.read(request.headers);
    if (secret !== undefined) checkSameOrigin(request);
    const credential =
      secret === undefined
        ? await credentials.find(readBearer(request.headersDistinct.authorization))
        : await credentialOf(secret, deps);
    const now = deps.clock.now();
    const caller = checkCredential(credential, now);
    deps.keyUses.note(caller.keyId, now);
    response.locals.call.caller = caller;
    next();
  };
}

async function credentialOf(
  secret: string,
  { clock, sessions, credentials }: AuthenticateDeps,
): Promise<Credential | null> {
  const session = await sessions.useSession(secret, clock.now());
  if (session) return credentials.findByHash(session.keyHash);
  throw new AppError('UNAUTHORIZED', {
    message: 'The session has ended.',
    suggestion: 'Sign in to the console again.',
  });
}
