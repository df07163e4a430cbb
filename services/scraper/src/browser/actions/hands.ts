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
export interface Seen {
  /** The obstacle is one of the frame around the element. */
  readonly isOfFrame?: boolean;
  readonly isReady?: boolean;
  readonly why?: Obstacle;
  readonly by?: string;
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

  /** Selector of the frame in which steps are done, and its id once it was found; without a selector, the outermost document. */
  let frame: { readonly selector: string; readonly id?: string } | undefined;

  /** Returns the answer of the script in the outermost document; undefined if another document takes its place before. */
  const askPage = <Value>(name: string, ...args: readonly unknown[]) =>
    watch.whileItStays(() => evaluateApart<Value>(tab, call(name, ...args)));

  /** Returns the answer of the script in the document of the step. A frame may go away, and then never answers. */
  async function ask<Value>(name: string, ...args: readonly unknown[]): Promise<Value | undefined> {
    if (frame?.id === undefined) return await askPage<Value>(name, ...args);
    const answer = evaluateApart<Value>(tab, call(name, ...args), frame.id);
    const inTime = AbortSignal.timeout(FRAME_LIMIT_MS);
    const isOver = (error: unknown) => inTime.aborted || error instanceof DocumentReplaced;
    return await watch.whileItStays(() =>
      untilAborted<Value | undefined>(answer, inTime).catch((error: unknown) => {
        if (isOver(error)) return undefined;
        throw error;
      }),
    );
  }

  /** Looks for an element in the document of the step. What is seen in a frame is where the window shows it. */
  async function look(name: string, selector: string, kind: Kind, ms: number): Promise<Seen | undefined> {
    if (!frame) return await askPage(name, selector, kind, ms);
    const outer = await askPage<Seen>('reach', frame.selector, 'frame', ms);
    if (!outer?.isReady) return outer && { ...outer, isOfFrame: true };
    const id = await watch.whileItStays(() => findFrame(tab, call('element')));
    if (id === undefined) return undefined;
    frame = { ...frame, id };
    const inner = await ask<Seen>('reach', selector, kind, ms);
    if (!inner?.isReady || inner.x === undefined || inner.y === undefined) return inner;
    const shown = await askPage<Seen>('inFrame', inner.x, inner.y);
    if (!shown?.isReady || name === 'reach') return shown && { ...shown, isOfFrame: !shown.isReady };
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
      const missed = seen?.isOfFrame ? (frame?.selector ?? selector) : selector;
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
    ...{ keyboard, mouse, ask, reach, patienceMs, findSecret },

    /** Goes to the frame that a step names, or back to the outermost document. */
    enter(selector: string | undefined): void {
      frame = selector === undefined ? undefined : { selector };
    },

    /** Returns the origins of the documents that see what is written: a page can take the focus from its frame. */
    async origins(): Promise<readonly (string | undefined)[]> {
      const own = await askPage<string>('origin');
      return frame ? [own, await ask<string>('origin')] : [own];
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
      const inside = frame?.id === undefined ? '' : await ask<string>('mark');
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
