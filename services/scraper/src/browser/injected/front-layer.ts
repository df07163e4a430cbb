import type { LayerLimits } from './options.ts';

/** Looks at the window from the element in the middle of it, or from one inside a closed shadow root there. */
export function lookForLayer(limits: LayerLimits, given?: Node) {
  const [width, height] = [innerWidth, innerHeight];
  const middle = { x: Math.floor(width / 2), y: Math.floor(height / 2) };
  const front = given instanceof Element ? given : (given?.parentElement ?? elementAt(middle));
  if (!front || isRoot(front)) return {};
  const layer = layerOf(front);
  if (!given && !isSeen(front, layer, middle)) return middle;
  if (!layer) return {};
  const grid = [1, 3, 5].flatMap((x) =>
    [1, 3, 5].map((y) => elementAt({ x: (width * x) / 6, y: (height * y) / 6 })),
  );
  const outer = new Set(chainOf(layer));
  const isOnIt = (each: Element | null) =>
    each && (chainOf(each).includes(layer) || (given && outer.has(each)) || layerOf(each));
  if (grid.filter(isOnIt).length < 5) return {};
  const edges = [1, 3, 5].flatMap((x) => [20, height - 20].map((y) => elementAt({ x: (width * x) / 6, y })));
  const layers = new Set([...grid, ...edges].map((each) => each && layerOf(each)));
  const isVeil = textOf(layer, limits) === '';
  const shown = isVeil ? [...layers].find((each) => each && textOf(each, limits) !== '') : layer;
  return { layer: describe({ front, layer, talking: shown ?? layer }, limits) };
}

function elementAt({ x, y }: { readonly x: number; readonly y: number }): Element | null {
  let found = document.elementFromPoint(x, y);
  for (let depth = 0; depth < 20 && found?.shadowRoot; depth++) {
    const inner = found.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === found) break;
    found = inner;
  }
  return found;
}

function isRoot(each: Element): boolean {
  return each === document.documentElement || each === document.body;
}

/** Returns true unless a closed shadow root shows something in the middle of the window. */
function isSeen(
  front: Element,
  layer: Element | undefined,
  { x, y }: { readonly x: number; readonly y: number },
): boolean {
  const { left, right, top, bottom } = front.getBoundingClientRect();
  const isInside = left <= x && x <= right && top <= y && y <= bottom;
  const isBare = layer !== undefined && layer.shadowRoot === null && layer.childNodes.length === 0;
  return isInside && !isBare;
}

/** Returns a node and those around it, also outside of its shadow root, from the inside to the outside. */
function chainOf(inner: Node): Element[] {
  const chain: Element[] = [];
  for (let node: Node | null = inner; node && chain.length < 500; node = outside(node))
    if (node instanceof Element) chain.push(node);
  return chain;
}

function outside(node: Node): Node | null {
  return node.parentNode ?? (node instanceof ShadowRoot ? node.host : null);
}

function layerOf(node: Node): Element | undefined {
  return chainOf(node).find((each) => /^(fixed|sticky)$/.test(getComputedStyle(each).position));
}

function textOf(root: Node, { maxLayerChars }: LayerLimits): string {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  let text = '';
  for (let count = 0; count < 5000 && text.length < maxLayerChars && texts.nextNode(); count++) {
    const { parentElement, data } = texts.currentNode as Text;
    if (parentElement && /^(SCRIPT|STYLE|TEMPLATE|NOSCRIPT)$/.test(parentElement.tagName)) continue;
    text += `${data.slice(0, maxLayerChars)} `;
  }
  return text.replace(/\s+/g, ' ').trim();
}

/** Element in the middle, the layer that it is in, and the one with text. */
interface Found {
  readonly front: Element;
  readonly layer: Element;
  readonly talking: Element;
}

const ANSWERS = 'button, a, input, iframe, [role=button], [onclick]';

function describe({ front, layer, talking }: Found, limits: LayerLimits) {
  const text = textOf(talking, limits);
  const around = chainOf(front);
  const named = around
    .slice(0, around.indexOf(layer) + 1 + limits.maxAncestors)
    .filter((each) => !isRoot(each));
  const names = [...named, talking].map((each) => `${each.id} ${each.getAttribute('class')}`).join(' ');
  const isPage =
    text.length >= limits.maxLayerChars || talking.querySelector('main, article, [role=main]') !== null;
  return {
    names: names.slice(0, limits.maxNamesChars),
    text: text.slice(0, limits.maxTextChars),
    isDialog: !isPage && talking.querySelector(ANSWERS) !== null,
  };
}
