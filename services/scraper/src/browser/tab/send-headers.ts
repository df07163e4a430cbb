import type { Protocol } from 'puppeteer-core';
import type { Tab } from './open-tab.ts';

/** Dropped when a redirect leads to another origin, as in a plain fetch. */
const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set(['authorization']);

/**
 * Adds the caller's headers to every request to the target's origin and, without credentials, to requests to other origins
 * that the first document's redirects lead to. Other requests to other origins do not get them.
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
    const isRedirected = isDocument && networkId === firstDocument;
    const added = isAtTarget
      ? own
      : isRedirected
        ? own.filter(([name]) => !CREDENTIAL_HEADERS.has(name))
        : [];
    session
      .send('Fetch.continueRequest', {
        requestId,
        ...(added.length > 0 && { headers: merge(request.headers, added) }),
      })
      .catch(() => {
        // The page has given up the request.
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

/** Escapes what the protocol's patterns interpret: `*`, `?` and backslash. Brackets need no escape. */
function escapePattern(text: string): string {
  return text.replace(/[*?\\]/g, '\\$&');
}
