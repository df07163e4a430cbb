import { signalAfterSilence, untilAborted } from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';
import type { Tab } from '../tab/open-tab.ts';
import { confirmUnused, NotClean, replaceTab } from './clean-context.ts';
import { type IdleContext, IdleContexts } from './idle-contexts.ts';
import { type ContextTraces, watchContext } from './watch-context.ts';

/** A tab in the hands of one page, in a context that the account's next page may use. */
export interface LentContext extends IdleContext {
  readonly traces: ContextTraces;
}

/** Dependencies of `AccountContexts`. */
export interface AccountContextsDeps {
  readonly blockedUrls: readonly string[];
  /** Closes a tab with its context, in the background. */
  readonly close: (tab: Tab) => void;
  readonly logger: Pick<Logger, 'debug'>;
}

const CONFIRM_TIMEOUT_MS = 1_000;
const CLEAN_TIMEOUT_MS = 3_000;

/**
 * Contexts of one browser that pages of one account use one after the other. A page never waits for the cleaning after
 * another one: without a clean context it gets a fresh one.
 */
export class AccountContexts {
  readonly #deps: AccountContextsDeps;
  readonly #idle: IdleContexts;

  constructor(deps: AccountContextsDeps) {
    this.#deps = deps;
    this.#idle = new IdleContexts(deps);
  }

  /** Returns a clean context that only this account has used; undefined if none is free. */
  async take(accountId: string, signal: AbortSignal): Promise<LentContext | undefined> {
    const context = this.#idle.take(accountId);
    if (!context) return undefined;
    const { tab } = context;
    const inTime = AbortSignal.any([signal, tab.browser.gone, signalAfterSilence(CONFIRM_TIMEOUT_MS)]);
    try {
      await untilAborted(confirmUnused(tab), inTime);
    } catch (error) {
      this.#abandon(tab, error);
      return undefined;
    }
    tab.proxy.resume();
    return { ...context, traces: watchContext(tab) };
  }

  /** Lends a context that was just opened. */
  lend(tab: Tab, accountId: string): LentContext {
    return { accountId, tab, pages: 0, openedAtMs: performance.now(), traces: watchContext(tab) };
  }

  /** Cleans a context after a page and keeps it for the next one; closes it unless it is confirmed to be clean. */
  async giveBack({ tab, traces, pages, ...context }: LentContext): Promise<void> {
    const inTime = AbortSignal.any([tab.browser.gone, signalAfterSilence(CLEAN_TIMEOUT_MS)]);
    try {
      const next = await untilAborted(replaceTab(tab, traces, this.#deps.blockedUrls), inTime);
      this.#idle.add({ ...context, tab: next, pages: pages + 1 });
    } catch (error) {
      this.#abandon(tab, error);
    }
  }

  /** Closes all contexts that wait for a page. */
  discard(): void {
    this.#idle.discard();
  }

  #abandon(tab: Tab, error: unknown): void {
    const why = error instanceof NotClean ? error.message : 'Cleaning did not finish in time.';
    this.#deps.logger.debug({ err: error }, `A browser context is closed after a page. ${why}`);
    this.#deps.close(tab);
  }
}
