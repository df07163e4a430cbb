import type { Verdict } from './judge-outcome.ts';

/** What is remembered of how a proxy did. */
export interface ProxyHealth {
  /** Failures since it last carried an answer. */
  readonly failures: number;
  /** Until when it is used only where no other is left, in milliseconds since 1970; 0 when it is well. */
  readonly restsUntilMs: number;
  /** The targets at which it was doubtful since it last carried an answer. */
  readonly doubts: ReadonlySet<string>;
}

/** A proxy of which nothing is known. */
export const UNTRIED: ProxyHealth = { failures: 0, restsUntilMs: 0, doubts: new Set() };

const FIRST_REST_MS = 5_000;
const LONGEST_REST_MS = 300_000;

/** One target that cannot be reached says little of a proxy; several do. */
const DOUBTS_THAT_FAIL = 3;

/** The health after a request to a target ended so. `random`, from 0 up to 1, spreads the rests of many. */
export function nextHealth(
  health: ProxyHealth,
  { verdict, target, nowMs, random }: { verdict: Verdict; target: string; nowMs: number; random: number },
): ProxyHealth {
  if (verdict === undefined) return health;
  if (verdict === 'carried') return UNTRIED;
  const doubts = verdict === 'doubtful' ? new Set([...health.doubts, target]) : health.doubts;
  if (verdict === 'doubtful' && doubts.size < DOUBTS_THAT_FAIL) return { ...health, doubts };
  // Requests that were under way when it began to rest fail for the same reason.
  if (nowMs < health.restsUntilMs) return { ...health, doubts };
  const failures = health.failures + 1;
  return { failures, restsUntilMs: nowMs + restMs(failures, random), doubts: new Set() };
}

/** The first rest is short and each one after it twice as long, up to five minutes, less a quarter at most. */
function restMs(failures: number, random: number): number {
  const fullMs = Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** (failures - 1));
  return Math.round(fullMs * (1 - random / 4));
}
