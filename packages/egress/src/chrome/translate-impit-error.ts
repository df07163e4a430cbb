interface Translation {
  /** Matches the name and message of an error of impit, which quotes rustls and hyper. */
  readonly pattern: RegExp;
  /** Node's code for the same error. */
  readonly code: string;
}

/** The first match counts. */
const TRANSLATIONS: readonly Translation[] = [
  { pattern: /InvalidCertificate\(\s*Expired/, code: 'CERT_HAS_EXPIRED' },
  { pattern: /InvalidCertificate\(\s*NotValidYet/, code: 'CERT_NOT_YET_VALID' },
  { pattern: /InvalidCertificate\(\s*NotValidForName/, code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
  { pattern: /InvalidCertificate/, code: 'CERT_UNTRUSTED' },
  // A connection that ends without TLS's close_notify (RFC 8446 section 6.1) before the end of the response.
  { pattern: /close_notify|ConnectionReset|BrokenPipe/, code: 'ECONNRESET' },
  {
    pattern: /AlertReceived|PeerIncompatible|PeerMisbehaved|InvalidMessage|received corrupt message|TLS/,
    code: 'EPROTO',
  },
  // Not hyper's error: the body was complete, and its decoder rejected it.
  {
    pattern: /kind: Decode, source: reqwest::Error \{ kind: Body, source: (?!hyper)/,
    code: 'ERR__ERROR_DECODING',
  },
  { pattern: /^DecodingError/, code: 'ERR__ERROR_DECODING' },
  { pattern: /Timeout/, code: 'ETIMEDOUT' },
  { pattern: /http2 error|h2::/i, code: 'ERR_HTTP2_ERROR' },
  { pattern: /Parse\(\s*TooLarge/, code: 'HPE_HEADER_OVERFLOW' },
  { pattern: /Parse\(|invalid HTTP/, code: 'HPE_INVALID' },
  {
    pattern:
      /^(?:Network|Connect|Read|Write|Close|Protocol|RemoteProtocol|ProxyTunnel|Request|Transport|Stream)/,
    code: 'ECONNRESET',
  },
];

/** Returns an error of impit as node would have thrown it, without its message, which contains Rust's structures. */
export function translateImpitError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const text = `${error.constructor.name}: ${error.message}`;
  const code = TRANSLATIONS.find((translation) => translation.pattern.test(text))?.code;
  return code === undefined ? error : Object.assign(new Error(`impit: ${code}`), { code });
}
