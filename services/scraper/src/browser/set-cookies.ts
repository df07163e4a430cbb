import { AppError, type Cookie } from '@gleaner/contracts';
import { createCookieJar } from '@gleaner/egress';
import type { Protocol } from 'puppeteer-core';
import type { Tab } from './open-tab.ts';

/** What the caller gave of cookies: a list, or a Cookie header; never both. */
export interface CookieSource {
  readonly url: string;
  readonly cookies: readonly Cookie[];
  readonly cookieHeader: string | undefined;
}

/**
 * Puts the caller's cookies into the tab's context; the browser sends them where their domain and path allow. One without a
 * domain belongs to the target's host alone. Throws INVALID_REQUEST listing those that no browser would take.
 */
export async function setCookies(tab: Tab, { url, cookies, cookieHeader = '' }: CookieSource): Promise<void> {
  createCookieJar(cookies, new URL(url));
  const all = [...cookies.map((cookie) => toParam(cookie, url)), ...parseCookieHeader(cookieHeader, url)];
  if (all.length === 0) return;
  await tab.browser.connection
    .send('Storage.setCookies', { cookies: all, browserContextId: tab.contextId })
    .catch((cause: unknown) => {
      throw new AppError('INVALID_REQUEST', {
        message: 'The browser refuses one of the cookies.',
        suggestion:
          'A name that begins with __Secure- or __Host- needs secure; SameSite=None needs secure too.',
        cause,
      });
    });
}

function toParam(cookie: Cookie, url: string): Protocol.Network.CookieParam {
  const { name, value, domain, path = '/', expires, httpOnly, secure, sameSite } = cookie;
  return {
    name,
    value,
    path,
    ...(domain === undefined ? { url } : { domain }),
    ...(expires !== undefined && expires !== -1 && { expires: secondsOf(expires) }),
    ...(httpOnly !== undefined && { httpOnly }),
    ...(secure !== undefined && { secure }),
    ...(sameSite !== undefined && { sameSite }),
  };
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
