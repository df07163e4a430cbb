import { GleanerError, type Key } from '@gleaner/client';
import { apiUrl, fetchAsSession } from './gleaner.ts';
import { findToken } from './session-token.ts';

/** A session of the console. */
export interface Session {
  readonly accountId: string;
  readonly keyId: string;
  /** Name of the key. */
  readonly name: string;
  readonly scopes: Key['scopes'];
  readonly expiresAt: string;
}

/** An opened session, with the token that binds it to this browser. */
export interface OpenedSession {
  readonly session: Session;
  readonly token: string;
}

/** Opens a session: an API key, or the one-time code that `npm start` prints. */
export type Credential = { readonly apiKey: string } | { readonly code: string };

/** Returns the session of this tab or of another one, or null where there is none. */
export async function readSession(): Promise<Session | null> {
  if ((await findToken()) === null) return null;
  const { session } = await ask<{ session: Session | null }>('GET', '/v1/session');
  return session;
}

/** Opens a session. It is not yet the one of this browser. */
export function openSession(credential: Credential): Promise<OpenedSession> {
  return ask('POST', '/v1/session', { body: credential });
}

/** Closes a session: that of a token, or the one of this browser. */
export async function closeSession(token?: string): Promise<void> {
  await send('DELETE', '/v1/session', { ...(token !== undefined && { token }) });
}

/** Returns an address that works once, without a header: frames and downloads are requested by the browser itself. */
export async function ticketUrl(target: string, signal?: AbortSignal): Promise<string> {
  const { ticket } = await ask<{ ticket: string }>('POST', '/v1/session/tickets', {
    body: { target },
    ...(signal && { signal }),
  });
  return apiUrl(`${target}${target.includes('?') ? '&' : '?'}ticket=${ticket}`);
}

interface AskOptions {
  readonly body?: unknown;
  readonly token?: string;
  readonly signal?: AbortSignal;
}

function send(method: string, path: string, { body, token, signal }: AskOptions): Promise<Response> {
  const headers = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const init = {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  };
  return token === undefined ? fetchAsSession(apiUrl(path), init) : fetch(apiUrl(path), init);
}

async function ask<Answer>(method: string, path: string, options: AskOptions = {}): Promise<Answer> {
  const response = await send(method, path, options);
  const answer = (await response.json().catch(() => undefined)) as
    | (Answer & {
        error?: {
          code: 'UNAUTHORIZED';
          message: string;
          suggestion: string;
          source: 'api';
          requestId: string;
        };
      })
    | undefined;
  if (response.ok && answer !== undefined) return answer;
  const { message = `The service answered ${response.status}.`, ...fields } = answer?.error ?? {};
  throw new GleanerError(message, {
    code: 'INVALID_RESPONSE',
    source: 'client',
    status: response.status,
    ...fields,
  });
}
