import type { ActionValue, Step } from '@gleaner/contracts';
import type { KeyInput } from 'puppeteer-core';
import type { Hands } from './hands.ts';
import { type Obstacle, StepFailed } from './step-failed.ts';

/** Texts of at most this length are typed key by key, as a page that completes them expects. */
const MAX_TYPED = 100;
const RETRY_EVERY_MS = 100;

/** Does one step; `limitMs` is the time to wait for its element. Throws StepFailed when it cannot be done. */
export async function performStep(step: Step, hands: Hands, limitMs?: number): Promise<void> {
  hands.enter('frame' in step ? step.frame : undefined);
  if ('click' in step) return await click(step.click, hands, limitMs);
  if ('fill' in step) return await fill(step.fill, step.value, hands, limitMs);
  if ('press' in step) return await hands.act(() => press(step.press, hands));
  if ('waitFor' in step) return await wait(step.waitFor, hands, limitMs);
  if ('select' in step) return await choose(step.select, step.value, hands, limitMs);
  if ('check' in step) return await toggle(step.check, true, hands, limitMs);
  if ('uncheck' in step) return await toggle(step.uncheck, false, hands, limitMs);
  if ('hover' in step) return await hover(step.hover, hands, limitMs);
  if ('scroll' in step) return await scroll(step, hands, limitMs);
  await hands.reach(step.collect, 'there', limitMs);
  await hands.ask('collect', step.collect);
}

/** Clicks; again, if the element was no longer there when the click arrived. */
async function click(
  selector: string,
  hands: Hands,
  limitMs = hands.patienceMs(),
  kind: 'click' | 'toggle' = 'click',
): Promise<void> {
  const untilMs = performance.now() + limitMs;
  for (;;) {
    const at = await hands.reach(selector, kind, Math.max(0, untilMs - performance.now()), 'reachArmed');
    // Without a state, the click has led to another document.
    let state: 'hit' | 'missed' | 'none' | undefined;
    await hands.act(async () => {
      await hands.click(at);
      state = await hands.ask('disarm');
    });
    if (state === 'hit' || state === undefined) return;
    if (performance.now() >= untilMs) throw new StepFailed('missed', { selector });
  }
}

async function fill(selector: string, given: ActionValue, hands: Hands, limitMs?: number): Promise<void> {
  await hands.reach(selector, 'fill', limitMs);
  const { keyboard } = hands;
  const value = await textOf(given, selector, hands);
  const field = await hands.ask<Fillable>('prepareFill', value);
  if (field?.why) throw new StepFailed(field.why, { selector });
  // A secret is written at once: another document must not get the rest of its keys.
  const isTyped = typeof given === 'string' && value.length <= MAX_TYPED && !/[\n\r]/.test(value);
  await hands.act(async () => {
    if (!field || field.isDone) return;
    if (value === '') {
      if (!field.isEmpty) await keyboard.press('Delete');
    } else if (isTyped) await keyboard.type(value);
    else await keyboard.sendCharacter(value);
  });
  if (value !== '' && (await hands.ask<boolean>('isFilled')) === false)
    throw new StepFailed('refused', { selector });
}

/** Returns the text of a value; a secret only for a page of an origin that it is for. */
async function textOf(given: ActionValue, selector: string, { origins, findSecret }: Hands): Promise<string> {
  if (typeof given === 'string') return given;
  const secret = findSecret(given.secret);
  if (!secret) throw new StepFailed('no secret', { selector });
  const isForeign = (origin: string | undefined) => origin === undefined || !secret.origins.includes(origin);
  if ((await origins()).some(isForeign)) throw new StepFailed('foreign', { selector });
  return secret.value;
}

/** A field that is ready for keys, or has the value already. */
interface Fillable {
  readonly why?: Obstacle;
  readonly isDone?: boolean;
  readonly isEmpty?: boolean;
}

