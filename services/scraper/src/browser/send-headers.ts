import type { Protocol } from 'puppeteer-core';
import type { Tab } from './open-tab.ts';

/** Left behind when a redirect leads to another origin, as a plain fetch does. */
const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set(['authorization']);

/**
 * Has the caller's headers sent with every request to the target's origin, and on the way through redirects of the first
 * document, without credentials, to others. What pages load from elsewhere does not get them.
 */
export async function sendHeaders(
  tab: Tab,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const { session, targetId } = tab;
  const { 'user-agent': userAgent, ...others } = headers;
  if (userAgent !== undefined) await session.send('Network.setUserAgentOverride', { userAgent });
  const own = Object.entries({ ...others, ...(userAgent !== undefined && { 'user-agent': userAgent }) });
  if (own.length === 0) return;
  const { origin } = new URL(url);
  let firstDocument: string | undefined;

  session.on('Fetch.requestPaused', ({ requestId, request, resourceType, frameId, networkId }) => {
    const isDocument = resourceType === 'Document' && frameId === targetId;
    if (isDocument) firstDocument ??= networkId;
    const isAtTarget = new URL(request.url).origin === origin;
    const isOnTheWay = isDocument && networkId === firstDocument;
    const added = isAtTarget ? own : isOnTheWay ? own.filter(([name]) => !CREDENTIAL_HEADERS.has(name)) : [];
    session
      .send('Fetch.continueRequest', {
        requestId,
        ...(added.length > 0 && { headers: merge(request.headers, added) }),
      })
      .catch(() => {
        // The page gave the request up meanwhile.
      });
  });
  await session.send('Fetch.enable', {
    patterns: [{ urlPattern: `${escapePattern(origin)}/*` }, { urlPattern: '*', resourceType: 'Document' }],
  });
}

function merge(
  headers: Protocol.Network.Headers,
  added: readonly (readonly [string, string])[],
): Protocol.Fetch.HeaderEntry[] {
  const names = new Set(added.map(([name]) => name));
  const kept = Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase()));
  return [...kept, ...added].map(([name, value]) => ({ name, value }));
}

/** The protocol's patterns know `*`, `?` and a backslash before them; an origin's brackets are plain. */
function escapePattern(text: string): string {
  return text.replace(/[*?\\]/g, '\\$&');
}
