import { Gleaner } from '@gleaner/client';
import { currentToken } from './session-token.ts';

/** Address of the service: the console is served one level below it. */
export const SERVICE_URL = new URL('..', document.baseURI).href.replace(/\/$/, '');

/** Sends a request to the service with the token of the session. */
export const fetchAsSession: typeof fetch = (target, init) => {
  const headers = new Headers(init?.headers);
  const token = currentToken();
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  return fetch(target, { ...init, headers, credentials: 'omit' });
};

/** The client of the service. */
export const gleaner = new Gleaner({ url: SERVICE_URL, maxRetries: 1, fetch: fetchAsSession });

/** Returns the address of a path of the API. */
export function apiUrl(path: string): string {
  return `${SERVICE_URL}${path}`;
}

/** Returns the input of a call with an id for its trace. */
export function namedBy(requestId: string) {
  return { headers: { 'x-request-id': requestId } };
}
