interface Translation {
  /** Matched against the name and the words of an error of impit, which quotes rustls and hyper. */
  readonly words: RegExp;
  /** Node's name for the same. */
  readonly code: string;
}

/** The first match counts. */
const TRANSLATIONS: readonly Translation[] = [
  { words: /InvalidCertificate\(\s*Expired/, code: 'CERT_HAS_EXPIRED' },
  { words: /InvalidCertificate\(\s*NotValidYet/, code: 'CERT_NOT_YET_VALID' },
  { words: /InvalidCertificate\(\s*NotValidForName/, code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
  { words: /InvalidCertificate/, code: 'CERT_UNTRUSTED' },
  // A connection that ends without TLS's goodbye (RFC 8446 section 6.1), where more of the answer was to come.
  { words: /close_notify|ConnectionReset|BrokenPipe/, code: 'ECONNRESET' },
  {
    words: /AlertReceived|PeerIncompatible|PeerMisbehaved|InvalidMessage|received corrupt message|TLS/,
    code: 'EPROTO',
  },
  // Not hyper's: what came was whole, and its decoder did not want it.
  {
    words: /kind: Decode, source: reqwest::Error \{ kind: Body, source: (?!hyper)/,
    code: 'ERR__ERROR_DECODING',
  },
  { words: /^DecodingError/, code: 'ERR__ERROR_DECODING' },
  { words: /Timeout/, code: 'ETIMEDOUT' },
  { words: /http2 error|h2::/i, code: 'ERR_HTTP2_ERROR' },
  { words: /Parse\(\s*TooLarge/, code: 'HPE_HEADER_OVERFLOW' },
  { words: /Parse\(|invalid HTTP/, code: 'HPE_INVALID' },
  {
    words:
      /^(?:Network|Connect|Read|Write|Close|Protocol|RemoteProtocol|ProxyTunnel|Request|Transport|Stream)/,
    code: 'ECONNRESET',
  },
];

/** An error of impit as node would have thrown it; its words, which hold Rust's structures, stay behind. */
export function translateFault(fault: unknown): unknown {
  if (!(fault instanceof Error)) return fault;
  const words = `${fault.constructor.name}: ${fault.message}`;
  const code = TRANSLATIONS.find((translation) => translation.words.test(words))?.code;
  return code === undefined ? fault : Object.assign(new Error(`impit: ${code}`), { code });
}
