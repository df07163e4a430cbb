import { AppError } from '@gleaner/contracts';
import type { Stores } from '@gleaner/storage';
import type { Request } from 'express';
import { type Credential, type CredentialLookup, checkCredential, readBearer } from '../authentication.ts';
import type { Stage } from '../call.ts';
import type { KeyUses } from '../key-uses.ts';

/** Collaborators of the stage. */
export interface AuthenticateDeps {
  readonly clock: Stores['clock'];
  readonly credentials: Pick<CredentialLookup, 'find' | 'findByHash'>;
  readonly sessions: Stores['sessions'];
  readonly keyUses: Pick<KeyUses, 'note'>;
  /** False where there is no console, and so no session. */
  readonly hasSessions: boolean;
}

/** Secret of a session of the console, where an API key would be. */
const SESSION_TOKEN = /^gls_([\w-]{20,100})$/;
/** Secret of a ticket, at the end of the address that it opens. */
const TICKET = /[?&]ticket=([\w-]{20,100})$/;

/**
 * Identifies the caller by the API key or the session's token in the Authorization header; where a browser cannot send
 * that header, by a ticket for the address. No cookie counts: the browser would send it to every port of the host.
 * Throws UNAUTHORIZED.
 */
export function authenticate(deps: AuthenticateDeps): Stage {
  return async (request, response, next) => {
    const credential = await credentialOf(request, deps);
    const now = deps.clock.now();
    const caller = checkCredential(credential, now);
    deps.keyUses.note(caller.keyId, now);
    response.locals.call.caller = caller;
    next();
  };
}

/** Returns the secret of the session that a token stands for; undefined for everything else, such as an API key. */
export function readSessionToken(token: string): string | undefined {
  return SESSION_TOKEN.exec(token)?.[1];
}

/** Returns the error of a session that has ended, or never was one. */
export function sessionEnded(): AppError {
  return new AppError('UNAUTHORIZED', {
    message: 'The session has ended.',
    suggestion: 'Sign in to the console again.',
  });
}

async function credentialOf(request: Request, deps: AuthenticateDeps): Promise<Credential | null> {
  const { authorization } = request.headersDistinct;
  const ticket = authorization ? undefined : TICKET.exec(request.url)?.[1];
  if (deps.hasSessions && ticket && request.method === 'GET')
    return credentialOfTicket(ticket, request, deps);
  const token = readBearer(authorization);
  const secret = deps.hasSessions ? readSessionToken(token) : undefined;
  if (secret === undefined) return deps.credentials.find(token);
  const session = await deps.sessions.useSession(secret, deps.clock.now());
  if (session) return deps.credentials.findByHash(session.keyHash);
  throw sessionEnded();
}

/** Uses up a ticket for the address of the request, which the following stages see without it. */
async function credentialOfTicket(
  ticket: string,
  request: Request,
  { clock, sessions, credentials }: AuthenticateDeps,
): Promise<Credential | null> {
  request.url = request.url.replace(TICKET, '');
  const keyHash = await sessions.redeemTicket(ticket, request.url, clock.now());
  if (keyHash) return credentials.findByHash(keyHash);
  throw new AppError('UNAUTHORIZED', {
    message: 'The ticket was used before, is older than a minute, or belongs to another address.',
    suggestion: 'Open the address from the console again.',
  });
}
