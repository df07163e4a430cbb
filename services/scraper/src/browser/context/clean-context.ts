import { signalAfterSilence, untilAborted } from '@gleaner/contracts';
import type { CDPSession } from 'puppeteer-core';
import { CDPSessionEvent } from 'puppeteer-core/internal/api/CDPSession.js';
import { openTabIn, type Tab } from '../tab/open-tab.ts';
import type { ContextTraces } from './watch-context.ts';

/** Memory of scripts, in use or not yet collected, beyond which a page would pay for those before it. */
const MAX_SCRIPT_BYTES = 200 * 1_048_576;

const CLOSE_TIMEOUT_MS = 3_000;

/** The state of a context could not be removed, or its removal not confirmed. */
export class NotClean extends Error {
  override readonly name = 'NotClean';
}

/**
 * Replaces a tab by a new one in the same context and process, and removes what its page has left there. The network stays
 * cut: late answers cannot bring state back. Throws, mostly NotClean, when the context must not be used again.
 */
export async function replaceTab(
  tab: Tab,
  { origins, obstacle }: ContextTraces,
  blockedUrls: readonly string[],
): Promise<Tab> {
  if (obstacle !== undefined) throw new NotClean(`The context is not used again: ${obstacle}.`);
  tab.proxy.pause();
  // The new tab comes first: without any, the process would end.
  const next = await openTabIn(tab, blockedUrls);
  await closeTarget(tab);
  await removeState(next, origins);
  await confirmClean(next, origins);
  return next;
}

/** Throws NotClean when there are cookies in the context, or a target besides the tab. */
export async function confirmUnused({ browser, contextId, targetId }: Tab): Promise<void> {
  const [{ cookies }, { targetInfos }] = await Promise.all([
    browser.connection.send('Storage.getCookies', { browserContextId: contextId }),
    browser.connection.send('Target.getTargets', { filter: ALL_BUT_TABS }),
  ]);
  if (cookies.length > 0) throw new NotClean('Cookies are left.');
  const others = targetInfos.filter(
    (target) => target.browserContextId === contextId && target.targetId !== targetId,
  );
  if (others.length > 0) throw new NotClean(`Still open: ${others.map(({ type }) => type).join(', ')}.`);
}

/** A "tab" is the protocol's second name for a page. */
const ALL_BUT_TABS = [{ type: 'browser', exclude: true }, { type: 'tab', exclude: true }, {}];

/** Closes the page without asking it, and resolves when it is gone: its last scripts have run by then. */
async function closeTarget({ browser, session, targetId }: Tab): Promise<void> {
  const { connection } = browser;
  const gone = Promise.withResolvers<void>();
  const onDetached = (detached: CDPSession) => {
    if (detached === session) gone.resolve();
  };
  connection.on(CDPSessionEvent.SessionDetached, onDetached);
  try {
    await connection.send('Target.closeTarget', { targetId });
    await untilAborted(gone.promise, AbortSignal.any([browser.gone, signalAfterSilence(CLOSE_TIMEOUT_MS)]));
  } finally {
    connection.off(CDPSessionEvent.SessionDetached, onDetached);
  }
}

async function removeState(
  { browser, contextId, session }: Tab,
  origins: ReadonlySet<string>,
): Promise<void> {
  await Promise.all([
    browser.connection.send('Storage.clearCookies', { browserContextId: contextId }),
    browser.connection.send('Browser.resetPermissions', { browserContextId: contextId }),
    session.send('Network.clearBrowserCache'),
    // Empties the memory cache of the process.
    session.send('Network.setCacheDisabled', { cacheDisabled: true }),
    session.send('Network.setCacheDisabled', { cacheDisabled: false }),
    ...[...origins].map((origin) =>
      session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' }),
    ),
  ]);
}

async function confirmClean(tab: Tab, origins: ReadonlySet<string>): Promise<void> {
  const [{ totalSize, backingStorageSize = 0 }, ...usages] = await Promise.all([
    tab.session.send('Runtime.getHeapUsage'),
    ...[...origins].map((origin) => tab.session.send('Storage.getUsageAndQuota', { origin })),
    confirmUnused(tab),
  ]);
  if (usages.some((usage) => usage !== undefined && usage.usage > 0)) throw new NotClean('Storage is left.');
  if (totalSize + backingStorageSize > MAX_SCRIPT_BYTES) throw new NotClean('Its process is too large.');
}
