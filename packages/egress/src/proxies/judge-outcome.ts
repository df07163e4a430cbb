import { AppError } from '@gleaner/contracts';
import { codeOf } from '../errors/code-of.ts';
import { blameOf } from './proxy-fault.ts';

/** What the end of a request says of the proxy that it went through; undefined where it says nothing. */
export type Verdict = 'carried' | 'failed' | 'doubtful' | undefined;

/** A connection that breaks, or never answers, may be the proxy's fault as well as the target's. */
const BROKEN_CONNECTION =
  /^(?:ECONNRESET|EPIPE|ECONNABORTED|ETIMEDOUT|ERR_STREAM_PREMATURE_CLOSE|ERR_HTTP2_.*|ERR_SSL_.*|EPROTO|ERR_EMPTY_RESPONSE|ERR_CONNECTION_.*|ERR_TIMED_OUT|ERR_TUNNEL_.*|ERR_INCOMPLETE_.*)$/;

/** Errors that mean that the target's answer came through, whatever it was. */
const ANSWERED: ReadonlySet<string> = new Set([
  'BLOCKED',
  'NOT_FOUND',
  'RATE_LIMITED',
  'UNSUPPORTED_CONTENT',
]);

/** Judges a proxy by the error that ended a request. */
export function judgeOutcome(error: unknown): Verdict {
  const blame = blameOf(error);
  if (blame !== undefined) return blame === 'proxy' ? 'failed' : 'doubtful';
  if (!(error instanceof AppError)) return undefined;
  if (ANSWERED.has(error.code) || error.targetStatusCode !== undefined) return 'carried';
  if (error.code === 'UPSTREAM_ERROR') return isBroken(error) ? 'doubtful' : undefined;
  return error.code === 'TIMEOUT' ? 'doubtful' : undefined;
}

/** Whether another proxy may succeed where this error came of one: the proxy failed, or the connection through it broke. */
export function isWorthAnotherProxy(error: unknown): boolean {
  return blameOf(error) !== undefined || (error instanceof AppError && isBroken(error));
}

function isBroken({ code, cause, targetStatusCode }: AppError): boolean {
  return code === 'UPSTREAM_ERROR' && targetStatusCode === undefined && BROKEN_CONNECTION.test(codeOf(cause));
}
