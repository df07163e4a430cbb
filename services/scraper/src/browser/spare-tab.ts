import type { Tab } from './open-tab.ts';

/** What keeping a spare takes. */
export interface SpareTabDeps {
  readonly open: () => Promise<Tab>;
  readonly close: (tab: Tab) => Promise<void>;
  /** Told when it crashed, or could not be opened, before anybody wanted it. */
  readonly onLost: () => void;
}

/**
 * A tab that is opened before anybody asks for it, since that takes longer than most pages do. Nobody has used it: whoever
 * takes it has it alone, and it never comes back.
 */
export class SpareTab {
  readonly #deps: SpareTabDeps;
  #opening: Promise<Tab> | undefined;

  constructor(deps: SpareTabDeps) {
    this.#deps = deps;
  }

  /** Begins to open one, unless there is one. */
  prepare(): void {
    if (this.#opening) return;
    const opening = this.#deps.open();
    this.#opening = opening;
    const drop = () => {
      if (this.#opening !== opening) return;
      void this.discard();
      this.#deps.onLost();
    };
    opening.then(({ session }) => {
      session.once('Inspector.targetCrashed', drop);
      session.once('Inspector.detached', drop);
    }, drop);
  }

  /** The one that there is, or will be in a moment; undefined when none was prepared. */
  take(): Promise<Tab> | undefined {
    const opening = this.#opening;
    this.#opening = undefined;
    return opening;
  }

  /** Closes it unused. */
  async discard(): Promise<void> {
    const opening = this.take();
    if (!opening) return;
    await opening.then(this.#deps.close).catch(() => {
      // It was never there, or has gone with its browser.
    });
  }
}
