import { AppError } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { explainFailure } from './explain-failure.ts';

const URL_ = new URL('https://site.example:8443/page?id=7');
const coded = (code: string) => Object.assign(new Error('connect 10.1.2.3'), { code });

describe('explainFailure', () => {
  it.each([
    ['DNS_ENOTFOUND', 'has no address', false],
    ['DNS_ENODATA', 'has no address', false],
    ['DNS_ESERVFAIL', 'name servers', true],
    ['DNS_ETIMEOUT', 'name servers', true],
    ['DNS_ECONNREFUSED', 'name servers', true],
    ['ECONNREFUSED', 'refused the connection', true],
    ['ETIMEDOUT', 'did not accept a connection in time', true],
    ['ENETUNREACH', 'cannot be reached', true],
    ['EHOSTUNREACH', 'cannot be reached', true],
    ['ECONNRESET', 'before the response was complete', true],
    ['EPIPE', 'before the response was complete', true],
    ['ERR_HTTP_CONTENT_LENGTH_MISMATCH', 'before the response was complete', true],
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
    ['Z_DATA_ERROR', 'cannot be decompressed', false],
    ['ERR__ERROR_FORMAT_PADDING_1', 'cannot be decompressed', false],
    ['ZSTD_error_prefix_unknown', 'cannot be decompressed', false],
  ])('explains %s: the host %s', (code, words, isTransient) => {
    const failure = explainFailure(coded(code), URL_);
    expect(failure).toMatchObject({ isTransient, error: { code: 'UPSTREAM_ERROR', source: 'target' } });
    expect(failure.error.message).toContain('https://site.example:8443/page?id=7: ');
    expect(failure.error.message).toContain(words);
    expect(failure.error.message).not.toContain('10.1.2.3');
  });

  it('suggests render over https, where the browser reads the response itself, but not over http', () => {
    const adviceFor = (scheme: string) =>
      explainFailure(coded('HPE_INVALID_CONSTANT'), new URL(`${scheme}://site.example/`)).error.suggestion;
    expect(adviceFor('https')).toContain('scrape it with render');
    expect(adviceFor('http')).not.toContain('scrape it with render');
  });

  it('returns an AppError unchanged and final', () => {
    const own = new AppError('INVALID_URL');
    expect(explainFailure(own, URL_)).toMatchObject({ error: own, isTransient: false });
  });

  it('names the code of an unknown error', () => {
    const failure = explainFailure(coded('ESOMETHING'), URL_);
    expect(failure).toMatchObject({ isTransient: false, error: { code: 'UPSTREAM_ERROR' } });
    expect(failure.error.message).toBe('Could not fetch https://site.example:8443/page?id=7 (ESOMETHING).');
  });

  it.each([undefined, null, 'text', 42, {}])('explains %j, which is not an error', (thrown) => {
    expect(explainFailure(thrown, URL_).error.message).toBe(
      'Could not fetch https://site.example:8443/page?id=7.',
    );
  });
});
