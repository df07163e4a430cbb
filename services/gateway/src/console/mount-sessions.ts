import {
  AppError,
  type OpenSessionRequest,
  OpenSessionRequestSchema,
  type Session,
} from '@gleaner/contracts';
import { hashKey, type Stores } from '@gleaner/storage';
import type { Express, RequestHandler } from 'express';
import { type Caller, type CredentialLookup, checkCredential, readBearer } from '../authentication.ts';
import type { BodyBudget } from '../body/body-budget.ts';
import type { Stage } from '../call.ts';
import type { KeyUses } from '../key-uses.ts';
import { checkInput } from '../middleware/check-input.ts';
import { nameRoute } from '../middleware/check-request.ts';
import { readBody } from '../middleware/read-body.ts';
import { sendJson } from '../responses/responses.ts';
import { checkNotForeign, checkSameOrigin } from '../session/check-same-origin.ts';
import type { SessionCookie } from '../session/session-cookie.ts';

/** Collaborators of the sessions. */
export interface SessionDeps {
  readonly clock: Stores['clock'];
  readonly sessions: Stores['sessions'];
  readonly credentials: Pick<CredentialLookup, 'find' | 'findByHash'>;
  readonly keyUses: Pick<KeyUses, 'note'>;
  readonly bodyBudget: BodyBudget;
  readonly cookie: SessionCookie;
}

/** Paths of the sessions with their methods. */
export const SESSION_PATHS = [
  { path: '/v1/session', methods: ['GET', 'POST', 'DELETE'] },
  { path: '/v1/session/codes', methods: ['POST'] },
] as const;

const MAX_BODY_BYTES = 4096;

/** Mounts the sessions of the console: a cookie that scripts cannot read stands for an API key. */
export function mountSessions(app: Express, deps: SessionDeps): void {
  const { clock, sessions, credentials, keyUses, bodyBudget, cookie } = deps;

  const show: Stage = async (request, response) => {
    checkNotForeign(request);
    const secret = cookie.read(request.headers);
    const session = secret && (await readSession(secret, deps));
    sendJson(response, 200, { success: true, session: session || null });
  };

  const open: Stage = async (request, response) => {
    const keyHash = await hashOf(response.locals.call.body as OpenSessionRequest, deps);
    const now = clock.now();
    const caller = checkCredential(await credentials.findByHash(keyHash), now);
    keyUses.note(caller.keyId, now);
    const { secret, expiresAt } = await sessions.openSession(keyHash, now);
    const before = cookie.read(request.headers);
    if (before) await sessions.closeSession(before);
    response.setHeader('Set-Cookie', cookie.set(secret));
    sendJson(response, 201, { success: true, session: describe(caller, expiresAt) });
  };

  const close: Stage = async (request, response) => {
    checkSameOrigin(request);
    const secret = cookie.read(request.headers);
    if (secret) await sessions.closeSession(secret);
    response.setHeader('Set-Cookie', cookie.clear());
    response.statusCode = 204;
    response.end();
  };

  const createCode: Stage = async (request, response) => {
    const key = readBearer(request.headersDistinct.authorization);
    const now = clock.now();
    checkCredential(await credentials.find(key), now);
    const { secret: code, expiresAt } = await sessions.createCode(hashKey(key), now);
    sendJson(response, 201, { success: true, code, expiresAt: expiresAt.toISOString() });
  };

  const checkForeign: Stage = (request, _response, next) => {
    checkNotForeign(request);
    next();
  };
  const readRequest = [
    readBody({ maxBodyBytes: MAX_BODY_BYTES }, bodyBudget),
    checkInput({ body: OpenSessionRequestSchema }),
  ];
  const stages = (path: string, ...each: Stage[]) => [nameRoute(path), ...each] as RequestHandler[];
  app.get('/v1/session', ...stages('showSession', show));
  app.post('/v1/session', ...stages('openSession', checkForeign, ...readRequest, open));
  app.delete('/v1/session', ...stages('closeSession', close));
  app.post('/v1/session/codes', ...stages('createSessionCode', createCode));
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

function describe({ key, scopes }: Caller, expiresAt: Date): Session {
  return { keyId: key.id, name: key.name, scopes: [...scopes], expiresAt: expiresAt.toISOString() };
}
