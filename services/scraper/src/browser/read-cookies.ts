import type { Cookie } from '@gleaner/contracts';
import type { Tab } from './open-tab.ts';

/** All cookies of the tab's context, as a request can bring them along again. */
export async function readCookies({ browser, contextId }: Tab): Promise<readonly Cookie[]> {
  const { cookies } = await browser.connection.send('Storage.getCookies', { browserContextId: contextId });
  return cookies.map(({ name, value, domain, path, expires, httpOnly, secure, sameSite }) => ({
    ...{ name, value, path, httpOnly, secure },
    // Without a dot it belongs to the host alone, which a cookie without a domain does.
    ...(domain.startsWith('.') && { domain }),
    ...(expires > 0 && { expires }),
    ...(sameSite && { sameSite }),
  }));
}
