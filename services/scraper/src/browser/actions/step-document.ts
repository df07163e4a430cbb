import { signalAfterSilence, untilAborted } from '@gleaner/contracts';
import { callApart, createWorld, DocumentReplaced } from '../tab/evaluate-apart.ts';
import { findFrame } from '../tab/frames.ts';
import type { Tab } from '../tab/open-tab.ts';
import type { PageWatch } from '../tab/page-watch.ts';
import { callHands, ELEMENT } from './page-hands.ts';
import type { Obstacle } from './step-failed.ts';

/** Place of a step after its start, and its obstacle, if any. */
export interface Seen extends Point {
  /** Selector of the frame around the element that the obstacle is one of. */
  readonly frame?: string;
  readonly isReady?: boolean;
  readonly why?: Obstacle;
  readonly by?: string;
}

/** Place in a window. */
interface Point {
  readonly x?: number;
  readonly y?: number;
}

/** Kinds of steps by what they need of their element. */
export type Kind = 'frame' | 'there' | 'click' | 'hover' | 'fill' | 'select' | 'toggle' | 'scroll';

/** Longest part of a wait that is spent inside one document before the page is asked again. */
export const LOOK_MS = 500;
/** Time for an answer from a frame. */
const FRAME_LIMIT_MS = LOOK_MS + 4000;

/** The document of a step: the outermost one, or that of a frame. */
export class StepDocument {
  readonly #tab: Tab;
  readonly #watch: PageWatch;
  /** Selectors of the frames in which steps are done, the outermost first, and the ids of those that were found. */
  #frames: readonly string[] = [];
  #ids: readonly string[] = [];

  constructor(tab: Tab, watch: PageWatch) {
    this.#tab = tab;
    this.#watch = watch;
  }

  /** True while a frame is entered and was found. */
  get isInFrame(): boolean {
    return this.#ids.length > 0;
  }

  /** Goes to the frame that a step names, or back to the outermost document. */
  enter(selectors: string | readonly string[] = []): void {
    this.#frames = typeof selectors === 'string' ? [selectors] : selectors;
    this.#ids = [];
  }

  /** Returns the answer of the script in the document of the step. */
  async ask<Value>(name: string, ...args: readonly unknown[]): Promise<Value | undefined> {
    const isFound = this.#ids.length === this.#frames.length;
    return await this.#askIn<Value>(isFound ? this.#ids.at(-1) : undefined, name, ...args);
  }

  /** Returns the answer of the script in the isolated world of a document. */
  async askWorld<Value>(world: number, name: string, ...args: readonly unknown[]): Promise<Value> {
    return await callApart<Value>(this.#tab, world, { code: callHands(), args: [name, ...args] });
  }

  /** Returns the answer of the script in the outermost document; undefined if another document takes its place before. */
  async askPage<Value>(name: string, ...args: readonly unknown[]): Promise<Value | undefined> {
    return await this.#watch.whileItStays(async () =>
      this.askWorld<Value>(await createWorld(this.#tab, this.#tab.targetId), name, ...args),
    );
  }

  /** Looks for an element. What is seen in a frame is where the window shows it. */
  async look(name: string, selector: string, kind: Kind, ms: number): Promise<Seen | undefined> {
    if (this.#frames.length === 0) return await this.askPage(name, selector, kind, ms);
    const found = await this.#findFrames(ms);
    if (!found?.isReady) return found;
    const inner = await this.ask<Seen>('reach', selector, kind, ms);
    if (!inner?.isReady || inner.x === undefined || inner.y === undefined) return inner;
    const shown = await this.show(inner);
    if (!shown?.isReady || name === 'reach') return shown;
    const again = await this.ask<Seen>(name, selector, kind, ms);
    if (!again?.isReady) return again;
    const [left, top] = [(shown.x ?? 0) - inner.x, (shown.y ?? 0) - inner.y];
    return { ...again, x: (again.x ?? 0) + left, y: (again.y ?? 0) + top };
  }

  /** Returns where the window of the tab shows a point of the document, after scrolling if it must. */
  async show(point: Point): Promise<Seen | undefined> {
    let shown: Seen | undefined = { isReady: true, ...point };
    for (const [outward, selector] of this.#frames.toReversed().entries()) {
      const around = this.#ids[this.#frames.length - outward - 2];
      shown = await this.#askIn<Seen>(around, 'inFrame', shown.x, shown.y);
      if (!shown?.isReady) return shown && { ...shown, frame: selector };
    }
    return shown;
  }

  /**
   * Returns the world of the document, if it and all documents around it are of some origins: it never belongs
   * to another document. Returns "foreign" if one is of another origin, and undefined if one goes away.
   */
  async findWorld(origins: readonly string[]): Promise<number | 'foreign' | undefined> {
    if (this.#ids.length < this.#frames.length) return undefined;
    let world: number | undefined;
    for (const id of [this.#tab.targetId, ...this.#ids]) {
      world = await this.#unlessGone(async () => await createWorld(this.#tab, id));
      if (world === undefined) return undefined;
      const origin = await this.#unlessGone(() => this.askWorld<string>(world ?? 0, 'origin'));
      if (origin === undefined) return undefined;
      if (!origins.includes(origin)) return 'foreign';
    }
    return world;
  }

  /** Finds the frames of the step, each in the document of the one before. Returns the obstacle of one that is not ready. */
  async #findFrames(ms: number): Promise<Seen | undefined> {
    this.#ids = [];
    for (const selector of this.#frames) {
      const seen = await this.#askIn<Seen>(this.#ids.at(-1), 'reach', selector, 'frame', ms);
      if (!seen?.isReady) return seen && { ...seen, frame: selector };
      const id = await this.#watch.whileItStays(() => findFrame(this.#tab, ELEMENT, this.#ids.at(-1)));
      if (id === undefined) return undefined;
      this.#ids = [...this.#ids, id];
    }
    return { isReady: true };
  }

  /** Returns the answer of the script in the document of a frame, which may go away, and then never answers; without one, of the page. */
  async #askIn<Value>(
    id: string | undefined,
    name: string,
    ...args: readonly unknown[]
  ): Promise<Value | undefined> {
    if (id === undefined) return await this.askPage<Value>(name, ...args);
    return await this.#unlessGone(async () =>
      this.askWorld<Value>(await createWorld(this.#tab, id), name, ...args),
    );
  }

  /** Returns a value from the document of a frame; undefined if it goes away, after which it may never answer. */
  async #unlessGone<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
    const inTime = signalAfterSilence(FRAME_LIMIT_MS);
    const isOver = (error: unknown) => inTime.aborted || error instanceof DocumentReplaced;
    return await this.#watch.whileItStays(() =>
      untilAborted<Value | undefined>(work(), inTime).catch((error: unknown) => {
        if (isOver(error)) return undefined;
        throw error;
      }),
    );
  }
}
