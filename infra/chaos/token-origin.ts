import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site that counts its requests by the token in the path. */
export interface TokenOrigin {
  readonly port: number;
  /** Times of the requests for each token, in milliseconds since 1970. */
  readonly hits: ReadonlyMap<string, readonly number[]>;
  urlOf(token: string): string;
  close(): Promise<void>;
}

/** Delay of a page, in milliseconds. */
const DELAY_MS = 10;

/** Starts the site: every page shows its token as its heading; tokens that end in `-missing` are 404. */
export async function startTokenOrigin(): Promise<TokenOrigin> {
  const hits = new Map<string, number[]>();
  const server = createServer((request, response) => {
    const token = (request.url ?? '').split('/').at(-1) ?? '';
    const times = hits.get(token);
    if (times) times.push(Date.now());
    else hits.set(token, [Date.now()]);
    setTimeout(() => {
      response.writeHead(token.endsWith('-missing') ? 404 : 200, { 'content-type': 'text/html' });
      response.end(`<!doctype html><title>Unit</title><h1>${token}</h1>`);
    }, DELAY_MS);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    hits,
    urlOf: (token) => `http://127.0.0.1:${port}/unit/${token}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
