import {
  fillOrigin,
  fitOrigin,
  hasStorage,
  READ_ORIGIN,
  type ReadOrigin,
  type StateCookie,
  type StateOrigin,
  type StorageState,
  toStateCookie,
} from '@gleaner/contracts';
import type { Protocol } from 'puppeteer-core';
import { evaluateApart } from './evaluate-apart.ts';
import type { Tab } from './open-tab.ts';

/** Puts the cookies and the storage of a session into the context of a tab, which no page has used. */
export async function putState(tab: Tab, { cookies, origins }: StorageState): Promise<void> {
  await setStateCookies(tab, cookies.map(toParam));
  const filled = origins.filter(hasStorage);
  if (filled.length > 0) await fillStorage(tab, filled);
}

/**
 * Returns the cookies of the tab's context, and the storage of its document instead of that which the session had of its
 * origin, as far as it fits into a state.
 */
export async function readState(tab: Tab, before: StorageState): Promise<StorageState> {
  const { browser, contextId } = tab;
  const answer = await browser.connection.send('Storage.getCookies', { browserContextId: contextId });
  const cookies = answer.cookies.map(toStateCookie);
  const json = await evaluateApart<string | null>(tab, READ_ORIGIN);
  if (json === null) return { cookies, origins: [...before.origins] };
  const read: ReadOrigin = JSON.parse(json);
  const isSame = ({ origin }: StateOrigin) => origin === read.origin;
  const origins = before.origins.filter((one) => !isSame(one));
  const own = fitOrigin(read, { cookies, origins }, before.origins.find(isSame));
  return { cookies, origins: own ? [...origins, own] : origins };
}

/** Without a leading dot a cookie belongs to its host alone, which Chromium takes from a URL. */
function toParam({
  domain,
  path = '/',
  expires = -1,
  partitionKey,
  _crHasCrossSiteAncestor: hasCrossSiteAncestor = true,
  ...cookie
}: StateCookie): Protocol.Network.CookieParam {
  const host = domain.includes(':') && !domain.startsWith('[') ? `[${domain}]` : domain;
  return {
    ...cookie,
    path,
    ...(expires !== -1 && { expires }),
    ...(partitionKey !== undefined && { partitionKey: { topLevelSite: partitionKey, hasCrossSiteAncestor } }),
    ...(domain.startsWith('.') ? { domain } : { url: `${cookie.secure ? 'https' : 'http'}://${host}/` }),
    // Of any scheme and port, as the form of the state says nothing of them.
    sourceScheme: 'Unset',
    sourcePort: -1,
  };
}

async function setStateCookies({ browser, contextId }: Tab, cookies: Protocol.Network.CookieParam[]) {
  if (cookies.length === 0) return;
  const set = (some: Protocol.Network.CookieParam[]) =>
    browser.connection.send('Storage.setCookies', { cookies: some, browserContextId: contextId });
  // One that Chromium refuses, such as one that another kind of browser has stored, must not take the others with it.
  await set(cookies).catch(() => Promise.allSettled(cookies.map((cookie) => set([cookie]))));
}

/**
 * Fills the storage of origins: the tab goes to an empty document of each, which no server is asked for. So what belongs to
 * one origin never reaches a process that shows another.
 */
async function fillStorage({ session }: Tab, origins: readonly StateOrigin[]): Promise<void> {
  const empty = {
    responseCode: 200,
    responseHeaders: [{ name: 'Content-Type', value: 'text/html' }],
    body: '',
  };
  const onPaused = ({ requestId }: Protocol.Fetch.RequestPausedEvent) => {
    session.send('Fetch.fulfillRequest', { requestId, ...empty }).catch(() => {});
  };
  session.on('Fetch.requestPaused', onPaused);
  try {
    await session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
    for (const filled of origins) {
      await session.send('Page.navigate', { url: `${filled.origin}/` });
      await session.send('Runtime.evaluate', { expression: fillOrigin(filled), awaitPromise: true });
    }
    await session.send('Page.navigate', { url: 'about:blank' });
  } finally {
    session.off('Fetch.requestPaused', onPaused);
    await session.send('Fetch.disable').catch(() => {});
  }
}
