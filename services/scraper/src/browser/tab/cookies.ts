import { isIP } from 'node:net';
import { AppError, type Cookie, credentialOriginsOf, defined } from '@gleaner/contracts';
import { createCookieJar } from '@gleaner/egress';
import type { Protocol } from 'puppeteer-core';
import type { Tab } from './open-tab.ts';

/** Cookies of a request: a list, or a Cookie header; never both. */
export interface CookieSource {
  readonly url: string;
  readonly cookies: readonly Cookie[];
  readonly cookieHeader: string | undefined;
}

/**
 * Sets the caller's cookies in the tab's context; the browser sends them where their domain and path allow. A cookie
 * without a domain goes to the target's origin alone. Throws INVALID_REQUEST listing those that no browser accepts.
 */
export async function setCookies(tab: Tab, { url, cookies, cookieHeader = '' }: CookieSource): Promise<void> {
  createCookieJar(cookies, new URL(url));
  const all = [...cookies, ...parseCookieHeader(cookieHeader)].flatMap((cookie) => toParams(cookie, url));
  if (all.length === 0) return;
  await tab.browser.connection
    .send('Storage.setCookies', { cookies: all, browserContextId: tab.contextId })
    .catch((cause: unknown) => {
      throw new AppError('INVALID_REQUEST', {
        message: 'The browser rejected one of the cookies.',
        suggestion:
          'Set secure on cookies whose name begins with __Secure- or __Host-, and on those with SameSite=None.',
        cause,
      });
    });
}

/** Returns all cookies of the tab's context, in the form in which a request can send them again. */
export async function readCookies({ browser, contextId }: Tab): Promise<readonly Cookie[]> {
  const { cookies } = await browser.connection.send('Storage.getCookies', { browserContextId: contextId });
  return cookies.map(({ name, value, domain, path, expires, httpOnly, secure, sameSite }) => ({
    name,
    value,
    path,
    httpOnly,
    secure,
    // Without a dot it belongs to the host alone, as a cookie without a domain does.
    ...(domain.startsWith('.') && { domain }),
    ...(expires > 0 && { expires }),
    ...defined({ sameSite }),
  }));
}

function toParams(cookie: Cookie, url: string): Protocol.Network.CookieParam[] {
  const { name, value, domain, path = '/', expires, httpOnly, secure, sameSite } = cookie;
  const param = {
    name,
    value,
    path,
    ...(expires !== undefined && expires !== -1 && { expires: secondsOf(expires) }),
    ...defined({ httpOnly, secure, sameSite }),
  };
  if (domain !== undefined) return [{ ...param, ...placeOf(domain, { url, secure }) }];
  return credentialOriginsOf(new URL(url)).map((origin) => ({ ...param, ...boundTo(new URL(origin)) }));
}

/** Binds a cookie to an origin: its scheme and port count, too (ENABLED_FEATURES of the browser). */
function boundTo({ href: url, protocol, port }: URL): Partial<Protocol.Network.CookieParam> {
  const isHttps = protocol === 'https:';
  const sourcePort = port === '' ? (isHttps ? 443 : 80) : Number(port);
  return { url, sourceScheme: isHttps ? 'Secure' : 'NonSecure', sourcePort };
}

/** Sets a cookie by URL where its domain is an address, which Chromium rejects: it belongs to that one host, in both engines. */
function placeOf(
  domain: string,
  { url, secure }: { readonly url: string; readonly secure: boolean | undefined },
): Partial<Protocol.Network.CookieParam> {
  const anyOrigin = { sourceScheme: 'Unset', sourcePort: -1 } as const;
  const address = addressOf(domain);
  if (address === undefined) return { domain, ...anyOrigin };
  return { ...anyOrigin, url: `${secure ? 'https:' : new URL(url).protocol}//${address}/` };
}

/** Returns the address that a domain means, as URLs write it; undefined for names. */
function addressOf(domain: string): string | undefined {
  const host = domain.replace(/^\./, '');
  const hostname = URL.parse(`http://${host.includes(':') ? `[${host}]` : host}/`)?.hostname ?? '';
  return isIP(hostname.replace(/^\[(.*)\]$/, '$1')) === 0 ? undefined : hostname;
}

function secondsOf(expires: number | string): number {
  return typeof expires === 'number' ? expires : Date.parse(expires) / 1_000;
}

function parseCookieHeader(header: string): Cookie[] {
  const pairs = header.split(/; */).filter((pair) => pair !== '');
  return pairs.map((pair) => {
    const equals = pair.indexOf('=');
    const name = equals === -1 ? '' : pair.slice(0, equals).trim();
    return { name, value: pair.slice(equals + 1).trim() };
  });
}
