import type { ActionValue, Step } from '@gleaner/contracts';
import type { KeyInput } from 'puppeteer-core';
import type { Hands } from './hands.ts';
import { type Obstacle, StepFailed } from './step-failed.ts';

/** Texts of at most this length are typed key by key, as a page that completes them expects. */
const MAX_TYPED = 100;
const RETRY_EVERY_MS = 100;

/** Does one step; `limitMs` is the time to wait for its element. Throws StepFailed when it cannot be done. */
export async function performStep(step: Step, hands: Hands, limitMs?: number): Promise<void> {
  hands.document.enter('frame' in step ? step.frame : undefined);
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

async function fill(
  selector: string,
  given: ActionValue,
  hands: Hands,
  limitMs = hands.patienceMs(),
): Promise<void> {
  if (typeof given !== 'string') return await fillSecret(selector, given, hands, limitMs);
  await hands.reach(selector, 'fill', limitMs);
  const { keyboard } = hands;
  const field = await hands.ask<Fillable>('prepareFill', given);
  if (field?.why) throw new StepFailed(field.why, { selector });
  const isTyped = given.length <= MAX_TYPED && !/[\n\r]/.test(given);
  await hands.act(async () => {
    if (!field || field.isDone) return;
    if (given === '') {
      if (!field.isEmpty) await keyboard.press('Delete');
    } else if (isTyped) await keyboard.type(given);
    else await keyboard.sendCharacter(given);
  });
  if (given !== '') await requireFilled(selector, hands);
}

/** Fills a field without keys, which would go wherever the focus is by then; again, if the field was replaced. */
async function fillSecret(
  selector: string,
  given: ActionValue,
  hands: Hands,
  limitMs: number,
): Promise<void> {
  const untilMs = performance.now() + limitMs;
  for (;;) {
    await hands.reach(selector, 'fill', Math.max(0, untilMs - performance.now()));
    const give = await giverOf(given, selector, hands);
    let field: Fillable | undefined;
    if (give) {
      await hands.act(async () => {
        field = await give('fillAtOnce');
      });
    }
    // Without an answer, the value has led to another document.
    if (give && !field?.why) return await requireFilled(selector, hands);
    if (performance.now() >= untilMs) throw new StepFailed(field?.why ?? 'detached', { selector });
    await hands.pause(RETRY_EVERY_MS);
  }
}

async function requireFilled(selector: string, hands: Hands): Promise<void> {
  if ((await hands.ask<boolean>('isFilled')) === false) throw new StepFailed('refused', { selector });
}

/** Calls a function in the document of a step with a value, and returns its answer. */
type Giver = <Answer>(name: string) => Promise<Answer | undefined>;

/**
 * Returns a function that gives a value to the document of a step: a secret to one document alone, if it may have it.
 * Undefined if that one has gone by now.
 */
async function giverOf(given: ActionValue, selector: string, hands: Hands): Promise<Giver | undefined> {
  if (typeof given === 'string') return (name) => hands.ask(name, given);
  const secret = hands.findSecret(given.secret);
  if (!secret) throw new StepFailed('no secret', { selector });
  const world = await hands.document.findWorld(secret.origins);
  if (world === 'foreign') throw new StepFailed('foreign', { selector });
  return world === undefined ? undefined : (name) => hands.document.askWorld(world, name, secret.value);
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
    const give = await giverOf(given, selector, hands);
    let chosen: { readonly why?: Obstacle } | undefined;
    if (give) {
      await hands.act(async () => {
        chosen = await give('choose');
      });
    }
    if (give && !chosen?.why) return;
    // Options may come late.
    if (performance.now() >= untilMs) throw new StepFailed(chosen?.why ?? 'detached', { selector });
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

/** Length of a scroll as a part of the window; less than one, so every row is shown once. */
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
  const shown = await hands.document.show(start);
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
