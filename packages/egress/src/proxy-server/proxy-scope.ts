import type { EgressPolicy } from '../policy/create-egress-policy.ts';
import type { Route } from '../route/route.ts';
import type { KeepAliveAgents } from '../transport/keep-alive-agents.ts';
import type { FailureLog } from './failure-log.ts';

/** What the connections of one proxy share. */
export interface ProxyScope {
  readonly policy: EgressPolicy;
  readonly route: Route;
  readonly agents: KeepAliveAgents;
  readonly failures: FailureLog;
  /** Ends every connection. */
  readonly signal: AbortSignal;
  /** Takes note of bytes that a target sent. */
  readonly count: (bytes: number) => void;
}
