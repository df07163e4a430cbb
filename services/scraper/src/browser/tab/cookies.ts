import { isIP } from 'node:net';
import { AppError, type Cookie } from '@gleaner/contracts';
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
 * without a domain belongs to the target's host alone. Throws INVALID_REQUEST listing those that no browser accepts.
 */
export async function setCookies(tab: Tab, { url, cookies, cookieHeader = '' }: CookieSource): Promise<void> {
  createCookieJar(cookies, new URL(url));
  const all = [...cookies.map((cookie) => toParam(cookie, url)), ...parseCookieHeader(cookieHeader, url)];
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
    ...{ name, value, path, httpOnly, secure },
    // Without a dot it belongs to the host alone, as a cookie without a domain does.
    ...(domain.startsWith('.') && { domain }),
    ...(expires > 0 && { expires }),
    ...(sameSite && { sameSite }),
  }));
}

function toParam(cookie: Cookie, url: string): Protocol.Network.CookieParam {
  const { name, value, domain, path = '/', expires, httpOnly, secure, sameSite } = cookie;
  return {
    name,
    value,
    path,
    ...placeOf(domain, { url, secure }),
    ...(expires !== undefined && expires !== -1 && { expires: secondsOf(expires) }),
    ...(httpOnly !== undefined && { httpOnly }),
    ...(secure !== undefined && { secure }),
    ...(sameSite !== undefined && { sameSite }),
  };
}

/** Sets a cookie by URL where its domain is an address, which Chromium rejects: it belongs to that one host, in both engines. */
function placeOf(
  domain: string | undefined,
  { url, secure }: { readonly url: string; readonly secure: boolean | undefined },
): Pick<Protocol.Network.CookieParam, 'url' | 'domain'> {
  if (domain === undefined) return { url };
  const address = addressOf(domain);
  if (address === undefined) return { domain };
  return { url: `${secure ? 'https:' : new URL(url).protocol}//${address}/` };
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

function parseCookieHeader(header: string, url: string): Protocol.Network.CookieParam[] {
  const pairs = header.split(/; */).filter((pair) => pair !== '');
  return pairs.map((pair) => {
    const equals = pair.indexOf('=');
    const name = equals === -1 ? '' : pair.slice(0, equals).trim();
    return { name, value: pair.slice(equals + 1).trim(), url, path: '/' };
  });
}
