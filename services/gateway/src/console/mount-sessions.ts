import type { IncomingMessage } from 'node:http';
import {
  AppError,
  type CreateTicketRequest,
  CreateTicketRequestSchema,
  type OpenSessionRequest,
  OpenSessionRequestSchema,
  type RateLimitClass,
  type RouteDefinition,
  type Session,
} from '@gleaner/contracts';
import { hashKey } from '@gleaner/storage';
import type { Express, RequestHandler } from 'express';
import { type Caller, checkCredential, readBearer } from '../authentication.ts';
import type { BodyBudget } from '../body/body-budget.ts';
import type { Response, Stage } from '../call.ts';
import { type AuthenticateDeps, readSessionToken, sessionEnded } from '../middleware/authenticate.ts';
import { checkInput } from '../middleware/check-input.ts';
import { nameRoute } from '../middleware/check-request.ts';
import { countCall, type LimitRateDeps } from '../middleware/limit-rate.ts';
import { readBody } from '../middleware/read-body.ts';
import { sendJson } from '../responses/responses.ts';

/** Collaborators of the sessions. */
export interface SessionDeps extends AuthenticateDeps, LimitRateDeps {
  readonly bodyBudget: BodyBudget;
}

/** Paths of the sessions with their methods. */
export const SESSION_PATHS = [
  { path: '/v1/session', methods: ['GET', 'POST', 'DELETE'] },
  { path: '/v1/session/codes', methods: ['POST'] },
  { path: '/v1/session/tickets', methods: ['POST'] },
] as const;

const MAX_BODY_BYTES = 4096;

/**
 * Mounts the sessions of the console. The token of a session stands for an API key; the console sends it as a header, so
 * that no other port of the host, and no page of another site, ever makes the browser send it.
 */
export function mountSessions(app: Express, deps: SessionDeps): void {
  const stages = (name: string, answer: SessionAnswer, body?: RouteDefinition['body']) => {
    const read = body
      ? [readBody({ maxBodyBytes: MAX_BODY_BYTES }, deps.bodyBudget), checkInput({ body })]
      : [];
    const last: Stage = (request, response) => answer(request, response, deps);
    return [nameRoute(name), ...read, last] as RequestHandler[];
  };
  app.get('/v1/session', ...stages('showSession', showSession));
  app.post('/v1/session', ...stages('openSession', openSession, OpenSessionRequestSchema));
  app.delete('/v1/session', ...stages('closeSession', closeSession));
  app.post('/v1/session/codes', ...stages('createSessionCode', createCode));
  app.post('/v1/session/tickets', ...stages('createSessionTicket', createTicket, CreateTicketRequestSchema));
}

/** Answers a call about sessions. */
type SessionAnswer = (request: IncomingMessage, response: Response, deps: SessionDeps) => Promise<void>;

const showSession: SessionAnswer = async (request, response, deps) => {
  const secret = secretOf(request);
  const session = secret && (await readSession(secret, deps));
  sendJson(response, 200, { success: true, session: session || null });
};

const openSession: SessionAnswer = async (_request, response, deps) => {
  const { clock, sessions, credentials, keyUses } = deps;
  const keyHash = await hashOf(response.locals.call.body as OpenSessionRequest, deps);
  const now = clock.now();
  const caller = checkCredential(await credentials.findByHash(keyHash), now);
  await limitCalls(response, caller, deps);
  keyUses.note(caller.keyId, now);
  const { secret, expiresAt } = await sessions.openSession(keyHash, now);
  sendJson(response, 201, { success: true, token: `gls_${secret}`, session: describe(caller, expiresAt) });
};

const closeSession: SessionAnswer = async (request, response, { sessions }) => {
  const secret = secretOf(request);
  if (secret) await sessions.closeSession(secret);
  response.statusCode = 204;
  response.end();
};

const createCode: SessionAnswer = async (request, response, deps) => {
  const key = readBearer(request.headersDistinct.authorization);
  const now = deps.clock.now();
  await limitCalls(response, checkCredential(await deps.credentials.find(key), now), deps);
  const { secret: code, expiresAt } = await deps.sessions.createCode(hashKey(key), now);
  sendJson(response, 201, { success: true, code, expiresAt: expiresAt.toISOString() });
};

const createTicket: SessionAnswer = async (request, response, deps) => {
  const { clock, sessions, credentials } = deps;
  const secret = secretOf(request);
  const now = clock.now();
  const session = secret === undefined ? null : await sessions.useSession(secret, now);
  if (!session) throw sessionEnded();
  const caller = checkCredential(await credentials.findByHash(session.keyHash), now);
  await limitCalls(response, caller, deps, 'read');
  const { target } = response.locals.call.body as CreateTicketRequest;
  const { secret: ticket, expiresAt } = await sessions.createTicket(session.keyHash, target, now);
  sendJson(response, 201, { success: true, ticket, expiresAt: expiresAt.toISOString() });
};

/** Counts a call against the limits of its key. Throws RATE_LIMITED. */
async function limitCalls(
  response: Response,
  caller: Caller,
  deps: SessionDeps,
  rateLimit: RateLimitClass = 'create',
): Promise<void> {
  response.locals.call.caller = caller;
  await countCall(response, rateLimit, deps);
}

/** Returns the secret of the session in the Authorization header; undefined where there is none. */
function secretOf({ headersDistinct: { authorization } }: IncomingMessage): string | undefined {
  return authorization && readSessionToken(readBearer(authorization));
}

/** Returns the session of a secret; undefined when it has ended, or its key is revoked or expired. */
async function readSession(
  secret: string,
  { clock, sessions, credentials }: Pick<SessionDeps, 'clock' | 'sessions' | 'credentials'>,
): Promise<Session | undefined> {
  const now = clock.now();
  const stored = await sessions.useSession(secret, now);
  const credential = stored && (await credentials.findByHash(stored.keyHash));
  if (!credential) return undefined;
  try {
    return describe(checkCredential(credential, now), stored.expiresAt);
  } catch (error) {
    if (error instanceof AppError && error.code === 'UNAUTHORIZED') return undefined;
    throw error;
  }
}

async function hashOf(
  { apiKey, code }: OpenSessionRequest,
  { clock, sessions }: Pick<SessionDeps, 'clock' | 'sessions'>,
): Promise<string> {
  if (apiKey !== undefined) return hashKey(apiKey);
  const keyHash = await sessions.redeemCode(code ?? '', clock.now());
  if (keyHash) return keyHash;
  throw new AppError('UNAUTHORIZED', {
    message: 'The code of the link was used before, or is older than ten minutes.',
    suggestion: 'Sign in with an API key, or make another link with: gleaner open console',
  });
}

function describe({ key, account, scopes }: Caller, expiresAt: Date): Session {
  return {
    accountId: account.id,
    keyId: key.id,
    name: key.name,
    scopes: [...scopes],
    expiresAt: expiresAt.toISOString(),
  };
}
