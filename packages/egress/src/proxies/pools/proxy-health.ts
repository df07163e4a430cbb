import { AppError, backoffMs } from '@gleaner/contracts';
import { codeOf } from '../../errors.ts';
import { blameOf } from '../route/proxy-error.ts';

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

/** Judgment of a proxy after a request; undefined when its outcome says nothing about the proxy. */
export type Verdict = 'carried' | 'failed' | 'doubtful' | undefined;

/** Errors of broken or unanswered connections; either the proxy or the target may have caused them. */
const BROKEN_CONNECTION =
  /^(?:ECONNRESET|EPIPE|ECONNABORTED|ETIMEDOUT|ERR_STREAM_PREMATURE_CLOSE|ERR_HTTP2_.*|ERR_SSL_.*|EPROTO|ERR_EMPTY_RESPONSE|ERR_CONNECTION_.*|ERR_TIMED_OUT|ERR_TUNNEL_.*|ERR_INCOMPLETE_.*)$/;

/** Errors that prove a response of the target. */
const ANSWERED: ReadonlySet<string> = new Set([
  'BLOCKED',
  'NOT_FOUND',
  'RATE_LIMITED',
  'UNSUPPORTED_CONTENT',
  'REQUIRED_FIELD_MISSING',
]);

/** Judges a proxy by the error that ended a request. */
export function judgeOutcome(error: unknown): Verdict {
  const blame = blameOf(error);
  if (blame !== undefined) return blame === 'proxy' ? 'failed' : 'doubtful';
  if (!(error instanceof AppError)) return undefined;
  if (ANSWERED.has(error.code) || error.targetStatusCode !== undefined) return 'carried';
  if (error.code === 'UPSTREAM_ERROR') return isBroken(error) ? 'doubtful' : undefined;
  return error.code === 'TIMEOUT' && error.source === 'target' ? 'doubtful' : undefined;
}

/** Tells whether another proxy may succeed after this error: the proxy failed, or the connection through it broke. */
export function isWorthAnotherProxy(error: unknown): boolean {
  return blameOf(error) !== undefined || (error instanceof AppError && isBroken(error));
}

function isBroken({ code, cause, targetStatusCode }: AppError): boolean {
  return code === 'UPSTREAM_ERROR' && targetStatusCode === undefined && BROKEN_CONNECTION.test(codeOf(cause));
}
