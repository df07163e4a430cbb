import { AppError } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { type ProxyErrorKind, proxyError } from '../route/proxy-error.ts';
import { isWorthAnotherProxy, judgeOutcome } from './judge-outcome.ts';

const failing = (kind: ProxyErrorKind) => proxyError({ kind, country: 'us' });
const broken = (code: string) =>
  new AppError('UPSTREAM_ERROR', { cause: Object.assign(new Error(code), { code }) });

describe('judgeOutcome', () => {
  it.each([
    ['an unreachable proxy', failing('PROXY_UNREACHABLE'), 'failed', true],
    ['wrong credentials', failing('PROXY_CREDENTIALS'), 'failed', true],
    ['a target that the proxy cannot reach', failing('PROXY_NO_CONNECTION'), 'doubtful', true],
    ['a proxy that is silent', failing('PROXY_SILENT'), 'doubtful', true],
    ['a broken connection', broken('ECONNRESET'), 'doubtful', true],
    ['a broken TLS handshake', broken('EPROTO'), 'doubtful', true],
    ['a bad certificate', broken('CERT_HAS_EXPIRED'), undefined, false],
    ['a name that does not exist', broken('DNS_ENOTFOUND'), undefined, false],
    ['a response that refuses access', new AppError('BLOCKED', { targetStatusCode: 403 }), 'carried', false],
    ['an error of the target', new AppError('UPSTREAM_ERROR', { targetStatusCode: 500 }), 'carried', false],
    ['a page that is too large', new AppError('UNSUPPORTED_CONTENT'), 'carried', false],
    ['a deadline', new AppError('TIMEOUT'), 'doubtful', false],
    ['a caller that disconnected', new AppError('SERVICE_UNAVAILABLE'), undefined, false],
    ['a URL that is not allowed', new AppError('INVALID_URL'), undefined, false],
    ['an internal error', new TypeError('x'), undefined, false],
  ])('judges a proxy after %s', (_what, error, verdict, isWorth) => {
    expect([judgeOutcome(error), isWorthAnotherProxy(error)]).toEqual([verdict, isWorth]);
  });
});
