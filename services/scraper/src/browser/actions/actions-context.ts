import type { StepScreenshots, TracedAction } from '@gleaner/contracts';
import type { Tab } from '../tab/open-tab.ts';
import type { PageWatch } from '../tab/page-watch.ts';

/** A secret that may be written into fields of pages of some origins. */
export interface OpenSecret {
  readonly value: string;
  readonly origins: readonly string[];
}

/** Place and limits of actions. */
export interface ActionsContext {
  readonly tab: Tab;
  readonly watch: PageWatch;
  /** Milliseconds since 1970 at which the time of the request is over. */
  readonly deadlineMs: number;
  /** True for a page that is visited as by a phone: clicks are taps. */
  readonly isMobile?: boolean;
  /** Path of the list in the request. */
  readonly path?: string;
  readonly signal: AbortSignal;
  /** Returns a secret that steps name. */
  readonly findSecret?: ((name: string) => OpenSecret | undefined) | undefined;
  /** Called after each step. */
  readonly onStep: (step: TracedAction) => void;
  /** Called with images of the window after steps; without it, none is taken. */
  readonly onScreenshot?: ((screenshot: StepScreenshots[number]) => void) | undefined;
}
