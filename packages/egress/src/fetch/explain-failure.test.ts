import { AppError } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { explainFailure } from './explain-failure.ts';

const URL_ = new URL('https://site.example:8443/page');
const coded = (code: string) => Object.assign(new Error('connect 10.1.2.3'), { code });

describe('explainFailure', () => {
  it.each([
    ['DNS_ENOTFOUND', 'has no address', false],
    ['DNS_ENODATA', 'has no address', false],
    ['DNS_ESERVFAIL', 'could not be resolved', true],
    ['DNS_ETIMEOUT', 'could not be resolved', true],
    ['DNS_ECONNREFUSED', 'could not be resolved', true],
    ['ECONNREFUSED', 'refused the connection', true],
    ['ETIMEDOUT', 'did not accept a connection in time', true],
    ['ENETUNREACH', 'cannot be reached', true],
    ['EHOSTUNREACH', 'cannot be reached', true],
    ['ECONNRESET', 'before the answer was complete', true],
    ['EPIPE', 'before the answer was complete', true],
    ['ERR_HTTP_CONTENT_LENGTH_MISMATCH', 'before the answer was complete', true],
    ['CERT_HAS_EXPIRED', 'has expired', false],
    ['CERT_NOT_YET_VALID', 'not valid yet', false],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed', false],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed', false],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'for another host', false],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'cannot be verified', false],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'cannot be verified', false],
    ['CERT_REVOKED', 'cannot be verified', false],
    ['EPROTO', 'could not agree on TLS', false],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'could not agree on TLS', false],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'not TLS', false],
    ['HPE_INVALID_CONSTANT', 'not valid HTTP', false],
    ['HPE_HEADER_OVERFLOW', 'more headers', false],
    ['ERR_HTTP2_STREAM_ERROR', 'HTTP/2', true],
    ['ERR_HTTP2_GOAWAY_SESSION', 'HTTP/2', true],
    ['Z_DATA_ERROR', 'does not decompress', false],
    ['ERR__ERROR_FORMAT_PADDING_1', 'does not decompress', false],
    ['ZSTD_error_prefix_unknown', 'does not decompress', false],
    ['ESOMETHING', 'could not be fetched', false],
  ])('says of %s that the host %s', (code, words, isTransient) => {
    const failure = explainFailure(coded(code), URL_);
    expect(failure).toMatchObject({ isTransient, error: { code: 'UPSTREAM_ERROR', source: 'target' } });
    expect(failure.error.message).toContain(`site.example:8443 `);
    expect(failure.error.message).toContain(words);
    expect(failure.error.message).not.toContain('10.1.2.3');
  });

  it('promises render where the browser reads the answer itself, which it does not over http', () => {
    const adviceFor = (scheme: string) =>
      explainFailure(coded('HPE_INVALID_CONSTANT'), new URL(`${scheme}://site.example/`)).error.suggestion;
    expect(adviceFor('https')).toContain('can be had with render');
    expect(adviceFor('http')).not.toContain('can be had with render');
  });

  it('leaves our own errors as they are, and final', () => {
    const own = new AppError('INVALID_URL');
    expect(explainFailure(own, URL_)).toMatchObject({ error: own, isTransient: false });
  });

  it.each([undefined, null, 'text', 42, {}])('finds words for %j too', (thrown) => {
    expect(explainFailure(thrown, URL_).error.message).toBe('site.example:8443 could not be fetched.');
  });
});
