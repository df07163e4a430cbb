import { AppError, LIMITS, signalAfterSilence, untilAborted } from '@gleaner/contracts';
import type { ProxyServer, Route } from '@gleaner/egress';
import { inBackground, type Logger } from '@gleaner/service-kit';
import { AccountContexts, type LentContext } from './context/account-contexts.ts';
import type { BrowserKind } from './process/chromium-flags.ts';
import { guardMemory, type MemoryLimits } from './process/guard-memory.ts';
import type { Browser } from './process/start-browser.ts';
import { closeTab, openTab, type Tab } from './tab/open-tab.ts';
import { SpareTab } from './tab/spare-tab.ts';

/** Dependencies of a `BrowserPool`. */
export interface BrowserPoolDeps {
  readonly startBrowser: (options: { readonly kind: BrowserKind }) => Promise<Browser>;
  /** Opens the proxy that is one tab's only connection to the network, through a route if given. */
  readonly startProxy: (route: Route | undefined) => Promise<ProxyServer>;
  readonly blockedUrls: readonly string[];
  readonly limits: BrowserLimits;
  readonly logger: Logger;
  readonly onEnded?: (reason: BrowserEnd) => void;
}

/** Reason for which a browser has ended. */
export type BrowserEnd = 'uses' | 'memory' | 'idle' | 'stuck' | 'crashed' | 'shutdown';

/** State of one browser. */
export interface BrowserState {
  readonly kind: BrowserKind;
  readonly version: string;
  readonly activeTabs: number;
  /** As it was last measured, while a tab was active. */
  readonly megabytes: number;
}

/** Limits after which a browser is replaced or closed. */
export interface BrowserLimits extends MemoryLimits {
  /** Number of tabs after which a browser is replaced. */
  readonly maxUses: number;
  /** Time without a tab after which a browser is closed. */
  readonly idleMs: number;
}

/** Properties of a tab to open. */
export interface TabOptions {
  readonly kind: BrowserKind;
  /** Route of all its traffic; direct unless given. */
  readonly route?: Route | undefined;
  /** Account whose cleaned contexts may be reused; without one, or with a route, the context is fresh. */
  readonly accountId?: string | undefined;
  /** Returns whether work that lost its browser may be done again; it may unless given. */
  readonly mayRepeat?: () => boolean;
}

interface PooledBrowser {
  readonly kind: BrowserKind;
  readonly browser: Browser;
  /** For tabs without a route. */
  readonly spare: SpareTab;
  readonly contexts: AccountContexts;
  readonly stopGuarding: () => void;
  /** Aborted when a tab does not open or close in time, with the error for pages that have no tab yet. */
  readonly stuck: AbortController;
  /** Pages that have a tab, or wait for one. */
  pages: number;
  /** Their tabs, and tabs in cleaning or closing after a page. */
  activeTabs: number;
  uses: number;
  isRetired: boolean;
  megabytes: number;
  /** Undefined while the browser is running, and if it ended by itself. */
  end: BrowserEnd | undefined;
  idleTimer: NodeJS.Timeout | undefined;
}

const CLOSE_TAB_TIMEOUT_MS = 5_000;
const OPEN_TAB_TIMEOUT_MS = 15_000;
const LOSS_SHOWS_WITHIN_MS = 1_000;
/** A browser that does not answer by then cannot finish any page. */
const ANSWER_TIMEOUT_MS = 2_000;
/** Time that pages have in a browser with a stuck tab. */
const FINISH_WITHIN_MS = LIMITS.defaultBrowserTimeoutMs;

/**
 * Lends tabs of warm browsers: one browser per kind, started when first needed, with a spare tab opened ahead of the next
 * caller. The callers limit how many tabs are in use at once.
 */
export class BrowserPool {
  readonly #deps: BrowserPoolDeps;
  /** The browser of each kind that takes new tabs, or its start. */
  readonly #current = new Map<BrowserKind, Promise<PooledBrowser>>();
  readonly #all = new Set<PooledBrowser>();

