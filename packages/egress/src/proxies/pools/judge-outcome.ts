import { AppError } from '@gleaner/contracts';
import { codeOf } from '../../errors.ts';
import { blameOf } from '../route/proxy-error.ts';

/** Judgment of a proxy after a request; undefined when its outcome says nothing about the proxy. */
export type Verdict = 'carried' | 'failed' | 'doubtful' | undefined;

/** Errors of connections that broke or never responded, which the proxy or the target may have caused. */
const BROKEN_CONNECTION =
  /^(?:ECONNRESET|EPIPE|ECONNABORTED|ETIMEDOUT|ERR_STREAM_PREMATURE_CLOSE|ERR_HTTP2_.*|ERR_SSL_.*|EPROTO|ERR_EMPTY_RESPONSE|ERR_CONNECTION_.*|ERR_TIMED_OUT|ERR_TUNNEL_.*|ERR_INCOMPLETE_.*)$/;

/** Errors that mean that a response of the target came through. */
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
