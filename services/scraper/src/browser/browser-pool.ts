import { AppError } from '@gleaner/contracts';
import type { ProxyServer, Route } from '@gleaner/egress';
import type { Logger } from '@gleaner/service-kit';
import type { BrowserKind } from './chromium-flags.ts';
import { guardMemory, type MemoryLimits } from './guard-memory.ts';
import { closeTab, openTab, type Tab } from './open-tab.ts';
import { SpareTab } from './spare-tab.ts';
import type { Browser } from './start-browser.ts';
import { untilAborted } from './until-aborted.ts';

/** What the pool works with. */
export interface BrowserPoolDeps {
  readonly startBrowser: (options: { readonly kind: BrowserKind }) => Promise<Browser>;
  /** Opens the way out of one tab, by a route if there is one. */
  readonly startProxy: (route: Route | undefined) => Promise<ProxyServer>;
  readonly blockedUrls: readonly string[];
  readonly limits: BrowserLimits;
  readonly logger: Logger;
}

/** How long a browser is used. */
export interface BrowserLimits extends MemoryLimits {
  /** Tabs after which a browser is replaced. */
  readonly maxUses: number;
  /** Time without a tab after which a browser is closed. */
  readonly idleMs: number;
}

/** What a tab is for. */
export interface TabOptions {
  readonly kind: BrowserKind;
  /** The way out of everything in it; straight unless given. */
  readonly route?: Route | undefined;
}

interface PooledBrowser {
  readonly browser: Browser;
  /** For whoever wants to go straight out. */
  readonly spare: SpareTab;
  readonly stopGuarding: () => void;
  activeTabs: number;
  uses: number;
  isRetired: boolean;
  idleTimer: NodeJS.Timeout | undefined;
}

const CLOSE_TAB_TIMEOUT_MS = 5_000;
const OPEN_TAB_TIMEOUT_MS = 15_000;
const LOSS_SHOWS_WITHIN_MS = 1_000;

/**
 * Lends tabs of warm browsers: one browser for pages that are read, one for pages that are looked at, each started when it
 * is first wanted, with a spare tab ahead of the next caller. How many tabs are in use at once is up to the callers.
 */
export class BrowserPool {
  readonly #deps: BrowserPoolDeps;
  readonly #current = new Map<BrowserKind, Promise<PooledBrowser>>();
  readonly #all = new Set<PooledBrowser>();

  constructor(deps: BrowserPoolDeps) {
    this.#deps = deps;
  }

