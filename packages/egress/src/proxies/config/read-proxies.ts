import { readFileSync } from 'node:fs';
import { codeOf } from '../../errors.ts';
import type { EgressPolicy } from '../../policy/create-egress-policy.ts';
import { parseProxyLists } from './parse-proxy-lists.ts';
import type { ConfiguredProxy } from './proxy.ts';

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