async function press(keys: string, { keyboard }: Hands): Promise<void> {
  const parts = keys.length > 1 ? keys.split(/\+(?=.)/) : [keys];
  const key = parts.pop() ?? '';
  const modifiers = parts as KeyInput[];
  for (const each of modifiers) await keyboard.down(each);
  await keyboard.press(key as KeyInput);
  for (const each of modifiers.toReversed()) await keyboard.up(each);
}

async function wait(condition: string | number, hands: Hands, limitMs?: number): Promise<void> {
  if (typeof condition === 'string') return void (await hands.reach(condition, 'there', limitMs));
  await hands.pause(condition);
}

async function choose(
  selector: string,
  given: ActionValue,
  hands: Hands,
  limitMs = hands.patienceMs(),
): Promise<void> {
  const untilMs = performance.now() + limitMs;
  for (;;) {
    await hands.reach(selector, 'select', Math.max(0, untilMs - performance.now()));
    const value = await textOf(given, selector, hands);
    let chosen: { readonly why?: Obstacle } | undefined;
    await hands.act(async () => {
      chosen = await hands.ask('choose', value);
    });
    if (!chosen?.why) return;
    // Options may come late.
    if (performance.now() >= untilMs) throw new StepFailed(chosen.why, { selector });
    await hands.pause(RETRY_EVERY_MS);
  }
}

async function toggle(
  selector: string,
  wanted: boolean,
  hands: Hands,
  limitMs = hands.patienceMs(),
): Promise<void> {
  const untilMs = performance.now() + limitMs;
  await hands.reach(selector, 'there', limitMs);
  if ((await hands.ask<boolean>('checked')) === wanted) return;
  if (!wanted && (await hands.ask<boolean>('isRadio'))) throw new StepFailed('a radio button', { selector });
  await click(selector, hands, Math.max(0, untilMs - performance.now()), 'toggle');
  const isWanted = async () => ((await hands.ask<boolean>('checked')) ?? wanted) === wanted;
  while (!(await isWanted())) {
    if (performance.now() >= untilMs) throw new StepFailed('unchanged', { selector });
    await hands.pause(RETRY_EVERY_MS);
  }
}

async function hover(selector: string, hands: Hands, limitMs?: number): Promise<void> {
  const { x = 0, y = 0 } = await hands.reach(selector, 'hover', limitMs);
  await hands.act(() => hands.mouse.move(x, y));
}

interface ScrollStart extends ScrollPlace {
  readonly why?: Obstacle;
  readonly x: number;
  readonly y: number;
  /** Height of the part that is shown. */
  readonly page: number;
}

interface ScrollPlace {
  readonly top: number;
  readonly end: number;
}

/** Part of the window by which a scroll goes on, so that every row is shown once. */
const SCROLL_SHARE = 0.9;

async function scroll(
  { scroll: to, in: within, frame }: Extract<Step, { scroll: string }>,
  hands: Hands,
  limitMs?: number,
) {
  if (to !== 'end') return void (await hands.act(() => hands.reach(to, 'scroll', limitMs)));
  const isInPage = within === undefined && frame === undefined;
  if (!isInPage) await hands.reach(within ?? ':root', 'there', limitMs);
  const start = await hands.ask<ScrollStart>('startScroll', within ?? null);
  if (!start) return;
  if (start.why) throw new StepFailed(start.why, { selector: within ?? to });
  const shown = await hands.show(start);
  if (!shown) return;
  if (shown.why) throw new StepFailed(shown.why, { selector: shown.frame ?? to, by: shown.by });
  const { mouse } = hands;
  const deltaY = Math.max(1, Math.floor(start.page * SCROLL_SHARE));
  await mouse.move(shown.x ?? 0, shown.y ?? 0);
  for (let { top } = start; top < start.end - 1; ) {
    const next = Math.min(top + deltaY, start.end);
    let place: ScrollPlace | undefined;
    await hands.act(async () => {
      await mouse.wheel({ deltaY: next - top });
      place = await hands.ask('finishScroll', next);
    });
    if (!place || place.top <= top) return;
    top = place.top;
  }
}