  /**
   * Does the work in a fresh tab, which is closed afterwards. The work ends by its signal, which aborts when the browser
   * ends, too; a browser that ended is replaced once. Throws what the work throws, and SERVICE_UNAVAILABLE.
   */
  async withTab<Result>(
    options: TabOptions,
    signal: AbortSignal,
    work: (tab: Tab, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    for (let isRetry = false; ; isRetry = true) {
      const pooled = await this.#acquireInTime(options.kind, signal);
      try {
        return await this.#workIn(pooled, options, signal, work);
      } catch (fault) {
        if (signal.aborted || !(await wasLost(pooled.browser, fault))) throw fault;
        if (isRetry) throw pooled.browser.gone.reason;
      }
    }
  }

  /** Ends all browsers; work under way fails. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#current.values());
    await Promise.all([...this.#all].map((pooled) => this.#end(pooled)));
  }

  async #workIn<Result>(
    pooled: PooledBrowser,
    options: TabOptions,
    signal: AbortSignal,
    work: (tab: Tab, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const { browser } = pooled;
    const tab = await this.#openTab(pooled, options, signal);
    try {
      const { exhausted, routeFailed } = tab.proxy;
      const tabSignal = AbortSignal.any([signal, browser.gone, exhausted, routeFailed]);
      return await work(tab, tabSignal);
    } finally {
      // Nobody has to wait for that.
      void this.#closeTab(pooled, tab);
    }
  }

  async #openTab(pooled: PooledBrowser, options: TabOptions, signal: AbortSignal): Promise<Tab> {
    const { browser, spare } = pooled;
    const opening = (options.route ? undefined : spare.take()) ?? this.#newTab(browser, options);
    const stuck = AbortSignal.timeout(OPEN_TAB_TIMEOUT_MS);
    try {
      const tab = await untilAborted(opening, AbortSignal.any([signal, browser.gone, stuck]));
      if (!options.route && !pooled.isRetired) spare.prepare();
      return tab;
    } catch (fault) {
      // Whoever asked has gone; the tab goes as well, as soon as it is there.
      void opening.then(
        (tab) => this.#closeTab(pooled, tab),
        () => this.#release(pooled),
      );
      if (stuck.aborted) await this.#kill(browser, 'It opened no tab in time.');
      throw fault;
    }
  }

  #newTab(browser: Browser, { kind, route }: TabOptions): Promise<Tab> {
    const { startProxy, blockedUrls } = this.#deps;
    return openTab(browser, { startProxy: () => startProxy(route), blockedUrls, kind });
  }

  async #closeTab(pooled: PooledBrowser, tab: Tab): Promise<void> {
    const { browser } = pooled;
    try {
      await untilAborted(
        closeTab(tab),
        AbortSignal.any([browser.gone, AbortSignal.timeout(CLOSE_TAB_TIMEOUT_MS)]),
      );
    } catch {
      if (!browser.gone.aborted) await this.#kill(browser, 'It did not close a tab in time.');
    } finally {
      this.#release(pooled);
    }
  }

  async #acquireInTime(kind: BrowserKind, signal: AbortSignal): Promise<PooledBrowser> {
    const acquiring = this.#acquire(kind);
    try {
      return await untilAborted(acquiring, signal);
    } catch (fault) {
      if (signal.aborted) acquiring.then((pooled) => this.#release(pooled)).catch(() => {});
      throw fault;
    }
  }

  #acquire(kind: BrowserKind): Promise<PooledBrowser> {
    const current = this.#current.get(kind) ?? this.#start(kind);
    return current.then((pooled) => {
      if (pooled.isRetired || pooled.browser.gone.aborted) return this.#acquire(kind);
      clearTimeout(pooled.idleTimer);
      pooled.activeTabs += 1;
      pooled.uses += 1;
      if (pooled.uses >= this.#deps.limits.maxUses) this.#retire(pooled);
      return pooled;
    });
  }

  #start(kind: BrowserKind): Promise<PooledBrowser> {
    const started = this.#deps.startBrowser({ kind }).then((browser) => this.#pool(browser, kind));
    this.#current.set(kind, started);
    const forget = () => {
      if (this.#current.get(kind) === started) this.#current.delete(kind);
    };
    started.then(({ browser }) => browser.gone.addEventListener('abort', forget), forget);
    return started;
  }

  #pool(browser: Browser, kind: BrowserKind): PooledBrowser {
    const { limits, logger } = this.#deps;
    const pooled: PooledBrowser = {
      browser,
      spare: new SpareTab({
        open: () => this.#newTab(browser, { kind }),
        close: closeTab,
        onLost: () => logger.warn({ pid: browser.pid }, 'A spare tab was lost before its use.'),
      }),
      stopGuarding: guardMemory(browser, limits, {
        isBusy: () => pooled.activeTabs > 0,
        onTabKilled: (megabytes) => logger.warn({ megabytes }, 'A tab took too much memory and was ended.'),
        onOverweight: () => this.#retire(pooled),
      }),
      activeTabs: 0,
      uses: 0,
      isRetired: false,
      idleTimer: undefined,
    };
    this.#all.add(pooled);
    browser.gone.addEventListener('abort', () => this.#forget(pooled));
    logger.info({ pid: browser.pid, kind }, 'A browser was started.');
    return pooled;
  }

  #release(pooled: PooledBrowser): void {
    pooled.activeTabs -= 1;
    if (pooled.activeTabs > 0) return;
    if (pooled.isRetired) void this.#end(pooled);
    else pooled.idleTimer = setTimeout(() => this.#retire(pooled), this.#deps.limits.idleMs).unref();
  }

  /** It takes no new tabs, and ends with the last of those that it has. */
  #retire(pooled: PooledBrowser): void {
    pooled.isRetired = true;
    for (const [kind, current] of this.#current) {
      void current.then((browser) => {
        if (browser === pooled && this.#current.get(kind) === current) this.#current.delete(kind);
      });
    }
    if (pooled.activeTabs === 0) void this.#end(pooled);
  }

  async #kill(browser: Browser, why: string): Promise<void> {
    this.#deps.logger.warn({ pid: browser.pid }, `A browser was stuck and is killed. ${why}`);
    await browser.kill();
  }

  async #end(pooled: PooledBrowser): Promise<void> {
    this.#forget(pooled);
    await pooled.browser.close();
  }

  #forget(pooled: PooledBrowser): void {
    clearTimeout(pooled.idleTimer);
    pooled.stopGuarding();
    void pooled.spare.discard();
    this.#all.delete(pooled);
  }
}

/** Whether the fault is that of a browser that has ended: its commands fail a little before its process is gone. */
async function wasLost({ gone }: Browser, fault: unknown): Promise<boolean> {
  if (fault instanceof AppError) return gone.aborted && fault === gone.reason;
  await untilAborted(
    new Promise(() => {}),
    AbortSignal.any([gone, AbortSignal.timeout(LOSS_SHOWS_WITHIN_MS)]),
  ).catch(() => {});
  return gone.aborted;
}
