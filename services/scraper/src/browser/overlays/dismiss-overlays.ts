import { type OverlayAction, signalAfterSilence, untilAborted } from '@gleaner/contracts';
import { evaluateApart } from '../tab/evaluate-apart.ts';
import type { Tab } from '../tab/open-tab.ts';
import type { PageWatch } from '../tab/page-watch.ts';
import { rulesFor } from './overlay-rules.ts';
import { HANDLE, overlayScript, UNKNOWN } from './overlay-script.ts';

/** Layers of one document, by the names of their platforms. */
export interface FoundOverlays {
  readonly dismissed: readonly string[];
  readonly left: readonly string[];
}

/** Time for all of it; a quarter of the request's time, if that is less. */
const LIMIT_MS = 8000;
/** Time for code of the library in the world of the page, which calls functions of the page. */
const EVAL_LIMIT_MS = 1000;
/** Layers of one document that are dealt with. */
const MAX_LAYERS = 3;
/** Frames searched for a layer without buttons in the page itself. */
const MAX_FRAMES = 10;

/**
 * Dismisses consent layers of the current document by autoconsent's rules, or by their looks. Never throws for the page's
 * sake: what cannot be dismissed in the time is left. A click that leads to another document counts as done.
 */
export async function dismissOverlays(
  tab: Tab,
  watch: PageWatch,
  { action, url, timeoutMs, signal }: DismissOptions,
): Promise<FoundOverlays> {
  const limit = signalAfterSilence(Math.min(LIMIT_MS, timeoutMs / 4));
  const inTime = AbortSignal.any([signal, limit]);
  const dismissed = new Set<string>();
  let left = new Set<string>();
  const whileThere = <Value>(work: () => Promise<Value>) => untilAborted(watch.whileItStays(work), inTime);
  const ask = <Value>(call: string) => whileThere(() => converse<Value>(tab, call));
  try {
    const names = (await ask<readonly string[]>(overlayScript(rulesFor(url)))) ?? [];
    left = new Set(names.slice(0, MAX_LAYERS));
    for (const [index, name] of [...left].entries()) {
      const state = await ask<LayerState>(`${HANDLE}?.act(${index}, '${action}')`);
      const isReplaced = state === undefined;
      if (state === 'dismissed' || (isReplaced && action !== 'hide')) dismissed.add(name);
      if (state !== 'open' && state !== null) left.delete(name);
      if (isReplaced) break;
      if (state !== 'open' || name !== UNKNOWN || action === 'hide') continue;
      const platform = await whileThere(() => answerInFrame(tab, action));
      if (platform === undefined || !(await ask<boolean>(`${HANDLE}?.isGone(${index})`))) continue;
      dismissed.add(platform);
      left.delete(name);
    }
  } catch {
    if (signal.aborted) throw signal.reason;
    void evaluateApart(tab, `${HANDLE}?.stop()`).catch(() => {});
  }
  return { dismissed: [...dismissed], left: [...left] };
}

/** State of a layer after an action; `closed` if it went away before its turn, such as with another layer. */
type LayerState = 'open' | 'dismissed' | 'closed';

interface DismissOptions {
  readonly action: OverlayAction;
  /** URL of the document. */
  readonly url: string;
  /** Time of the whole request. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Answers the layer whose document is a frame of the page, and returns the name of its platform. */
async function answerInFrame(tab: Tab, action: OverlayAction): Promise<string | undefined> {
  const { frameTree } = await tab.session.send('Page.getFrameTree');
  const frames = (frameTree.childFrames ?? []).slice(0, MAX_FRAMES).map(({ frame }) => frame);
  const names = await Promise.all(
    frames.map(async ({ id, url }) => {
      const found = await converse<readonly string[]>(tab, overlayScript(rulesFor(url)), id).catch(() => []);
      return found?.[0];
    }),
  );
  const index = names.findIndex((name) => name !== undefined);
  if (index < 0) return undefined;
  // The frame goes away with its layer, and then has no answer.
  await converse(tab, `${HANDLE}?.act(0, '${action}')`, frames[index]?.id).catch(() => {});
  return names[index];
}

/** Value of a call, or code of the library that it wants evaluated in the world of the page before it goes on. */
interface Turn<Value> {
  /** Null after an error. */
  readonly value?: Value | null;
  readonly evals?: readonly { readonly id: string; readonly code: string }[];
}

/**
 * Returns the value of a call; undefined if the script is not in the document, since another one came. In frames no code is
 * evaluated in the world of the page.
 */
async function converse<Value>(
  tab: Tab,
  call: string,
  frameId = tab.targetId,
): Promise<Value | null | undefined> {
  const isPage = frameId === tab.targetId;
  let turn = await evaluateApart<Turn<Value> | undefined>(tab, call, frameId);
  while (turn?.evals) {
    const answers = Object.fromEntries(
      await Promise.all(
        turn.evals.map(async ({ id, code }) => [id, isPage && (await evaluateInPage(tab, code))]),
      ),
    );
    turn = await evaluateApart<Turn<Value> | undefined>(
      tab,
      `${HANDLE}?.turn(${JSON.stringify(answers)})`,
      frameId,
    );
  }
  return turn?.value;
}

/** Evaluates code of the library in the world of the page, whose answer may be anything: only its truth is taken. */
async function evaluateInPage({ session }: Tab, code: string): Promise<boolean> {
  const command = { expression: `!!${code}`, timeout: EVAL_LIMIT_MS, returnByValue: true };
  const answer = await session.send('Runtime.evaluate', command).catch(() => undefined);
  return answer?.exceptionDetails === undefined && answer?.result.value === true;
}
