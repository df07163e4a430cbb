import type { HiddenTextOptions } from './options.ts';

/**
 * Keeps the outermost elements with text that the browser does not show for the serialization of the document: those without
 * a box, of no size, or far outside of it. What a reader can open stays, such as closed details and the options of a list, and so
 * does what a script is about to show.
 */
export function findHiddenText({ key, value, maxElements, shownByScripts }: HiddenTextOptions): void {
  const hidden = new Map<Element, string>();
  const { body } = document;
  const waiting: Element[] = body instanceof Element ? [body] : [];
  let count = 0;
  for (let element = waiting.pop(); element && count < maxElements; element = waiting.pop()) {
    count++;
    if (UNREAD.test(element.localName)) continue;
    if (isHidden(element, shownByScripts) && /\S/.test(element.textContent ?? '')) {
      hidden.set(element, value);
      continue;
    }
    if (WHOLE.test(element.localName)) continue;
    const root = Reflect.get(Element.prototype, 'shadowRoot', element);
    for (const holder of root ? [element, root] : [element])
      for (let child = holder.firstElementChild; child; child = child.nextElementSibling) waiting.push(child);
  }
  Reflect.set(globalThis, Symbol.for(key), hidden);
}

/** Elements of code, drawings and media, and the brackets around readings of words for browsers without ruby. */
const UNREAD = /^(script|style|template|noscript|svg|math|rp|object|video|audio)$/i;
/** Elements to show or to hide with all their content. */
const WHOLE = /^(select|iframe)$/i;

function isHidden(element: Element, shownByScripts: readonly string[]): boolean {
  if (!element.checkVisibility()) return !isBoxless(element) && !isFolded(element);
  if (isTransparent(element)) return !shownByScripts.some((name) => element.hasAttribute(name));
  const { width, height, right, bottom } = element.getBoundingClientRect();
  const isTiny = width <= 1 || height <= 1;
  const isFar = right + scrollX <= FAR_PX || bottom + scrollY <= FAR_PX;
  if (!isTiny && !isFar && !hasFarText(element)) return isInvisible(element) && !showsItself(element);
  if (isInvisible(element)) return !showsItself(element);
  const { overflow, position, clipPath, clip, fontSize } = getComputedStyle(element);
  if (isFar) return /^(absolute|fixed)$/.test(position);
  if (width <= 1 && height <= 1)
    return /hidden|clip/.test(overflow) || clip !== 'auto' || clipPath !== 'none';
  return hasFarText(element) || (Number.parseFloat(fontSize) === 0 && element.firstElementChild === null);
}

/** Distance to the left or above that no window reaches, in pixels. */
const FAR_PX = -500;

/** Returns true for an element without a box of its own around its content. */
function isBoxless(element: Element): boolean {
  return getComputedStyle(element).display === 'contents';
}

/** Returns true for what stands in a closed `details`: a click shows it. */
function isFolded(element: Element): boolean {
  const folder = element.closest('details:not([open])');
  return (
    folder !== null &&
    folder !== element &&
    folder.checkVisibility() &&
    getComputedStyle(element).display !== 'none'
  );
}

/** Returns true for an element that is transparent for good. */
function isTransparent(element: Element): boolean {
  if (element.checkVisibility({ opacityProperty: true })) return false;
  const { opacity, transform, translate, scale, willChange, animationName, transitionDuration } =
    getComputedStyle(element);
  const isMoving = [transform, translate, scale, animationName].some((value) => value !== 'none');
  return opacity === '0' && !isMoving && willChange === 'auto' && /^0s(, 0s)*$/.test(transitionDuration);
}

/** Returns true if the first line stands far outside; elements within a line have no indent. */
function hasFarText(element: Element): boolean {
  const { display, textIndent } = getComputedStyle(element);
  return display !== 'inline' && Number.parseFloat(textIndent) <= FAR_PX;
}

function isInvisible(element: Element): boolean {
  return /hidden|collapse/.test(getComputedStyle(element).visibility);
}

/** Returns true if an element inside is visible although this one is not. */
function showsItself(element: Element): boolean {
  return [...element.querySelectorAll('*')].some((each) => getComputedStyle(each).visibility === 'visible');
}
