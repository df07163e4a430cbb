import { backoffMs } from '@gleaner/contracts';
import type { Verdict } from './judge-outcome.ts';

/** Recent failures of a proxy. */
export interface ProxyHealth {
  /** Failures since the last response came through. */
  readonly failures: number;
  /** End of its rest, in milliseconds since 1970: until then it is used only when no other is left; 0 when it does not rest. */
  readonly restsUntilMs: number;
  /** Targets with doubtful outcomes since the last response came through. */
  readonly doubts: ReadonlySet<string>;
}

/** Health of a proxy that has not been used. */
export const UNTRIED: ProxyHealth = { failures: 0, restsUntilMs: 0, doubts: new Set() };

const REST = { firstMs: 5_000, longestMs: 300_000, jitter: 'quarter' } as const;

/** One unreachable target says little about a proxy; several do. */
const DOUBTS_THAT_FAIL = 3;

/** Returns the health after the outcome of a request. `random`, from 0 up to 1, spreads the rests of many proxies. */
export function nextHealth(
  health: ProxyHealth,
  { verdict, target, nowMs, random }: { verdict: Verdict; target: string; nowMs: number; random: number },
): ProxyHealth {
  if (verdict === undefined) return health;
  if (verdict === 'carried') return UNTRIED;
  const doubts = verdict === 'doubtful' ? new Set([...health.doubts, target]) : health.doubts;
  if (verdict === 'doubtful' && doubts.size < DOUBTS_THAT_FAIL) return { ...health, doubts };
  // Requests that had started before it began to rest fail for the same reason.
  if (nowMs < health.restsUntilMs) return { ...health, doubts };
  const failures = health.failures + 1;
  return { failures, restsUntilMs: nowMs + backoffMs(REST, health.failures, random), doubts: new Set() };
}
