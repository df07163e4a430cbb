import { readFileSync } from 'node:fs';
import { codeOf } from '../../errors.ts';
import type { EgressPolicy } from '../../policy/create-egress-policy.ts';
import type { ConfiguredProxy, ProxyCredentials } from './proxy.ts';

/** Settings that list the proxies, by the names of their variables. */
export interface ProxySettings {
  /** The lists themselves. */
  readonly PROXIES: string | undefined;
  /** The path of a file with the lists. */
  readonly PROXIES_FILE: string | undefined;
}

type Source = { readonly setting: keyof ProxySettings; readonly text: string };

const MAX_FILE_BYTES = 10 * 1_048_576;

/**
 * Returns all proxies of both settings, those of the file first, named by country and position. Throws a plain Error that
 * lists every error and quotes none of the values, since any may contain a password.
 */
export function readProxies(
  settings: ProxySettings,
  policy: Pick<EgressPolicy, 'checkUrl'>,
): readonly ConfiguredProxy[] {
  const readings = sourcesOf(settings).map(({ setting, text }) => ({ setting, ...parseProxyLists(text) }));
  const proxies = withNames(readings.flatMap((reading) => reading.proxies));
  const errors = [
    ...readings.flatMap(({ setting, errors }) => errors.map((error) => `${setting}: ${error}`)),
    ...proxies.flatMap((proxy) => policyErrorOf(proxy, policy) ?? []),
  ];
  if (errors.length > 0)
    throw new Error(['The proxies are not configured correctly:', ...errors].join('\n  '));
  return proxies;
}

function sourcesOf({ PROXIES, PROXIES_FILE }: ProxySettings): Source[] {
  return [
    ...(PROXIES_FILE === undefined
      ? []
      : [{ setting: 'PROXIES_FILE' as const, text: readText(PROXIES_FILE) }]),
    ...(PROXIES === undefined ? [] : [{ setting: 'PROXIES' as const, text: PROXIES }]),
  ];
}

function readText(path: string): string {
  try {
    const bytes = readFileSync(path);
    if (bytes.length > MAX_FILE_BYTES) throw Object.assign(new Error(), { code: 'EFBIG' });
    const text = bytes.toString('utf8').replace(/^\ufeff/, '');
    return text.trim() === '' ? '{}' : text;
  } catch (cause) {
    throw new Error(
      `PROXIES_FILE names ${JSON.stringify(path)}, which cannot be read (${codeOf(cause) || 'unknown'}).`,
      { cause },
    );
  }
}

function withNames(proxies: readonly Omit<ConfiguredProxy, 'name'>[]): ConfiguredProxy[] {
  const counts = new Map<string, number>();
  return proxies.map((proxy) => {
    const place = (counts.get(proxy.country) ?? 0) + 1;
    counts.set(proxy.country, place);
    return { ...proxy, name: `${proxy.country}-${place}` };
  });
}

/** Checks a proxy's host and port as far as their text tells; its address is checked at every connection. */
function policyErrorOf({ name, host, port }: ConfiguredProxy, policy: Pick<EgressPolicy, 'checkUrl'>) {
  try {
    policy.checkUrl(`http://${host.includes(':') ? `[${host}]` : host}:${port}/`);
    return undefined;
  } catch {
    return `${name} is on a private network, or at a port of another service; add its host and port to EGRESS_ALLOW.`;
  }
}

/** Valid proxies of one text, and its errors. */
interface ParsedProxyLists {
  readonly proxies: readonly Omit<ConfiguredProxy, 'name'>[];
  /** Sentences that name a position and quote no value. */
  readonly errors: readonly string[];
}

type Entry = { readonly place: string; readonly country: string; readonly value: unknown };

/** Same as in the `proxy` field of a request. */
const COUNTRY = /^[a-z]{2,3}$/;
const DNS_CHOICES: Readonly<Record<string, ConfiguredProxy['targets']>> = {
  here: 'by-address',
  proxy: 'by-name',
};

/**
 * Parses `{"us": ["http://…", {"url": "https://…", "dns": "proxy"}], "de": "socks5://…"}`, or, when the text is not
 * JSON, `us=http://…, us=http://…, de=socks5://…`.
 */
function parseProxyLists(text: string): ParsedProxyLists {
  const entries = /^\s*[{[]/.test(text) ? readJson(text) : readPairs(text);
  if (typeof entries === 'string') return { proxies: [], errors: [entries] };
  const readings = entries.map(readEntry);
  return {
    proxies: readings.filter((reading) => typeof reading !== 'string'),
    errors: readings.filter((reading) => typeof reading === 'string'),
  };
}

function readJson(text: string): Entry[] | string {
  const lists = parseJson(text);
  if (typeof lists !== 'object' || lists === null || Array.isArray(lists)) {
    return 'must be a JSON object such as {"us": ["http://user:password@proxy.example:8080"]}.';
  }
  return Object.entries(lists).flatMap(([country, list]) => {
    const values: unknown[] = Array.isArray(list) ? list : [list];
    if (values.length === 0) return [{ place: quoteCountry(country), country, value: undefined }];
    return values.map((value, index) => ({ place: placeOf(country, index), country, value }));
  });
}

/** Parses JSON without the message of JSON.parse: it quotes its input, possibly a password. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readPairs(text: string): Entry[] {
  const pairs = text.split(/[,\s]+/).filter((pair) => pair !== '');
  return pairs.map((pair, index) => {
    const [country = '', ...rest] = pair.split('=');
    const place = `entry ${index + 1}`;
    return rest.length === 0
      ? { place, country: '', value: undefined }
      : { place, country, value: rest.join('=') };
  });
}

function readEntry({ place, country, value }: Entry): Omit<ConfiguredProxy, 'name'> | string {
  if (!COUNTRY.test(country)) {
    return `${place}: the country must be a lower-case code of two or three letters, such as us.`;
  }
  if (typeof value === 'string') return readUrl(place, country, value);
  if (typeof value !== 'object' || value === null || !('url' in value) || typeof value.url !== 'string') {
    return `${place}: give the URL of a proxy, or an object with url.`;
  }
  const { url, dns, ...rest } = value as { url: string; dns?: unknown };
  if (Object.keys(rest).length > 0) return `${place}: an object may have only url and dns.`;
  if (dns === undefined) return readUrl(place, country, url);
  const targets = typeof dns === 'string' ? DNS_CHOICES[dns] : undefined;
  if (targets === undefined) return `${place}: dns must be "here" or "proxy".`;
  const read = readUrl(place, country, url);
  return typeof read === 'string' ? read : { ...read, targets };
}

function readUrl(place: string, country: string, text: string): Omit<ConfiguredProxy, 'name'> | string {
  const parsed = parseProxyUrl(text);
  return typeof parsed === 'string' ? `${place} ${parsed}.` : { country, ...parsed };
}

function placeOf(country: string, index: number): string {
  return `${quoteCountry(country)}[${index}]`;
}

/** Returns a country's code, but not an invalid key, which may be a misplaced URL. */
function quoteCountry(country: string): string {
  return COUNTRY.test(country) ? country : 'a country';
}

type ParsedProxyUrl = Pick<ConfiguredProxy, 'protocol' | 'host' | 'port' | 'credentials' | 'targets'>;

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
