import { AppError } from '@gleaner/contracts';
import { codeOf, UnansweredError } from '../errors.ts';
import { quoteUrl } from './quote-url.ts';

/** A failed attempt: the error for the caller, and whether another attempt may help. */
export interface Failure {
  readonly error: AppError;
  readonly isTransient: boolean;
  /** True when the connection was kept from an earlier request: the server may have closed it since. */
  readonly isStaleConnection: boolean;
}

interface Explanation {
  /** Matches the whole error code. */
  readonly codes: RegExp;
  /** Predicate of a sentence about the host. */
  readonly problem: string;
  readonly suggestion?: string | ((url: URL) => string);
  readonly isTransient?: boolean;
}

const UNKNOWN: Explanation = { codes: /.*/, problem: '' };

const CERTIFICATE_ADVICE =
  'Open the page in a browser, which will show a warning too. Only the owner of the site can fix this.';
const ADDRESS_ADVICE = 'Check the spelling of the host name.';

/** Explanations of the codes of node, c-ares, OpenSSL, llhttp and impit; the first match counts. */
const EXPLANATIONS: readonly Explanation[] = [
  {
    codes: /DNS_(ENOTFOUND|ENODATA|EBADNAME|EAI_NONAME)/,
    problem: 'has no address, because its name does not exist',
    suggestion: ADDRESS_ADVICE,
  },
  {
    codes: /DNS_.*/,
    problem: 'has name servers that did not answer properly',
    isTransient: true,
  },
  {
    codes: /ECONNREFUSED/,
    problem: 'refused the connection',
    suggestion: 'Check the host and the port: nothing listens there now.',
    isTransient: true,
  },
  { codes: /ETIMEDOUT/, problem: 'did not accept a connection in time', isTransient: true },
  {
    codes: /ENETUNREACH|EHOSTUNREACH|ENETDOWN|EADDRNOTAVAIL|EHOSTDOWN/,
    problem: 'cannot be reached, because there is no network route to it',
    isTransient: true,
  },
  {
    codes: /CERT_HAS_EXPIRED/,
    problem: 'has a TLS certificate that has expired',
    suggestion: CERTIFICATE_ADVICE,
  },
  {
    codes: /CERT_NOT_YET_VALID/,
    problem: 'has a TLS certificate that is not valid yet',
    suggestion: CERTIFICATE_ADVICE,
  },
  {
    codes: /DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN/,
    problem: 'has a self-signed TLS certificate',
    suggestion: CERTIFICATE_ADVICE,
  },
  {
    codes: /ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH/,
    problem: 'has a TLS certificate for another host',
    suggestion: CERTIFICATE_ADVICE,
  },
  {
    codes: /UNABLE_TO_.*|CERT_.*|ERR_TLS_CERT_.*|INVALID_CA|PATH_LENGTH_EXCEEDED/,
    problem: 'has a TLS certificate that cannot be verified (unknown authority, or an incomplete chain)',
    suggestion: CERTIFICATE_ADVICE,
  },
  {
    codes: /ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG/,
    problem: 'sent something that is not TLS',
    suggestion: 'Check the scheme and the port: the site may speak plain http there.',
  },
  { codes: /EPROTO|ERR_SSL_.*|ERR_TLS_.*/, problem: 'could not agree on TLS with this client' },
  { codes: /HPE_HEADER_OVERFLOW/, problem: 'sent more headers than any page needs' },
  {
    codes: /HPE_.*/,
    problem: 'sent a response that is not valid HTTP',
    suggestion: adviseOnHttp,
  },
  {
    codes: /ERR_HTTP2_.*/,
    problem: 'ended the HTTP/2 exchange early',
    isTransient: true,
  },
  {
    codes: /Z_.*|ERR__?ERROR_.*|ERR_BROTLI.*|ERR_ZSTD.*|ZSTD_.*|ERR_PADDING.*/,
    problem: 'sent a body that cannot be decompressed as its Content-Encoding says',
  },
  {
    codes: /ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE|ECONNABORTED|ERR_HTTP_CONTENT_LENGTH_MISMATCH/,
    problem: 'closed the connection before the response was complete',
    isTransient: true,
  },
];

/** Explains what an attempt threw to the caller; an AppError stays as it is and is final. */
export function explainFailure(thrown: unknown, url: URL): Failure {
  const isStaleConnection = thrown instanceof UnansweredError;
  const cause = withoutPacket(thrown);
  if (cause instanceof AppError) return { error: cause, isTransient: false, isStaleConnection };
  const code = codeOf(cause);
  const {
    problem,
    suggestion,
    isTransient = false,
  } = EXPLANATIONS.find(({ codes }) => new RegExp(`^(?:${codes.source})$`).test(code)) ?? UNKNOWN;
  const advice = typeof suggestion === 'function' ? suggestion(url) : suggestion;
  const error = new AppError('UPSTREAM_ERROR', {
    message: `Could not fetch ${quoteUrl(url)}${problem && `: the host ${problem}`}${code && ` (${code})`}.`,
    ...(advice !== undefined && { suggestion: advice }),
    cause,
  });
  return { error, isTransient, isStaleConnection };
}

/** Advises on an unreadable response: over https a browser reads it itself, over http it gets only what our proxy could read. */
function adviseOnHttp({ protocol }: URL): string {
  const check = 'Check the scheme and the port: another service may listen there.';
  return protocol === 'https:'
    ? `${check} If the page opens in a browser, scrape it with render.`
    : `${check} If the page opens in a browser, scrape its https URL; render does not help with http.`;
}

/** Keeps only message and code of an error of node's parser, which attaches the bytes of the response: they must not get into a log. */
function withoutPacket(thrown: unknown): unknown {
  if (!(thrown instanceof UnansweredError || (thrown instanceof Error && 'rawPacket' in thrown)))
    return thrown;
  return Object.assign(new Error(thrown.message), { code: codeOf(thrown) });
}
