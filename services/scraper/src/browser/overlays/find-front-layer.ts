import { signalAfterSilence, untilAborted } from '@gleaner/contracts';
import type { LayerLimits } from '../injected/options.ts';
import { callInjected, loadInjected } from '../load-injected.ts';
import { createWorld, evaluateApart } from '../tab/evaluate-apart.ts';
import type { Tab } from '../tab/open-tab.ts';

/** An element that stays in front of the page while it scrolls, and covers most of the window. */
export interface FrontLayer {
  /** Ids and classes of what is in the middle of the window, from the inside to the outside. */
  readonly names: string;
  /** Beginning of its text. */
  readonly text: string;
  /** True if there is something to answer with, and the layer is not what the page itself is made of. */
  readonly isDialog: boolean;
}

/** Time for all of it: a page that is too busy is read without. */
const LIMIT_MS = 1000;
const LIMITS: LayerLimits = {
  maxAncestors: 2,
  maxNamesChars: 2000,
  maxTextChars: 300,
  maxLayerChars: 3000,
};
const look = () => callInjected('front-layer.ts', 'lookForLayer', LIMITS);
/** The same from the element that it is a method of. */
const lookFrom = () =>
  `function () {${loadInjected('front-layer.ts')}\nreturn lookForLayer(${JSON.stringify(LIMITS)}, this);}`;

/**
 * Finds the fixed or sticky element in front of the middle of the window that covers most of it, also in closed shadow roots; of a
 * veil without text, the one that lies on it. Never throws for the page's sake.
 */
export async function findFrontLayer(tab: Tab): Promise<FrontLayer | undefined> {
  try {
    return await untilAborted(find(tab), signalAfterSilence(LIMIT_MS));
  } catch {
    return undefined;
  }
}

async function find(tab: Tab): Promise<FrontLayer | undefined> {
  const found = await evaluateApart<Found>(tab, look());
  if (!('x' in found)) return found.layer;
  // What a closed shadow root shows is known to the browser alone.
  const { session } = tab;
  await session.send('DOM.enable');
  try {
    const { backendNodeId } = await session.send('DOM.getNodeForLocation', {
      ...found,
      ignorePointerEventsNone: true,
    });
    const executionContextId = await createWorld(tab, tab.targetId);
    const { object } = await session.send('DOM.resolveNode', { backendNodeId, executionContextId });
    if (object.objectId === undefined) return undefined;
    const { result } = await session.send('Runtime.callFunctionOn', {
      objectId: object.objectId,
      functionDeclaration: lookFrom(),
      returnByValue: true,
    });
    return (result.value as Exclude<Found, { x: number }>).layer;
  } finally {
    await session.send('DOM.disable');
  }
}

/** A layer, none, or the point at which a closed shadow root shows something. */
type Found = { readonly layer?: FrontLayer } | { readonly x: number; readonly y: number };
