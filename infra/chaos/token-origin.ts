import { setTimeout as sleep } from 'node:timers/promises';
import { startSite } from '@gleaner/test-kit';

/** A site that counts its requests by the token in the path. */
export interface TokenOrigin extends AsyncDisposable {
  readonly host: string;
  /** Times of the requests for each token, in milliseconds since 1970. */
  readonly hits: ReadonlyMap<string, readonly number[]>;
  urlOf(token: string): string;
}

/** Delay of a page, in milliseconds. */
const DELAY_MS = 10;

/** Starts the site: every page shows its token as its heading, and how often it was asked for; tokens that end in `-missing` are 404. */
export async function startTokenOrigin(): Promise<TokenOrigin> {
  const hits = new Map<string, number[]>();
  const site = await startSite(async ({ url, response }) => {
    const token = url.pathname.split('/').at(-1) ?? '';
    const times = hits.get(token) ?? [];
    hits.set(token, times);
    times.push(Date.now());
    const visit = `Visit ${times.length}`;
    await sleep(DELAY_MS);
    response.writeHead(token.endsWith('-missing') ? 404 : 200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><title>Unit</title><h1>${token}</h1><p>${visit}</p>`);
  });
  return {
    host: new URL(site.origin).host,
    hits,
    urlOf: (token) => `${site.origin}/unit/${token}`,
    [Symbol.asyncDispose]: site.close,
  };
}
