import { createHttpClient } from '../client/create-http-client.ts';
import type { HttpClient } from '../client/http-client.ts';
import type { EgressPolicy } from '../policy/create-egress-policy.ts';
import type { Route } from '../route/route.ts';
import { createChromeStack } from './create-chrome-stack.ts';

/** Dependencies of the client. */
export interface ChromeClientDeps {
  readonly policy: EgressPolicy;
  /** Opens connections; by default directly to the target. */
  readonly route?: Route;
}

/** Creates a client whose requests match Chrome's: headers, their order, TLS and HTTP/2. The policy applies as in every client. */
export function createChromeClient(deps: ChromeClientDeps): HttpClient {
  return createHttpClient({ ...deps, stack: createChromeStack(deps) });
}
