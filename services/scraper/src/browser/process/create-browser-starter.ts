import type { Logger } from '@gleaner/service-kit';
import type { BrowserKind } from './chromium-flags.ts';
import { noteUse } from './chromium-versions.ts';
import type { Chromium, PrepareChromium } from './find-chromium.ts';
import type { Browser } from './start-browser.ts';

/** Dependencies of a browser starter. */
export interface BrowserStarterDeps {
  readonly prepareChromium: PrepareChromium;
  readonly browserFolder: string;
  readonly logger: Logger;
}

/**
 * Creates a function that starts browsers. The sandbox is on unless Chromium refuses it: always as root, and where the
 * system forbids user namespaces. The log then says so, once.
 */
export function createBrowserStarter({ prepareChromium, browserFolder, logger }: BrowserStarterDeps) {
  let chromium: Promise<Chromium> | undefined;
  let isSandboxed = true;

  function disableSandbox(why: string): void {
    isSandboxed = false;
    logger.warn(
      {},
      `Chromium runs without its sandbox, because ${why}. Run the scraper as its own user, in a container or a virtual machine.`,
    );
  }

  /** Prepares Chromium, once; again where it failed or has been removed since. */
  async function prepare(): Promise<Chromium> {
    chromium ??= prepareChromium(browserFolder);
    const prepared = await chromium.catch((error: unknown) => {
      chromium = undefined;
      throw error;
    });
    if (prepared.home === undefined || (await noteUse(prepared.home))) return prepared;
    chromium = undefined;
    return await prepare();
  }

  return async ({ kind }: { readonly kind: BrowserKind }): Promise<Browser> => {
    if (isSandboxed && process.getuid?.() === 0) disableSandbox('it refuses a sandbox when it runs as root');
    const prepared = await prepare();
    // puppeteer takes 40 MB of memory, so it is loaded with the first page to render.
    const { startBrowser } = await import('./start-browser.ts');
    const start = () => startBrowser({ chromium: prepared, browserFolder, isSandboxed, kind, logger });
    try {
      return await start();
    } catch (error) {
      if (!isSandboxed || !isAboutSandbox(error)) throw error;
      disableSandbox('the system does not allow unprivileged user namespaces');
      return await start();
    }
  };
}

function isAboutSandbox(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof Error && /sandbox/i.test(error.cause.message);
}
