import type { Logger } from '@gleaner/service-kit';
import type { BrowserKind } from './chromium-flags.ts';
import type { Chromium, PrepareChromium } from './find-chromium.ts';
import type { Browser } from './start-browser.ts';

/** What starting browsers takes. */
export interface BrowserStarterDeps {
  readonly prepareChromium: PrepareChromium;
  readonly browserFolder: string;
  readonly logger: Logger;
}

/**
 * Builds a starter of browsers. The sandbox is on unless Chromium refuses it: as root always, and where the system forbids
 * user namespaces; the log says so once.
 */
export function createBrowserStarter({ prepareChromium, browserFolder, logger }: BrowserStarterDeps) {
  let chromium: Promise<Chromium> | undefined;
  let isSandboxed = true;

  function forgoSandbox(why: string): void {
    isSandboxed = false;
    logger.warn(
      {},
      `Chromium runs without its sandbox, because ${why}. Let the scraper run as a user of its own in a container or a virtual machine.`,
    );
  }

  return async ({ kind }: { readonly kind: BrowserKind }): Promise<Browser> => {
    if (isSandboxed && process.getuid?.() === 0) forgoSandbox('it refuses to have one as root');
    chromium ??= prepareChromium(browserFolder);
    const prepared = await chromium.catch((fault: unknown) => {
      chromium = undefined;
      throw fault;
    });
    // puppeteer takes 40 MB, which a scraper without pages to render need not have.
    const { startBrowser } = await import('./start-browser.ts');
    const start = () => startBrowser({ chromium: prepared, browserFolder, isSandboxed, kind });
    try {
      return await start();
    } catch (fault) {
      if (!isSandboxed || !isAboutSandbox(fault)) throw fault;
      forgoSandbox('the system does not let it have one (no unprivileged user namespaces)');
      return await start();
    }
  };
}

function isAboutSandbox(fault: unknown): boolean {
  return fault instanceof Error && fault.cause instanceof Error && /sandbox/i.test(fault.cause.message);
}
