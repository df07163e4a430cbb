import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@gleaner/contracts';
import { CdpKeyboard, CdpMouse, CdpTouchscreen } from 'puppeteer-core/internal/cdp/Input.js';
import { evaluateApart } from '../tab/evaluate-apart.ts';
import { settle } from '../tab/settle.ts';
import { call } from './page-hands.ts';
import type { ActionsContext } from './run-actions.ts';
import { mayPass, type Obstacle, StepFailed } from './step-failed.ts';

/** A step that was started: where it is, and what may hinder it. */
export interface Seen {
  readonly isReady?: boolean;
  readonly why?: Obstacle;
  readonly by?: string;
  readonly x?: number;
  readonly y?: number;
}

/** Kinds of steps by what they need of their element. */
export type Kind = 'there' | 'click' | 'hover' | 'fill' | 'select' | 'toggle' | 'scroll';

/** Longest part of a wait that is spent inside one document before the page is asked again. */
const LOOK_MS = 500;
/** Time for requests that a step has started; pages that poll never finish theirs. */
const REQUESTS_LIMIT_MS = 3000;
const POLL_EVERY_MS = 10;

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

  /** Returns the answer of the script in the page; undefined if another document takes its place before. */
  const ask = <Value>(name: string, ...args: readonly unknown[]) =>
    watch.whileItStays(() => evaluateApart<Value>(tab, call(name, ...args)));

  /** Returns the time that a step may wait for its element. */
  const patienceMs = () => Math.max(0, Math.min(LIMITS.maxStepMs, (deadlineMs - Date.now()) / 2));

  /** Waits until an element is ready for a kind of step; `name` is the call that looks. */
  async function reach(selector: string, kind: Kind, limitMs = patienceMs(), name = 'reach'): Promise<Seen> {
    const untilMs = performance.now() + limitMs;
    for (;;) {
      const leftMs = untilMs - performance.now();
      const seen = await ask<Seen>(name, selector, kind, Math.max(0, Math.min(LOOK_MS, leftMs)));
      if (seen?.isReady) return seen;
      const why = seen?.why ?? 'absent';
      if (leftMs <= 0 || !mayPass(why)) throw new StepFailed(why, { selector, by: seen?.by });
      if (!seen) await sleep(POLL_EVERY_MS, undefined, { signal });
    }
  }

  /** Waits for what the input so far has started: another document, or requests for a while. */
  async function rest(requestsBefore: number): Promise<void> {
    const untilMs = performance.now() + Math.min(REQUESTS_LIMIT_MS, patienceMs());
    const { navigations } = watch;
    for (;;) {
      const isIdle = await ask<true>('idle');
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
      return `${watch.navigations} ${(await ask<string>('mark')) ?? ''}`;
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
