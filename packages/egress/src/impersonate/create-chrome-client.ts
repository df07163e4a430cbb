import { createHttpClient } from '../fetch/create-http-client.ts';
import type { HttpClient } from '../fetch/http-client.ts';
import type { EgressPolicy } from '../policy/create-egress-policy.ts';
import type { Route } from '../route/route.ts';
import { createChromeCarrier } from './create-chrome-carrier.ts';

/** What the client needs. */
export interface ChromeClientDeps {
  readonly policy: EgressPolicy;
  /** The way out; straight to the target unless given. */
  readonly route?: Route;
}

/** Builds a client whose requests are those of Chrome: headers, their order, TLS and HTTP/2. The policy holds as ever. */
export function createChromeClient(deps: ChromeClientDeps): HttpClient {
  return createHttpClient({ ...deps, carrier: createChromeCarrier(deps) });
}
