import type { Tab } from '../tab/open-tab.ts';

/** A clean tab of a context that pages of one account have used. */
export interface IdleContext {
  readonly accountId: string;
  readonly tab: Tab;
  /** Pages that the context has had. */
  readonly pages: number;
  readonly openedAtMs: number;
}

/** Pages and time after which every context is closed. */
export const CONTEXT_MAX_PAGES = 50;
export const CONTEXT_MAX_AGE_MS = 120_000;
/** Idle contexts close after this time; each holds a process. */
const IDLE_MS = 10_000;
/** Idle contexts of one browser: of one account, and of all. */
const MAX_PER_ACCOUNT = 6;
const MAX_IDLE = 12;

/** Clean contexts that wait for the next page of their account. They leave this list for a page or to be closed. */
export class IdleContexts {
  readonly #close: (tab: Tab) => void;
  /** The one that has waited longest first. */
  readonly #idle = new Map<IdleContext, NodeJS.Timeout>();

  constructor({ close }: { readonly close: (tab: Tab) => void }) {
    this.#close = close;
  }

  /** Adds a context, or closes it at its limits; contexts over the bounds are closed. */
  add(context: IdleContext): void {
    const { tab, pages, openedAtMs } = context;
    const leftMs = openedAtMs + CONTEXT_MAX_AGE_MS - performance.now();
    if (pages >= CONTEXT_MAX_PAGES || leftMs <= 0) {
      this.#close(tab);
      return;
    }
    const drop = () => this.#drop(context);
    this.#idle.set(context, setTimeout(drop, Math.min(IDLE_MS, leftMs)).unref());
    tab.session.once('Inspector.targetCrashed', drop);
    tab.session.once('Inspector.detached', drop);
    const [oldestOfAccount] = this.#of(context.accountId);
    if (oldestOfAccount && this.#of(context.accountId).length > MAX_PER_ACCOUNT) this.#drop(oldestOfAccount);
    const [oldest] = this.#idle.keys();
    if (oldest && this.#idle.size > MAX_IDLE) this.#drop(oldest);
  }

  /** Removes and returns the context that the account used last; undefined without any. */
  take(accountId: string): IdleContext | undefined {
    const context = this.#of(accountId).at(-1);
    if (context) this.#remove(context);
    return context;
  }

  /** Closes them all. */
  discard(): void {
    for (const context of [...this.#idle.keys()]) this.#drop(context);
  }

  #of(accountId: string): IdleContext[] {
    return [...this.#idle.keys()].filter((context) => context.accountId === accountId);
  }

  #drop(context: IdleContext): void {
    if (this.#remove(context)) this.#close(context.tab);
  }

  #remove(context: IdleContext): boolean {
    clearTimeout(this.#idle.get(context));
    return this.#idle.delete(context);
  }
}
