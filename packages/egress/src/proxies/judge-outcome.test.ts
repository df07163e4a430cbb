import { AppError } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { isWorthAnotherProxy, judgeOutcome } from './judge-outcome.ts';
import { type ProxyFaultKind, proxyError } from './proxy-fault.ts';

const failing = (kind: ProxyFaultKind) => proxyError({ kind, country: 'us' });
const broken = (code: string) =>
  new AppError('UPSTREAM_ERROR', { cause: Object.assign(new Error(code), { code }) });

describe('judgeOutcome', () => {
  it.each([
    ['an unreachable proxy', failing('PROXY_UNREACHABLE'), 'failed', true],
    ['wrong credentials', failing('PROXY_CREDENTIALS'), 'failed', true],
    ['a target that the proxy does not reach', failing('PROXY_NO_CONNECTION'), 'doubtful', true],
    ['a proxy that is silent', failing('PROXY_SILENT'), 'doubtful', true],
    ['a broken connection', broken('ECONNRESET'), 'doubtful', true],
    ['a broken TLS handshake', broken('EPROTO'), 'doubtful', true],
    ['a bad certificate', broken('CERT_HAS_EXPIRED'), undefined, false],
    ['a name that does not exist', broken('DNS_ENOTFOUND'), undefined, false],
    ['a refusal of the target', new AppError('BLOCKED', { targetStatusCode: 403 }), 'carried', false],
    ['a failure of the target', new AppError('UPSTREAM_ERROR', { targetStatusCode: 500 }), 'carried', false],
    ['a page that is too large', new AppError('UNSUPPORTED_CONTENT'), 'carried', false],
    ['a deadline', new AppError('TIMEOUT'), 'doubtful', false],
    ['a caller who has gone', new AppError('SERVICE_UNAVAILABLE'), undefined, false],
    ['a refused URL', new AppError('INVALID_URL'), undefined, false],
    ['a fault of ours', new TypeError('x'), undefined, false],
  ])('knows what %s says of a proxy', (_what, error, verdict, isWorth) => {
    expect([judgeOutcome(error), isWorthAnotherProxy(error)]).toEqual([verdict, isWorth]);
  });
});
