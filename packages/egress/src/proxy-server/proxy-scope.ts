import type { KeepAliveAgents } from '../http/connections.ts';
import type { EgressPolicy } from '../policy/create-egress-policy.ts';
import type { Route } from '../route/route.ts';
import type { FailureLog } from './failure-log.ts';

/** State that the connections of one proxy share. */
export interface ProxyScope {
  readonly policy: EgressPolicy;
  readonly route: Route;
  readonly agents: KeepAliveAgents;
  readonly failures: FailureLog;
  /** Ends every connection. */
  readonly signal: AbortSignal;
  /** Counts bytes received from a target. */
  readonly count: (bytes: number) => void;
}
