import type { Tab } from './open-tab.ts';

/** Dependencies of a `SpareTab`. */
export interface SpareTabDeps {
  readonly open: () => Promise<Tab>;
  readonly close: (tab: Tab) => Promise<void>;
  /** Called when it crashed, or could not be opened, before its use. */
  readonly onLost: () => void;
}

/**
 * A tab that is opened ahead of its use, since opening one takes longer than loading most pages. It is unused: it is taken
 * once and never comes back.
 */
export class SpareTab {
  readonly #deps: SpareTabDeps;
  #opening: Promise<Tab> | undefined;

  constructor(deps: SpareTabDeps) {
    this.#deps = deps;
  }

  /** Starts to open one, unless there is one. */
  prepare(): void {
    if (this.#opening) return;
    const opening = this.#deps.open();
    this.#opening = opening;
    const drop = () => {
      if (this.#opening !== opening) return;
      this.#opening = undefined;
      this.#close(opening);
      this.#deps.onLost();
    };
    opening.then(({ session }) => {
      session.once('Inspector.targetCrashed', drop);
      session.once('Inspector.detached', drop);
    }, drop);
  }

  /** Returns the prepared tab, which may still be opening; undefined when none was prepared. */
  take(): Promise<Tab> | undefined {
    const opening = this.#opening;
    this.#opening = undefined;
    return opening;
  }

  /** Closes it unused, in the background. */
  discard(): void {
    const opening = this.take();
    if (opening) this.#close(opening);
  }

  #close(opening: Promise<Tab>): void {
    opening.then(this.#deps.close).catch(() => {
      // It was never opened, or its browser has exited.
    });
  }
}
