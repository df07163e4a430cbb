import type { ConfiguredProxy, ProxyCredentials } from './proxy.ts';

/** Settings in a proxy's URL. */
export type ParsedProxyUrl = Pick<ConfiguredProxy, 'protocol' | 'host' | 'port' | 'credentials' | 'targets'>;

interface Scheme extends Pick<ConfiguredProxy, 'protocol' | 'targets'> {
  readonly defaultPort: number;
}

/** Schemes as in curl; with socks5h the proxy resolves names. */
const SCHEMES: Readonly<Record<string, Scheme>> = {
  'http:': { protocol: 'http', targets: 'by-address', defaultPort: 80 },
  'https:': { protocol: 'https', targets: 'by-address', defaultPort: 443 },
  'socks5:': { protocol: 'socks5', targets: 'by-address', defaultPort: 1080 },
  'socks5h:': { protocol: 'socks5', targets: 'by-name', defaultPort: 1080 },
};

/** RFC 1929 has one byte for each length; the same limit holds for Basic, since no provider needs more. */
const MAX_CREDENTIAL_BYTES = 255;

/**
 * Parses `scheme://user:password@host:port`, or returns the error as the end of a sentence. The error quotes nothing,
 * since any part of an invalid URL may belong to the password.
 */
export function parseProxyUrl(text: string): ParsedProxyUrl | string {
  const url = URL.parse(text.trim());
  if (url === null) {
    return 'is not a URL such as http://user:password@proxy.example:8080; percent-encode special characters in user name and password';
  }
  const scheme = SCHEMES[url.protocol];
  if (!scheme) return `has a scheme other than http, https, socks5 and socks5h`;
  if (url.hostname === '') return 'has no host';
  if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '') {
    return 'has a path, query or fragment after its port; percent-encode / ? and # in user name and password';
  }
  const credentials = readCredentials(url);
  if (typeof credentials === 'string') return credentials;
  return {
    protocol: scheme.protocol,
    targets: scheme.targets,
    host: url.hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase(),
    port: url.port === '' ? scheme.defaultPort : Number(url.port),
    credentials,
  };
}

function readCredentials(url: URL): ProxyCredentials | undefined | string {
  if (url.username === '' && url.password === '') return undefined;
  const [username, password] = [url.username, url.password].map(decode);
  if (username === undefined || password === undefined)
    return 'has an invalid percent-encoding in its user name or password';
  if (username === '' || username.includes(':')) return 'has an empty user name, or one with a colon in it';
  if ([username, password].some((part) => Buffer.byteLength(part) > MAX_CREDENTIAL_BYTES))
    return `has a user name or a password of more than ${MAX_CREDENTIAL_BYTES} bytes`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finds control characters.
  if (/[\x00-\x1f\x7f]/.test(username + password))
    return 'has a control character in its user name or password';
  return { username, password };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
