import { untilAborted } from '@gleaner/contracts';
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
/** Elements around the layer whose names are its own: platforms wrap their layers. */
const MAX_ANCESTORS = 2;
const MAX_NAMES_CHARS = 2000;
const MAX_TEXT_CHARS = 300;
/** Longer layers are pages. */
const MAX_LAYER_CHARS = 3000;

/**
 * Finds the fixed or sticky element in front of the middle of the window that covers most of it, also in closed shadow roots; of a
 * veil without text, the one that lies on it. Never throws for the page's sake.
 */
export async function findFrontLayer(tab: Tab): Promise<FrontLayer | undefined> {
  try {
    return await untilAborted(find(tab), AbortSignal.timeout(LIMIT_MS));
  } catch {
    return undefined;
  }
}

async function find(tab: Tab): Promise<FrontLayer | undefined> {
  const found = await evaluateApart<Found>(tab, `(${LOOK})()`);
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
      functionDeclaration: `function () { return (${LOOK})(this); }`,
      returnByValue: true,
    });
    return (result.value as Exclude<Found, { x: number }>).layer;
  } finally {
    await session.send('DOM.disable');
  }
}

/** A layer, none, or the point at which a closed shadow root shows something. */
type Found = { readonly layer?: FrontLayer } | { readonly x: number; readonly y: number };

/** Looks at the window from the element in the middle of it, or from one inside a closed shadow root there. */
const LOOK = `(given) => {
  const [width, height] = [innerWidth, innerHeight];
  const middle = { x: Math.floor(width / 2), y: Math.floor(height / 2) };
  const at = ({ x, y }) => {
    let found = document.elementFromPoint(x, y);
    for (let depth = 0; depth < 20 && found?.shadowRoot; depth++) {
      const inner = found.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === found) break;
      found = inner;
    }
    return found;
  };
  const outside = (node) => node.parentNode ?? node.host ?? null;
  const chainOf = (node) => {
    const chain = [];
    for (; node && chain.length < 500; node = outside(node)) if (node instanceof Element) chain.push(node);
    return chain;
  };
  const layerOf = (node) =>
    chainOf(node).find((each) => /^(fixed|sticky)$/.test(getComputedStyle(each).position));
  const textOf = (root) => {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    let text = '';
    for (let count = 0; count < 5000 && text.length < ${MAX_LAYER_CHARS} && texts.nextNode(); count++) {
      const { parentElement, data } = texts.currentNode;
      if (parentElement && /^(SCRIPT|STYLE|TEMPLATE|NOSCRIPT)$/.test(parentElement.tagName)) continue;
      text += data.slice(0, ${MAX_LAYER_CHARS}) + ' ';
    }
    return text.replace(/\\s+/g, ' ').trim();
  };
  const front = given instanceof Element ? given : (given?.parentElement ?? at(middle));
  const isRoot = (each) => each === document.documentElement || each === document.body;
  if (!front || isRoot(front)) return {};
  const layer = layerOf(front);
  const grid = [1, 3, 5].flatMap((x) => [1, 3, 5].map((y) => at({ x: (width * x) / 6, y: (height * y) / 6 })));
  if (!given) {
    const { left, right, top, bottom } = front.getBoundingClientRect();
    const isInside = left <= middle.x && middle.x <= right && top <= middle.y && middle.y <= bottom;
    const isBare = layer !== undefined && layer.shadowRoot === null && layer.childNodes.length === 0;
    if (!isInside || isBare) return middle;
  }
  if (!layer) return {};
  const outer = new Set(chainOf(layer));
  const edges = [1, 3, 5].flatMap((x) => [20, height - 20].map((y) => at({ x: (width * x) / 6, y })));
  const layers = new Set([...grid, ...edges].map((each) => each && layerOf(each)));
  const isOnIt = (each) => each && (chainOf(each).includes(layer) || (given && outer.has(each)) || layerOf(each));
  if (grid.filter(isOnIt).length < 5) return {};
  const shown = textOf(layer) === '' ? [...layers].find((each) => each && textOf(each) !== '') : layer;
  const talking = shown ?? layer;
  const text = textOf(talking);
  const around = chainOf(front);
  const named = around.slice(0, around.indexOf(layer) + 1 + ${MAX_ANCESTORS}).filter((each) => !isRoot(each));
  const names = [...named, talking].map((each) => each.id + ' ' + each.getAttribute('class')).join(' ');
  const isPage = text.length >= ${MAX_LAYER_CHARS} || talking.querySelector('main, article, [role=main]') !== null;
  const answers = 'button, a, input, iframe, [role=button], [onclick]';
  const isDialog = !isPage && talking.querySelector(answers) !== null;
  return { layer: { names: names.slice(0, ${MAX_NAMES_CHARS}), text: text.slice(0, ${MAX_TEXT_CHARS}), isDialog } };
}`;