  constructor(deps: BrowserPoolDeps) {
    this.#deps = deps;
  }

  /**
   * Runs the work in a tab. The tab is closed afterwards, or its context cleaned for the same account's next page. The work
   * must stop at its signal, which also aborts when the browser exits; work that lost its browser is repeated once in another if it may be.
   * A tab that is stuck leaves the work in other tabs time to finish.
   * Throws the work's error, or SERVICE_UNAVAILABLE.
   */
  async withTab<Result>(
    options: TabOptions,
    signal: AbortSignal,
    work: (tab: Tab, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    for (let isRetry = false; ; isRetry = true) {
      const pooled = await this.#acquireInTime(options.kind, signal);
      try {
        return await this.#workIn(pooled, options, signal, work).finally(() => this.#endPage(pooled));
      } catch (error) {
        if (signal.aborted || !(await wasLost(pooled, error))) throw error;
        if (isRetry || options.mayRepeat?.() === false) {
          throw error instanceof AppError ? error : pooled.browser.gone.reason;
        }
      }
    }
  }

  /** Returns the state of every browser that runs. */
  states(): BrowserState[] {
    return [...this.#all].map(({ kind, browser, activeTabs, megabytes }) => ({
      kind,
      activeTabs,
      megabytes,
      version: browser.version,
    }));
  }

  /** Closes all browsers; work in progress fails. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#current.values());
    for (const pooled of this.#all) pooled.end ??= 'shutdown';
    await Promise.all([...this.#all].map((pooled) => this.#close(pooled)));
  }

  async #workIn<Result>(
    pooled: PooledBrowser,
    options: TabOptions,
    signal: AbortSignal,
    work: (tab: Tab, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const { browser } = pooled;
    const { tab, lent } = await this.#lendTab(pooled, options, signal);
    let isDone = false;
    try {
      const { exhausted, routeFailed } = tab.proxy;
      const tabSignal = AbortSignal.any([signal, browser.gone, exhausted, routeFailed]);
      const result = await work(tab, tabSignal);
      isDone = true;
      return result;
    } finally {
      // The caller does not wait for the tab to close.
      this.#inBackground(isDone && lent ? this.#giveBack(pooled, lent) : this.#closeTab(pooled, tab));
    }
  }

  /** Lends a tab in a context that the account has used, or in a fresh one. */
  async #lendTab(
    pooled: PooledBrowser,
    options: TabOptions,
    signal: AbortSignal,
  ): Promise<{ readonly tab: Tab; readonly lent?: LentContext }> {
    const accountId = options.route ? undefined : options.accountId;
    if (accountId === undefined) return { tab: await this.#openTab(pooled, options, signal) };
    const used = await pooled.contexts.take(accountId, signal);
    const lent = used ?? pooled.contexts.lend(await this.#openTab(pooled, options, signal), accountId);
    return { tab: lent.tab, lent };
  }

  async #giveBack(pooled: PooledBrowser, lent: LentContext): Promise<void> {
    try {
      await pooled.contexts.giveBack(lent);
      if (pooled.isRetired) pooled.contexts.discard();
    } finally {
      this.#release(pooled);
    }
  }

  async #openTab(pooled: PooledBrowser, options: TabOptions, signal: AbortSignal): Promise<Tab> {
    const { browser, spare, stuck } = pooled;
    const open = () => this.#newTab(browser, options);
    // The page does not pay for a spare tab that crashed.
    const opening = (options.route ? undefined : spare.take()?.catch(open)) ?? open();
    const late = signalAfterSilence(OPEN_TAB_TIMEOUT_MS);
    try {
      const tab = await untilAborted(opening, AbortSignal.any([signal, browser.gone, stuck.signal, late]));
      if (!options.route && !pooled.isRetired) spare.prepare();
      return tab;
    } catch (error) {
      // The caller has given up: close the tab as soon as it is open.
      this.#inBackground(
        opening.then(
          (tab) => this.#closeTab(pooled, tab),
          () => this.#release(pooled),
        ),
      );
      if (error !== late.reason) throw error;
      this.#inBackground(this.#endStuck(pooled, 'It did not open a tab in time.'));
      throw stuck.signal.reason;
    }
  }

  #newTab(browser: Browser, { kind, route }: TabOptions): Promise<Tab> {
    const { startProxy, blockedUrls } = this.#deps;
    return openTab(browser, { startProxy: () => startProxy(route), blockedUrls, kind });
  }

  async #closeTab(pooled: PooledBrowser, tab: Tab): Promise<void> {
    try {
      await this.#closeInTime(pooled, tab);
    } finally {
      this.#release(pooled);
    }
  }

  async #closeInTime(pooled: PooledBrowser, tab: Tab): Promise<void> {
    const { browser } = pooled;
    try {
      await untilAborted(
        closeTab(tab),
        AbortSignal.any([browser.gone, signalAfterSilence(CLOSE_TAB_TIMEOUT_MS)]),
      );
    } catch {
      if (!browser.gone.aborted) await this.#endStuck(pooled, 'It did not close a tab in time.');
    }
  }

  async #acquireInTime(kind: BrowserKind, signal: AbortSignal): Promise<PooledBrowser> {
    const acquiring = this.#acquire(kind);
    try {
      return await untilAborted(acquiring, signal);
    } catch (error) {
      // A start that fails after the caller has gone concerns no one: the next caller starts a browser again.
      if (signal.aborted) {
        acquiring
          .then((pooled) => {
            this.#endPage(pooled);
            this.#release(pooled);
          })
          .catch(() => {});
      }
      throw error;
    }
  }

  #acquire(kind: BrowserKind): Promise<PooledBrowser> {
    const current = this.#current.get(kind) ?? this.#start(kind);
    return current.then((pooled) => {
      if (pooled.isRetired || pooled.browser.gone.aborted) {
        if (this.#current.get(kind) === current) this.#current.delete(kind);
        return this.#acquire(kind);
      }
      clearTimeout(pooled.idleTimer);
      pooled.pages += 1;
      pooled.activeTabs += 1;
      pooled.uses += 1;
      if (pooled.uses >= this.#deps.limits.maxUses) this.#retire(pooled, 'uses');
      return pooled;
    });
  }

  #start(kind: BrowserKind): Promise<PooledBrowser> {
    const started = this.#deps.startBrowser({ kind }).then((browser) => this.#add(browser, kind));
    this.#current.set(kind, started);
    started.catch(() => {
      if (this.#current.get(kind) === started) this.#current.delete(kind);
    });
    return started;
  }

  #add(browser: Browser, kind: BrowserKind): PooledBrowser {
    const { limits, logger, blockedUrls } = this.#deps;
    const pooled: PooledBrowser = {
      kind,
      browser,
      spare: new SpareTab({
        open: () => this.#newTab(browser, { kind }),
        close: closeTab,
        onLost: () => logger.warn({ pid: browser.pid }, 'A spare tab was lost before its use.'),
      }),
      contexts: new AccountContexts({
        blockedUrls,
        logger,
        close: (tab) => this.#inBackground(this.#closeInTime(pooled, tab)),
      }),
      stopGuarding: guardMemory(browser, limits, {
        isBusy: () => pooled.activeTabs > 0,
        onTabKilled: (megabytes) =>
          logger.warn({ megabytes }, 'A tab was killed because it used too much memory.'),
        onOverweight: () => this.#retire(pooled, 'memory'),
        onMeasured: (megabytes) => {
          pooled.megabytes = megabytes;
        },
      }),
      stuck: new AbortController(),
      pages: 0,
      activeTabs: 0,
      uses: 0,
      isRetired: false,
      megabytes: 0,
      end: undefined,
      idleTimer: undefined,
    };
    this.#all.add(pooled);
    if (browser.gone.aborted) this.#forget(pooled);
    else browser.gone.addEventListener('abort', () => this.#forget(pooled));
    logger.info({ pid: browser.pid, kind }, 'A browser was started.');
    return pooled;
  }

  #endPage(pooled: PooledBrowser): void {
    pooled.pages -= 1;
    if (pooled.pages === 0 && pooled.stuck.signal.aborted) this.#inBackground(pooled.browser.kill());
  }

  #release(pooled: PooledBrowser): void {
    pooled.activeTabs -= 1;
    // A browser that has exited is forgotten already: nothing may close it later by a process id that is reused.
    if (pooled.activeTabs > 0 || pooled.browser.gone.aborted) return;
    if (pooled.isRetired) this.#inBackground(this.#close(pooled));
    else pooled.idleTimer = setTimeout(() => this.#retire(pooled, 'idle'), this.#deps.limits.idleMs).unref();
  }

  /** Gives the browser no new tabs, and closes it after its last one. */
  #retire(pooled: PooledBrowser, reason: BrowserEnd): void {
    if (pooled.isRetired || pooled.browser.gone.aborted) return;
    pooled.isRetired = true;
    pooled.end ??= reason;
    pooled.contexts.discard();
    if (pooled.activeTabs === 0) this.#inBackground(this.#close(pooled));
  }

  /**
   * Kills a browser with a stuck tab, after its other pages if it answers. It gets no new ones, and those that wait for a tab go to
   * another browser.
   */
  async #endStuck(pooled: PooledBrowser, why: string): Promise<void> {
    const { browser, stuck } = pooled;
    if (stuck.signal.aborted) return;
    stuck.abort(noTab());
    pooled.end ??= 'stuck';
    pooled.isRetired = true;
    pooled.contexts.discard();
    this.#deps.logger.warn(
      { pid: browser.pid, pages: pooled.pages },
      `A browser is stuck and is killed. ${why}`,
    );
    if (pooled.pages === 0 || !(await answers(browser))) return await browser.kill();
    const timer = setTimeout(() => this.#inBackground(browser.kill()), FINISH_WITHIN_MS).unref();
    browser.gone.addEventListener('abort', () => clearTimeout(timer));
  }

  async #close(pooled: PooledBrowser): Promise<void> {
    this.#forget(pooled);
    await pooled.browser.close();
  }

  #forget(pooled: PooledBrowser): void {
    clearTimeout(pooled.idleTimer);
    pooled.stopGuarding();
    pooled.spare.discard();
    pooled.contexts.discard();
    if (this.#all.delete(pooled)) this.#deps.onEnded?.(pooled.end ?? 'crashed');
  }

  #inBackground(cleanup: Promise<unknown>): void {
    inBackground(cleanup, this.#deps.logger, 'Cleaning up a browser failed.');
  }
}

function noTab(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    message: 'The browser did not open a tab for the page.',
    retryAfterSeconds: 1,
  });
}

async function answers({ connection, gone }: Browser): Promise<boolean> {
  return await untilAborted(
    connection.send('Browser.getVersion'),
    AbortSignal.any([gone, signalAfterSilence(ANSWER_TIMEOUT_MS)]),
  ).then(
    () => true,
    () => false,
  );
}

/** Returns whether the page has lost its browser, or got no tab of it. Commands fail a little before the process is gone. */
async function wasLost({ browser: { gone }, stuck }: PooledBrowser, error: unknown): Promise<boolean> {
  if (error instanceof AppError) return error === gone.reason || error === stuck.signal.reason;
  await untilAborted(
    new Promise(() => {}),
    AbortSignal.any([gone, signalAfterSilence(LOSS_SHOWS_WITHIN_MS)]),
  ).catch(() => {});
  return gone.aborted;
}
