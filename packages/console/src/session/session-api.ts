import { GleanerError, type Key } from '@gleaner/client';
import { apiUrl } from '../api/gleaner.ts';

/** The session of this browser. */
export interface Session {
  readonly scopes: Key['scopes'];
  readonly name?: string | undefined;
  readonly expiresAt?: string | undefined;
}

/** Opens a session: an API key, or the one-time code that `npm start` prints. */
export type Credential = { readonly apiKey: string } | { readonly code: string };

/** Returns the session, or null when this browser has none. */
export async function readSession(): Promise<Session | null> {
  const response = await fetch(apiUrl('/v1/session'));
  if (response.status === 401) return null;
  return readAnswer(response);
}

/** Opens a session. The service sets its cookie, which scripts cannot read. */
export async function openSession(credential: Credential): Promise<Session> {
  const response = await fetch(apiUrl('/v1/session'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credential),
  });
  return readAnswer(response);
}

/** Closes the session. */
export async function closeSession(): Promise<void> {
  await fetch(apiUrl('/v1/session'), { method: 'DELETE' });
}

async function readAnswer(response: Response): Promise<Session> {
  const answer = (await response.json().catch(() => ({}))) as {
    session?: Session;
    error?: { code: 'UNAUTHORIZED'; message: string; suggestion: string; source: 'api'; requestId: string };
  };
  if (response.ok && answer.session) return answer.session;
  const { message = `The service answered ${response.status}.`, ...fields } = answer.error ?? {};
  throw new GleanerError(message, {
    ...{ code: 'INVALID_RESPONSE', source: 'client', status: response.status },
    ...fields,
  });
}
