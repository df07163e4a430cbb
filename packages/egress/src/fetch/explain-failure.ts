import { AppError } from '@gleaner/contracts';
import { RequestError } from 'got';
import { codeOf } from '../errors/code-of.ts';
import { UnansweredFault } from '../errors/unanswered-fault.ts';

/** A failed attempt: what to tell the caller, and whether trying again may help. */
export interface Failure {
  readonly error: AppError;
  readonly isTransient: boolean;
  /** It failed on a connection kept from before, which the server may have closed meanwhile. */
  readonly isStaleConnection: boolean;
}

interface Explanation {
  /** Matched against the whole error code. */
  readonly codes: RegExp;
  /** Follows the host's name. */
  readonly says: string;
  readonly suggestion?: string | ((url: URL) => string);
  readonly isTransient?: boolean;
}

const CERTIFICATE_ADVICE =
  'Open the page in a browser: it will warn too. Only the owner of the site can repair it.';
const ADDRESS_ADVICE = 'Check the spelling of the host name.';

/** Node's, c-ares', OpenSSL's, llhttp's and nghttp2's codes in the caller's words; the first match counts. */
const EXPLANATIONS: readonly Explanation[] = [
  {
    codes: /DNS_(ENOTFOUND|ENODATA|EBADNAME|EAI_NONAME)/,
    says: 'has no address: the name does not exist',
    suggestion: ADDRESS_ADVICE,
  },
  {
    codes: /DNS_.*/,
    says: 'could not be resolved: its name servers did not answer properly',
    isTransient: true,
  },
  {
    codes: /ECONNREFUSED/,
    says: 'refused the connection',
    suggestion: 'Check the host and the port: nothing listens there now.',
    isTransient: true,
  },
  { codes: /ETIMEDOUT/, says: 'did not accept a connection in time', isTransient: true },
  {
    codes: /ENETUNREACH|EHOSTUNREACH|ENETDOWN|EADDRNOTAVAIL|EHOSTDOWN/,
    says: 'cannot be reached: no network leads there',
    isTransient: true,
  },
  {
    codes: /CERT_HAS_EXPIRED/,
    says: 'has a TLS certificate that has expired',
    suggestion: CERTIFICATE_ADVICE,
  },
  {
    codes: /CERT_NOT_YET_VALID/,
    says: 'has a TLS certificate that is not valid yet',
    suggestion: CERTIFICATE_ADVICE,
  },
  {
    codes: /DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN/,
    says: 'has a self-signed TLS certificate',
    suggestion: CERTIFICATE_ADVICE,
  },
  {
    codes: /ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH/,
    says: 'has a TLS certificate for another host',
    suggestion: CERTIFICATE_ADVICE,
  },
  {
    codes: /UNABLE_TO_.*|CERT_.*|ERR_TLS_CERT_.*|INVALID_CA|PATH_LENGTH_EXCEEDED/,
    says: 'has a TLS certificate that cannot be verified (unknown authority, or an incomplete chain)',
    suggestion: CERTIFICATE_ADVICE,
  },
  {
    codes: /ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG/,
    says: 'answered with something that is not TLS',
    suggestion: 'Check the scheme and the port: the site may speak plain http there.',
  },
  { codes: /EPROTO|ERR_SSL_.*|ERR_TLS_.*/, says: 'could not agree on TLS with this client' },
  { codes: /HPE_HEADER_OVERFLOW|ERR_HTTP2_.*HEADER.*/, says: 'sent more headers than any page needs' },
  {
    codes: /HPE_.*/,
    says: 'answered with something that is not valid HTTP',
    suggestion: adviseOnHttp,
  },
  {
    codes: /ERR_HTTP2_.*/,
    says: 'broke off the HTTP/2 exchange',
    isTransient: true,
  },
  {
    codes: /Z_.*|ERR__?ERROR_.*|ERR_BROTLI.*|ERR_ZSTD.*|ZSTD_.*|ERR_PADDING.*/,
    says: 'sent a body that does not decompress as its Content-Encoding says',
  },
  {
    codes: /ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE|ECONNABORTED|ERR_HTTP_CONTENT_LENGTH_MISMATCH/,
    says: 'closed the connection before the answer was complete',
    isTransient: true,
  },
];

/** What got says of a stream that ended without a reason. */
const GOT_CODE = 'ERR_GOT_REQUEST_ERROR';

const UNKNOWN: Explanation = { codes: /.*/, says: 'could not be fetched' };

/** Puts whatever an attempt threw into words; an AppError stays as it is and is final. */
export function explainFailure(thrown: unknown, url: URL): Failure {
  const isStaleConnection = isStale(thrown);
  const fault = unwrap(thrown);
  if (fault instanceof AppError) return { error: fault, isTransient: false, isStaleConnection };
  const code = codeOf(fault);
  const explanation =
    EXPLANATIONS.find(({ codes }) => new RegExp(`^(?:${codes.source})$`).test(code)) ?? UNKNOWN;
  const suggestion =
    typeof explanation.suggestion === 'function' ? explanation.suggestion(url) : explanation.suggestion;
  const error = new AppError('UPSTREAM_ERROR', {
    message: `${url.host} ${explanation.says}${code === '' ? '' : ` (${code})`}.`,
    ...(suggestion !== undefined && { suggestion }),
    cause: fault,
  });
  return { error, isTransient: explanation.isTransient ?? false, isStaleConnection };
}

/** Over https a browser reads the answer itself; over http it gets only what our proxy could read. */
function adviseOnHttp({ protocol }: URL): string {
  const check = 'Check the scheme and the port: another service may listen there.';
  return protocol === 'https:'
    ? `${check} A page that opens in a browser can be had with render.`
    : `${check} If the site opens in a browser, try its https address; render reads http no better.`;
}

/** got's errors carry the request with its headers and cookies, which must not get into a log: only words go on. */
function unwrap(thrown: unknown): unknown {
  if (!(thrown instanceof RequestError)) return thrown;
  if (thrown.cause instanceof AppError) return thrown.cause;
  return Object.assign(new Error(thrown.message), {
    code: thrown.code === GOT_CODE ? 'ECONNRESET' : thrown.code,
  });
}

function isStale(thrown: unknown): boolean {
  if (thrown instanceof UnansweredFault) return true;
  return (
    thrown instanceof RequestError && thrown.response === undefined && thrown.request?.reusedSocket === true
  );
}
