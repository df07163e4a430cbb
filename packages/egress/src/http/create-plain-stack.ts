import type { Route } from '../route/route.ts';
import type { TransportDeps } from '../transport/create-transport.ts';
import { createTransports } from '../transport/create-transport.ts';
import type { HttpStack, RequestSender } from './http-stack.ts';
import { sendOverHttp1 } from './send-over-http1.ts';
import { sendOverHttp2 } from './send-over-http2.ts';

/** Settings of the stack. */
export interface PlainStackDeps extends Omit<TransportDeps, 'route'> {
  readonly userAgent?: string;
}

/** Headers of every plain request that its caller does not set. */
export const PLAIN_HEADERS = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'en-US,en;q=0.8',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'user-agent': 'Mozilla/5.0 (compatible; Gleaner/0.1; self-hosted web data extraction)',
};

/** Creates the stack that identifies itself as Gleaner: HTTP/1.1 and HTTP/2 over our own connections, kept for the next request. */
export function createPlainStack(deps: PlainStackDeps): HttpStack {
  const transports = createTransports(deps);
  const headers = { ...PLAIN_HEADERS, ...(deps.userAgent !== undefined && { 'user-agent': deps.userAgent }) };
  const open = (route: Route): RequestSender => ({
    async send(request) {
      const { hop, signal, clock } = request;
      const connection = await transports.over(route).connect(hop.url, { signal, clock });
      clock.enter('firstByte');
      try {
        return 'session' in connection
          ? sendOverHttp2(request, connection)
          : sendOverHttp1(request, connection);
      } catch (error) {
        connection.release('failed');
        throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      // The connections belong to the stack, which keeps them for the next request.
    },
  });
  return { open, defaultHeaders: () => headers, close: transports.close };
}
