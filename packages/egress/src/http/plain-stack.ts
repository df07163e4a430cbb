import { createConnections } from './connections.ts';
import type { HttpStack } from './http-stack.ts';
import { sendOverHttp1 } from './http1-request.ts';

interface PlainStackDeps {
  readonly userAgent?: string;
  /** PEM certificates to trust instead of the usual authorities. */
  readonly certificateAuthorities?: readonly string[];
}

/** Headers of every plain request that its caller does not set. */
export const PLAIN_HEADERS = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'en-US,en;q=0.8',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'user-agent': 'Mozilla/5.0 (compatible; Gleaner/0.1; self-hosted web data extraction)',
};

/** Creates the stack that identifies itself as Gleaner: HTTP/1.1 over our own connections, kept for the next request. */
export function createPlainStack({ userAgent, certificateAuthorities }: PlainStackDeps): HttpStack {
  const connections = createConnections(certificateAuthorities);
  const headers = { ...PLAIN_HEADERS, ...(userAgent !== undefined && { 'user-agent': userAgent }) };
  return {
    open: (route) => ({
      send(request) {
        request.clock.enter('firstByte');
        return sendOverHttp1(request, connections.over(route, request.hop.url, request));
      },
      async [Symbol.asyncDispose]() {
        // The connections belong to the stack, which keeps them for the next request.
      },
    }),
    defaultHeaders: () => headers,
    close: connections.close,
  };
}
