import { parseProxyUrl } from './parse-proxy-url.ts';
import type { ConfiguredProxy } from './proxy.ts';

/** Valid proxies of one text, and its errors. */
export interface ParsedProxyLists {
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
export function parseProxyLists(text: string): ParsedProxyLists {
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

/** Drops the message of JSON.parse, which quotes its input: that may be a password. */
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
