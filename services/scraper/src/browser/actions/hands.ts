import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS, untilAborted } from '@gleaner/contracts';
import { CdpKeyboard, CdpMouse, CdpTouchscreen } from 'puppeteer-core/internal/cdp/Input.js';
import { DocumentReplaced, evaluateApart } from '../tab/evaluate-apart.ts';
import { findFrame } from '../tab/frames.ts';
import { settle } from '../tab/settle.ts';
import { call } from './page-hands.ts';
import type { ActionsContext } from './run-actions.ts';
import { mayPass, type Obstacle, StepFailed } from './step-failed.ts';

/** A step that was started: where it is, and what may hinder it. */
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
const LOOK_MS = 500;
/** Time for requests that a step has started; pages that poll never finish theirs. */
const REQUESTS_LIMIT_MS = 3000;
const POLL_EVERY_MS = 10;
/** Time for an answer from a frame. */
const FRAME_LIMIT_MS = LOOK_MS + 4000;

/** The keyboard, the mouse and the eyes of a person at one tab. */
export type Hands = ReturnType<typeof createHands>;

export function createHands({
  tab,
  watch,
  deadlineMs,
  isMobile = false,
  findSecret = () => undefined,
  signal,
}: ActionsContext) {
  // The package types its public and its internal modules apart.
  const session = tab.session as unknown as ConstructorParameters<typeof CdpKeyboard>[0];
  const keyboard = new CdpKeyboard(session);
  const mouse = new CdpMouse(session, keyboard);
  const touchscreen = new CdpTouchscreen(session, keyboard);

  /** Selectors of the frames in which steps are done, the outermost first, and the ids of those that were found. */
  let frames: readonly string[] = [];
  let ids: readonly string[] = [];

  /** Returns the answer of the script in the outermost document; undefined if another document takes its place before. */
  const askPage = <Value>(name: string, ...args: readonly unknown[]) =>
    watch.whileItStays(() => evaluateApart<Value>(tab, call(name, ...args)));

  /** Returns the answer of the script in the document of a frame, which may go away, and then never answers; without one, of the page. */
  async function askIn<Value>(
    id: string | undefined,
    name: string,
    ...args: readonly unknown[]
  ): Promise<Value | undefined> {
    if (id === undefined) return await askPage<Value>(name, ...args);
    const answer = evaluateApart<Value>(tab, call(name, ...args), id);
    const inTime = AbortSignal.timeout(FRAME_LIMIT_MS);
    const isOver = (error: unknown) => inTime.aborted || error instanceof DocumentReplaced;
    return await watch.whileItStays(() =>
      untilAborted<Value | undefined>(answer, inTime).catch((error: unknown) => {
        if (isOver(error)) return undefined;
        throw error;
      }),
    );
  }

  /** Returns the answer of the script in the document of the step. */
  const ask = <Value>(name: string, ...args: readonly unknown[]) =>
    askIn<Value>(ids.length === frames.length ? ids.at(-1) : undefined, name, ...args);

  /** Finds the frames of the step, each in the document of the one before. Returns the obstacle of one that is not ready. */
  async function findFrames(ms: number): Promise<Seen | undefined> {
    ids = [];
    for (const selector of frames) {
      const seen = await askIn<Seen>(ids.at(-1), 'reach', selector, 'frame', ms);
      if (!seen?.isReady) return seen && { ...seen, frame: selector };
      const id = await watch.whileItStays(() => findFrame(tab, call('element'), ids.at(-1)));
      if (id === undefined) return undefined;
      ids = [...ids, id];
    }
    return { isReady: true };
  }

  /** Returns where the window of the tab shows a point of the document of the step, after scrolling if it must. */
  async function show(point: Point): Promise<Seen | undefined> {
    let shown: Seen | undefined = { isReady: true, ...point };
    for (const [outward, selector] of frames.toReversed().entries()) {
      shown = await askIn<Seen>(ids[frames.length - outward - 2], 'inFrame', shown.x, shown.y);
      if (!shown?.isReady) return shown && { ...shown, frame: selector };
    }
    return shown;
  }

  /** Looks for an element in the document of the step. What is seen in a frame is where the window shows it. */
  async function look(name: string, selector: string, kind: Kind, ms: number): Promise<Seen | undefined> {
    if (frames.length === 0) return await askPage(name, selector, kind, ms);
    const found = await findFrames(ms);
    if (!found?.isReady) return found;
    const inner = await ask<Seen>('reach', selector, kind, ms);
    if (!inner?.isReady || inner.x === undefined || inner.y === undefined) return inner;
    const shown = await show(inner);
    if (!shown?.isReady || name === 'reach') return shown;
    const again = await ask<Seen>(name, selector, kind, ms);
    if (!again?.isReady) return again;
    const [left, top] = [(shown.x ?? 0) - inner.x, (shown.y ?? 0) - inner.y];
    return { ...again, x: (again.x ?? 0) + left, y: (again.y ?? 0) + top };
  }

  /** Returns the time that a step may wait for its element. */
  const patienceMs = () => Math.max(0, Math.min(LIMITS.maxStepMs, (deadlineMs - Date.now()) / 2));

  /** Waits until an element is ready for a kind of step; `name` is the call that looks. */
  async function reach(selector: string, kind: Kind, limitMs = patienceMs(), name = 'reach'): Promise<Seen> {
    const untilMs = performance.now() + limitMs;
    for (;;) {
      const leftMs = untilMs - performance.now();
      const seen = await look(name, selector, kind, Math.max(0, Math.min(LOOK_MS, leftMs)));
      if (seen?.isReady) return seen;
      const why = seen?.why ?? 'absent';
      const missed = seen?.frame ?? selector;
      if (leftMs <= 0 || !mayPass(why)) throw new StepFailed(why, { selector: missed, by: seen?.by });
      if (!seen) await sleep(POLL_EVERY_MS, undefined, { signal });
    }
  }

  /** Waits for what the input so far has started: another document, or requests for a while. */
  async function rest(requestsBefore: number): Promise<void> {
    const untilMs = performance.now() + Math.min(REQUESTS_LIMIT_MS, patienceMs());
    const { navigations } = watch;
    for (;;) {
      const isIdle = await askPage<true>('idle');
      const isBusy =
        watch.isNavigating || (watch.hasRequestsSince(requestsBefore) && performance.now() < untilMs);
      if (!isBusy && isIdle && watch.navigations === navigations) return;
      if (watch.navigations !== navigations) break;
      await sleep(POLL_EVERY_MS, undefined, { signal });
    }
    await settle(tab, watch, signal);
  }

  return {
    ...{ keyboard, mouse, ask, reach, show, patienceMs, findSecret },

    /** Goes to the frame that a step names, or back to the outermost document. */
    enter(selectors: string | readonly string[] = []): void {
      frames = typeof selectors === 'string' ? [selectors] : selectors;
      ids = [];
    },

    /** Returns the origins of the documents that see what is written: a page can take the focus from its frame. */
    async origins(): Promise<readonly (string | undefined)[]> {
      const origins = [await askPage<string>('origin')];
      for (const id of ids) origins.push(await askIn<string>(id, 'origin'));
      return origins;
    },

    async pause(ms: number): Promise<void> {
      await sleep(ms, undefined, { signal });
    },

    /** Does the input of a step and waits for what it starts. */
    async act(input: () => Promise<unknown>): Promise<void> {
      const { requests } = watch;
      await watch.whileItStays(async () => void (await input()));
      await rest(requests);
    },

    /** Clicks or taps a point. */
    async click({ x = 0, y = 0 }: Seen): Promise<void> {
      if (isMobile) await touchscreen.tap(x, y);
      else await mouse.click(x, y);
    },

    /** Returns a value that is another one after the page has changed. */
    async mark(): Promise<string> {
      const inside = ids.length === 0 ? '' : await ask<string>('mark');
      return [watch.navigations, await askPage<string>('mark'), inside].join(' ');
    },

    /** Returns true once the page differs from a mark, and false when it has stayed the same for a time. */
    async changesWithin(before: string, ms: number, everyMs: number): Promise<boolean> {
      const { requests } = watch;
      for (let untilMs = performance.now() + ms; ; ) {
        if ((await this.mark()) !== before) {
          await rest(requests);
          return true;
        }
        if (watch.hasRequestsSince(requests)) untilMs = performance.now() + ms;
        if (performance.now() >= untilMs) return false;
        await sleep(everyMs, undefined, { signal });
      }
    },
  };
}
