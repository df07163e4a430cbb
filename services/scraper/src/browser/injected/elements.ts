/** Most elements of a page that are looked through for shadow roots. */
const MAX_ELEMENTS = 200_000;
/** A busy machine draws late; without any frame nothing moves. */
const FRAME_LIMIT_MS = 1000;

/** A point of the window. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Reads a property through a prototype, where the name of a control could hide it. */
export function readOf<Owner extends object, Name extends keyof Owner>(
  prototype: Owner,
  name: Name,
  object: Owner,
): Owner[Name] {
  return Reflect.get(prototype, name, object);
}

export function shadowOf(element: Element): ShadowRoot | null {
  return readOf(Element.prototype, 'shadowRoot', element);
}

/** Resolves when a frame was drawn. */
export function nextFrame(): Promise<unknown> {
  return new Promise((done) => {
    requestAnimationFrame(done);
    setTimeout(done, FRAME_LIMIT_MS);
  });
}

export function pause(ms: number): Promise<void> {
  return new Promise((done) => void setTimeout(done, ms));
}

/** Returns the document and its open shadow roots, in the order of the page. */
export function rootsOfPage(): (Document | ShadowRoot)[] {
  const roots: (Document | ShadowRoot)[] = [document];
  let left = MAX_ELEMENTS;
  for (const root of roots) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node && left > 0; node = walker.nextNode(), left -= 1) {
      const shadow = shadowOf(node as Element);
      if (shadow) roots.push(shadow);
    }
  }
  return roots;
}

/** Returns the matches of the document; without any, those of its shadow roots. */
export function findAll(selector: string): Element[] {
  const found = [...document.querySelectorAll(selector)];
  if (found.length > 0) return found;
  return rootsOfPage()
    .slice(1)
    .flatMap((root) => [...root.querySelectorAll(selector)]);
}

/** Returns the first match that is shown, else the first one. */
export function findOne(selector: string): Element | undefined {
  const found = findAll(selector);
  return found.find(isShown) ?? found[0];
}

/** Returns the rectangles of an element as drawn; those of its content, if it has no size. */
export function rectsOf(element: Element): DOMRect[] {
  const hasSize = ({ width, height }: DOMRect) => width > 0 && height > 0;
  const rects = [...element.getClientRects()].filter(hasSize);
  if (rects.length > 0) return rects;
  const inner = [...element.querySelectorAll('*')].slice(0, 20).flatMap((each) => [...each.getClientRects()]);
  return inner.filter(hasSize).slice(0, 1);
}

export function isShown(element: Element): boolean {
  const isVisible = element.isConnected && element.checkVisibility({ visibilityProperty: true });
  return isVisible && rectsOf(element).length > 0;
}

/** Returns the node around another one in what is drawn: its slot, its parent, or the host of its shadow root. */
function parentOf(node: Node): Node | null {
  const slot = node instanceof Element ? readOf(Element.prototype, 'assignedSlot', node) : null;
  const around = slot ?? readOf(Node.prototype, 'parentNode', node);
  return around ?? (node instanceof ShadowRoot ? node.host : null);
}

export function holds(outer: Node, inner: Node | null): boolean {
  for (let node = inner; node; node = parentOf(node)) if (node === outer) return true;
  return false;
}

/** Returns the nearest match around an element, also outside of its shadow root. */
export function closestOf(element: Node | null, selector: string): Element | null {
  for (let node = element; node; node = parentOf(node)) {
    if (node instanceof Element && node.matches(selector)) return node;
  }
  return null;
}

/** Returns how an element is named in messages. */
export function describeElement(element: Element): string {
  const { localName, id } = element;
  const name: unknown = readOf(Element.prototype, 'className', element);
  const isNamed = typeof name === 'string' && name.trim() !== '';
  const classes = isNamed ? `.${name.trim().split(/\s+/).slice(0, 2).join('.')}` : '';
  const given: unknown = id;
  return (localName + (typeof given === 'string' && given ? `#${given}` : '') + classes).slice(0, 80);
}

/** Returns the element that an event at a point would meet. */
export function hitAt({ x, y }: Point): Element | null {
  let hit = document.elementFromPoint(x, y);
  for (let shadow = hit && shadowOf(hit); shadow; shadow = hit && shadowOf(hit)) {
    const inner = shadow.elementFromPoint(x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  return hit;
}

/** Tells whether an event on one element is one on the other: inside it, on its label, or on the control around it. */
export function receives(element: Element, hit: Node | null): boolean {
  if (holds(element, hit)) return true;
  const label = closestOf(hit, 'label');
  const isLabel = label instanceof HTMLLabelElement;
  if (isLabel && readOf(HTMLLabelElement.prototype, 'control', label) === element) return true;
  const control = closestOf(element, 'a, button, summary, label, [role=button], [role=link]');
  const isOfControl = control !== null && hit !== null && holds(control, hit);
  return isOfControl && getComputedStyle(element).pointerEvents === 'none';
}

/** Returns the middle of what the window shows of an element. */
export function pointIn(element: Element): Point | undefined {
  for (const rect of rectsOf(element)) {
    const [left, right] = [Math.max(0, rect.left), Math.min(innerWidth, rect.right)];
    const [top, bottom] = [Math.max(0, rect.top), Math.min(innerHeight, rect.bottom)];
    if (right - left > 0 && bottom - top > 0) return { x: (left + right) / 2, y: (top + bottom) / 2 };
  }
  return undefined;
}

export function canScroll(element: Element): boolean {
  const room = element.scrollHeight - element.clientHeight;
  const hasRoom = room > 1 && element.clientHeight > 0;
  return hasRoom && /auto|scroll|overlay/.test(getComputedStyle(element).overflowY);
}
