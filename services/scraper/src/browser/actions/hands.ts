import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@gleaner/contracts';
import { CdpKeyboard, CdpMouse, CdpTouchscreen } from 'puppeteer-core/internal/cdp/Input.js';
import { settle } from '../tab/settle.ts';
import type { ActionsContext } from './actions-context.ts';
import { type Kind, LOOK_MS, type Seen, StepDocument } from './step-document.ts';
import { mayPass, StepFailed } from './step-failed.ts';

/** Time for the requests of a step; pages that poll never finish theirs. */
const REQUESTS_LIMIT_MS = 3000;
const POLL_EVERY_MS = 10;

/** The keyboard, the mouse and the eyes of a person at one tab. */
export class Hands {
  readonly keyboard: CdpKeyboard;
  readonly mouse: CdpMouse;
  /** Document of the step. */
  readonly document: StepDocument;
  readonly findSecret: NonNullable<ActionsContext['findSecret']>;
  readonly #touchscreen: CdpTouchscreen;
  readonly #context: ActionsContext;

  constructor(context: ActionsContext) {
    const { tab, watch, findSecret = () => undefined } = context;
    // The package types its public and its internal modules apart.
    const session = tab.session as unknown as ConstructorParameters<typeof CdpKeyboard>[0];
    this.keyboard = new CdpKeyboard(session);
    this.mouse = new CdpMouse(session, this.keyboard);
    this.#touchscreen = new CdpTouchscreen(session, this.keyboard);
    this.document = new StepDocument(tab, watch);
    this.findSecret = findSecret;
    this.#context = context;
  }

  /** Returns the answer of the script in the document of the step. */
  async ask<Value>(name: string, ...args: readonly unknown[]): Promise<Value | undefined> {
    return await this.document.ask<Value>(name, ...args);
  }

  /** Returns the time that a step may wait for its element. */
  patienceMs(): number {
    return Math.max(0, Math.min(LIMITS.maxStepMs, (this.#context.deadlineMs - Date.now()) / 2));
  }

  /** Waits until an element is ready for a kind of step; `name` is the call that looks. */
  async reach(selector: string, kind: Kind, limitMs = this.patienceMs(), name = 'reach'): Promise<Seen> {
    const untilMs = performance.now() + limitMs;
    for (;;) {
      const leftMs = untilMs - performance.now();
      const seen = await this.document.look(name, selector, kind, Math.max(0, Math.min(LOOK_MS, leftMs)));
      if (seen?.isReady) return seen;
      const why = seen?.why ?? 'absent';
      const missed = seen?.frame ?? selector;
      if (leftMs <= 0 || !mayPass(why)) throw new StepFailed(why, { selector: missed, by: seen?.by });
      if (!seen) await this.pause(POLL_EVERY_MS);
    }
  }

  async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#context.signal });
  }

  /** Does the input of a step and waits for what it starts. */
  async act(input: () => Promise<unknown>): Promise<void> {
    const { watch } = this.#context;
    const { requests } = watch;
    await watch.whileItStays(async () => void (await input()));
    await this.#rest(requests);
  }

  /** Clicks or taps a point. */
  async click({ x = 0, y = 0 }: Seen): Promise<void> {
    if (this.#context.isMobile) await this.#touchscreen.tap(x, y);
    else await this.mouse.click(x, y);
  }

  /** Returns a value that is another one after the page has changed. */
  async mark(): Promise<string> {
    const inside = this.document.isInFrame ? await this.ask<string>('mark') : '';
    const { navigations } = this.#context.watch;
    return [navigations, await this.document.askPage<string>('mark'), inside].join(' ');
  }

  /** Returns true once the page differs from a mark, and false when it has stayed the same for a time. */
  async changesWithin(before: string, ms: number, everyMs: number): Promise<boolean> {
    const { watch } = this.#context;
    const { requests } = watch;
    for (let untilMs = performance.now() + ms; ; ) {
      if ((await this.mark()) !== before) {
        await this.#rest(requests);
        return true;
      }
      if (watch.hasRequestsSince(requests)) untilMs = performance.now() + ms;
      if (performance.now() >= untilMs) return false;
      await this.pause(everyMs);
    }
  }

  /** Waits for what the input so far has started: another document, or requests for a while. */
  async #rest(requestsBefore: number): Promise<void> {
    const { tab, watch, signal } = this.#context;
    const untilMs = performance.now() + Math.min(REQUESTS_LIMIT_MS, this.patienceMs());
    const { navigations } = watch;
    for (;;) {
      const isIdle = await this.document.askPage<true>('idle');
      const isBusy =
        watch.isNavigating || (watch.hasRequestsSince(requestsBefore) && performance.now() < untilMs);
      if (!isBusy && isIdle && watch.navigations === navigations) return;
      if (watch.navigations !== navigations) break;
      await this.pause(POLL_EVERY_MS);
    }
    await settle(tab, watch, signal);
  }
}
