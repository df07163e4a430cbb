import { credentialOriginsOf, defined, isSecretHeader, sharesCredentials } from '@gleaner/contracts';
import type { Protocol } from 'puppeteer-core';
import type { Tab } from './open-tab.ts';

/**
 * Adds the caller's headers to every request to the target's origin and, without secret ones, to requests to other origins
 * that the first document's redirects lead to. Other requests to other origins do not get them, also after a redirect.
 */
export async function sendHeaders(
  tab: Tab,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const { session, targetId } = tab;
  const { 'user-agent': userAgent, ...others } = headers;
  if (userAgent !== undefined) await session.send('Network.setUserAgentOverride', { userAgent });
  const own = Object.entries({ ...others, ...defined({ 'user-agent': userAgent }) });
  if (own.length === 0) return;
  const target = new URL(url);
  let firstDocument: string | undefined;

  session.on('Fetch.requestPaused', ({ requestId, request, resourceType, frameId, networkId }) => {
    const isDocument = resourceType === 'Document' && frameId === targetId;
    if (isDocument) firstDocument ??= networkId;
    const isAtTarget = sharesCredentials(target, new URL(request.url));
    const isRedirected = isDocument && networkId === firstDocument;
    const added = isAtTarget ? own : isRedirected ? own.filter(([name]) => !isSecretHeader(name)) : [];
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
    patterns: [
      ...credentialOriginsOf(target).map((origin) => ({ urlPattern: `${escapePattern(origin)}/*` })),
      { urlPattern: '*', resourceType: 'Document' },
    ],
  });
}

function merge(
  headers: Protocol.Network.Headers,
  added: readonly (readonly [string, string])[],
): Protocol.Fetch.HeaderEntry[] {
  // A Referer that is written here would be sent whole to wherever the request is redirected.
  const names = new Set(['referer', ...added.map(([name]) => name)]);
  const kept = Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase()));
  return [...kept, ...added].map(([name, value]) => ({ name, value }));
}

/** Escapes what the protocol's patterns interpret: `*`, `?` and backslash. Brackets need no escape. */
function escapePattern(text: string): string {
  return text.replace(/[*?\\]/g, '\\$&');
}
