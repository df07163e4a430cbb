import { AppError } from '@gleaner/contracts';
import type { StoredFeed, StoredKey, Stores } from '@gleaner/storage';
import type { Request } from 'express';
import { type Credential, type CredentialLookup, checkCredential, readBearer } from '../authentication.ts';
import type { Stage } from '../call.ts';
import type { KeyUses } from '../key-uses.ts';

/** Collaborators of the stage. */
export interface AuthenticateDeps {
  readonly clock: Stores['clock'];
  readonly credentials: Pick<CredentialLookup, 'find' | 'findByHash'>;
  readonly sessions: Stores['sessions'];
  readonly feeds: Pick<Stores['feeds'], 'openFeed'>;
  readonly accounts: Pick<Stores['accounts'], 'findAccount'>;
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

/**
 * Identifies the reader of a feed by the token in the query, which is not logged, or like any other caller. A feed counts its calls by the
 * id of its schedule. Throws UNAUTHORIZED, with the same message for every token that does not open the feed.
 */
export function authenticateReader(deps: AuthenticateDeps): Stage {
  const asCaller = authenticate(deps);
  return async (request, response, next) => {
    const query = new URLSearchParams(request.url.split('?', 2)[1]);
    const token = query.get('token');
    if (token === null && isAnonymous(request)) throw feedWithoutToken();
    if (token === null) return await asCaller(request, response, next);
    const { id = '' } = request.params as Record<string, string>;
    const feed = await deps.feeds.openFeed(id, token);
    const account = feed && (await deps.accounts.findAccount(feed.accountId));
    if (!account) throw feedClosed();
    const caller = checkCredential({ key: keyOfFeed(feed), account }, deps.clock.now());
    response.locals.call.caller = { ...caller, holder: 'feed' };
    next();
  };
}

function isAnonymous({ headersDistinct, url }: Request): boolean {
  return !headersDistinct.authorization && !TICKET.test(url);
}

/** Returns the key that the token of a feed stands for. */
function keyOfFeed({ scheduleId: id, accountId, createdAt }: StoredFeed): StoredKey {
  const untouched = { expiresAt: null, revokedAt: null, lastUsedAt: null };
  return { id, accountId, name: 'Feed', prefix: '', scopes: ['schedules'], createdAt, ...untouched };
}

function feedClosed(): AppError {
  return new AppError('UNAUTHORIZED', {
    message: 'The token does not open this feed: it is wrong, was replaced, or the schedule was deleted.',
    suggestion: COPY_ADDRESS,
  });
}

function feedWithoutToken(): AppError {
  const message = 'The address of the feed has no token, and the request no Authorization header.';
  return new AppError('UNAUTHORIZED', { message, suggestion: COPY_ADDRESS });
}

const COPY_ADDRESS = 'Copy the address of the feed again: GET /v1/schedules/:id/feed shows it to the owner.';

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
