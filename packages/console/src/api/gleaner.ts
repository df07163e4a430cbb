import { Gleaner } from '@gleaner/client';

/** Address of the service: the console is served one level below it. */
export const SERVICE_URL = new URL('..', document.baseURI).href.replace(/\/$/, '');

/** The client of the service. The session's cookie identifies it. */
export const gleaner = new Gleaner({ url: SERVICE_URL, maxRetries: 1 });

/** Returns the address of a path of the API. */
export function apiUrl(path: string): string {
  return `${SERVICE_URL}${path}`;
}
