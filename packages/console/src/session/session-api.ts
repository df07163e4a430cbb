import { GleanerError, type Key } from '@gleaner/client';
import { apiUrl } from '../api/gleaner.ts';

/** The session of this browser. */
export interface Session {
  readonly keyId: string;
  /** Name of the key. */
  readonly name: string;
  readonly scopes: Key['scopes'];
  readonly expiresAt: string;
}

/** Opens a session: an API key, or the one-time code that `npm start` prints. */
export type Credential = { readonly apiKey: string } | { readonly code: string };

/** Returns the session, or null when this browser has none. */
export async function readSession(): Promise<Session | null> {
  return readAnswer(await fetch(apiUrl('/v1/session')));
}

/** Opens a session. The service sets its cookie, which scripts cannot read. */
export async function openSession(credential: Credential): Promise<Session> {
  const response = await fetch(apiUrl('/v1/session'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credential),
  });
  const session = await readAnswer(response);
  if (session) return session;
  throw new GleanerError('The service opened no session.', { code: 'INVALID_RESPONSE', source: 'client' });
}

/** Closes the session. */
export async function closeSession(): Promise<void> {
  await fetch(apiUrl('/v1/session'), { method: 'DELETE' });
}

async function readAnswer(response: Response): Promise<Session | null> {
  const answer = (await response.json().catch(() => ({}))) as {
    session?: Session | null;
    error?: { code: 'UNAUTHORIZED'; message: string; suggestion: string; source: 'api'; requestId: string };
  };
  if (response.ok && answer.session !== undefined) return answer.session;
  const { message = `The service answered ${response.status}.`, ...fields } = answer.error ?? {};
  throw new GleanerError(message, {
    ...{ code: 'INVALID_RESPONSE', source: 'client', status: response.status },
    ...fields,
  });
}
