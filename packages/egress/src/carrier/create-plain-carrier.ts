import { sendOverHttp2 } from '../fetch/send-over-http2.ts';
import { sendRequest } from '../fetch/send-request.ts';
import type { Route } from '../route/route.ts';
import type { TransportDeps } from '../transport/create-transport.ts';
import { createTransports } from '../transport/create-transports.ts';
import type { Carriage, Carrier } from './carrier.ts';

/** What the carrier needs. */
export interface PlainCarrierDeps extends Omit<TransportDeps, 'route'> {
  readonly userAgent?: string;
}

const DEFAULT_USER_AGENT = 'Mozilla/5.0 (compatible; Gleaner/0.1; self-hosted web data extraction)';
const DEFAULT_HEADERS = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'en-US,en;q=0.8',
  'accept-encoding': 'gzip, deflate, br, zstd',
};

/** Builds the carrier that says who we are: got and HTTP/2 over connections of our own, kept for the next request. */
export function createPlainCarrier(deps: PlainCarrierDeps): Carrier {
  const transports = createTransports(deps);
  const headers = { ...DEFAULT_HEADERS, 'user-agent': deps.userAgent ?? DEFAULT_USER_AGENT };
  const open = (route: Route): Carriage => ({
    async send({ hop, headers, signal, clock }) {
      const passage = await transports.over(route).book(hop.url, { signal, clock });
      clock.enter('waiting');
      try {
        const { answer, destroy } =
          'session' in passage
            ? sendOverHttp2({ hop, headers, session: passage.session, signal })
            : sendRequest({ hop, headers, passage, signal });
        return {
          answer,
          end(outcome) {
            destroy();
            passage.release(outcome);
          },
        };
      } catch (fault) {
        passage.release('failed');
        throw fault;
      }
    },
    async [Symbol.asyncDispose]() {
      // Its connections are the carrier's, for whoever comes next.
    },
  });
  return { open, defaultHeaders: () => headers, close: transports.close };
}
