import {
  closestOf,
  describeElement,
  findOne,
  hitAt,
  isShown,
  nextFrame,
  type Point,
  pause,
  pointIn,
  readOf,
  receives,
  rectsOf,
} from './elements.ts';

/** Time for which an element stays where it is before it is used. */
const STILL_MS = 10;
const BLOCKS = ['nearest', 'center', 'start', 'end'] as const;

/** Use of an element; the possible obstacles depend on it. */
export type Use = 'click' | 'hover' | 'fill' | 'select' | 'toggle' | 'frame' | 'scroll' | 'there' | 'label';

/** Obstacle of a step on an element, or the place where it can be done. */
export interface Seen extends Partial<Point> {
  readonly why?: string;
  /** Element that covers it. */
  readonly by?: string;
  readonly isReady?: true;
}

/** Element found by the selector, and the element used for it. */
interface Current {
  readonly element: Element;
  readonly found: Element;
}

let current: Current | undefined;
let tries = 0;

/** Returns the element of the step; undefined before the first one. */
export function currentElement(): Element | undefined {
  return current?.element;
}

/** Makes an element the one of the step. */
export function setCurrent(element: Element): void {
  current = { element, found: element };
}

/** Looks until a person could do the step, for at most a time. */
export async function reach(selector: string, use: Use, ms: number): Promise<Seen> {
  const until = performance.now() + ms;
  tries = 0;
  if (document.pointerLockElement) document.exitPointerLock();
  for (;;) {
    const seen = await look(selector, use);
    if (seen.isReady || performance.now() >= until) return seen;
    await (seen.why === 'absent' || seen.why === 'hidden' ? pause(30) : nextFrame());
  }
}

/** Looks once; waits a frame to see whether the element stays where it is. */
async function look(selector: string, use: Use): Promise<Seen> {
  const found = findOne(selector);
  if (!found) return { why: 'absent' };
  const element = standInFor(found, use);
  const isOwn = found === element;
  const why = obstacleOf(found, isOwn ? use : 'label') ?? (isOwn ? undefined : obstacleOf(element, 'click'));
  if (why !== undefined) return { why };
  current = { element, found };
  if (use === 'there' || use === 'select') return { isReady: true };
  if (use === 'scroll') {
    element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    return { isReady: true };
  }
  const aimed = aim(element);
  const [before, sinceMs] = [boxOf(element), performance.now()];
  while (performance.now() < sinceMs + STILL_MS) await nextFrame();
  // The page's own callbacks of this frame may come after ours.
  await pause(0);
  if (!element.isConnected) return { why: 'detached' };
  if (boxOf(element) !== before) return { why: 'moving' };
  if (use === 'fill' || use === 'frame') return { isReady: true };
  tries += 1;
  return aimed.why === undefined ? aim(element) : aimed;
}

/** Returns a point of the element that is in the window and not covered, after scrolling if it must; else what hinders. */
function aim(element: Element): Seen {
  let point = pointIn(element);
  const isFree = point && receives(element, hitAt(point));
  if (!isFree) {
    const block = BLOCKS[tries % BLOCKS.length] ?? 'nearest';
    element.scrollIntoView({ block, inline: 'nearest', behavior: 'instant' });
    point = pointIn(element);
  }
  if (!point) return { why: 'outside' };
  const hit = hitAt(point);
  if (!hit || !receives(element, hit)) return { why: 'covered', by: hit ? describeElement(hit) : 'nothing' };
  return { isReady: true, ...point };
}

function boxOf(element: Element): string {
  const rect = rectsOf(element)[0];
  return [rect?.x, rect?.y, rect?.width, rect?.height].join();
}

/** Returns the obstacle to a use of an element, apart from its place; undefined without one. */
function obstacleOf(element: Element, use: Use): string | undefined {
  if (use === 'scroll' || use === 'there') return undefined;
  if (use === 'frame' && !isFrame(element)) return 'not a frame';
  if (use === 'fill' && !isEditable(element)) return 'not a field';
  if (use === 'select' && !(element instanceof HTMLSelectElement)) return 'not a select';
  if (use === 'toggle' && isChecked(element) === undefined) return 'not a checkbox';
  if (use !== 'label' && !isShown(element)) return 'hidden';
  if (use !== 'hover' && use !== 'frame' && isDisabled(element)) return 'disabled';
  if (use === 'fill' && isReadOnly(element)) return 'readonly';
  return undefined;
}

function isFrame(element: Element): boolean {
  return element instanceof HTMLIFrameElement || element instanceof HTMLFrameElement;
}

const NO_TEXT = /^(checkbox|radio|file|submit|reset|button|image|hidden)$/;

function isEditable(element: Element): boolean {
  if (element instanceof HTMLElement && element.isContentEditable) return true;
  if (element instanceof HTMLInputElement) return !NO_TEXT.test(element.type);
  return element instanceof HTMLTextAreaElement;
}

function isReadOnly(element: Element): boolean {
  const isLocked = 'readOnly' in element && element.readOnly === true;
  return isLocked || element.getAttribute('aria-readonly') === 'true';
}

function isDisabled(element: Element): boolean {
  return element.matches(':disabled') || closestOf(element, '[aria-disabled=true]') !== null;
}

/** Returns whether a control is checked; undefined for one that cannot be. */
function isChecked(element: Element): boolean | undefined {
  if (element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type)) {
    return readOf(HTMLInputElement.prototype, 'checked', element);
  }
  const state = element.getAttribute('aria-checked') ?? element.getAttribute('aria-pressed');
  return state === null ? undefined : state === 'true';
}

/** Returns the shown label of a hidden control, to be used instead; otherwise the element. */
function standInFor(element: Element, use: Use): Element {
  if (use !== 'toggle' || isShown(element)) return element;
  const labels = 'labels' in element ? (element.labels as NodeListOf<HTMLLabelElement> | null) : null;
  return [...(labels ?? [])].find(isShown) ?? element;
}

/** Returns whether the control of the step is checked. */
export function checked(): boolean | undefined {
  return current && isChecked(current.found);
}

/** Returns whether the control of the step is a radio button. */
export function isRadio(): boolean {
  return current?.found instanceof HTMLInputElement && current.found.type === 'radio';
}

/** Returns where the window shows a point of the frame of the step, after scrolling if it must; else what hinders. */
export function inFrame(x: number, y: number): Seen {
  const frame = currentElement();
  if (!frame) return { why: 'detached' };
  const { paddingLeft, paddingTop } = getComputedStyle(frame);
  const locate = () => {
    const { left, top } = frame.getBoundingClientRect();
    return {
      x: left + frame.clientLeft + Number.parseFloat(paddingLeft) + x,
      y: top + frame.clientTop + Number.parseFloat(paddingTop) + y,
    };
  };
  const isOutside = (at: Point) => at.x < 0 || at.y < 0 || at.x >= innerWidth || at.y >= innerHeight;
  let point = locate();
  if (isOutside(point)) {
    scrollBy({ left: point.x - innerWidth / 2, top: point.y - innerHeight / 2, behavior: 'instant' });
    point = locate();
  }
  if (isOutside(point)) return { why: 'outside' };
  const hit = hitAt(point);
  if (hit === frame) return { isReady: true, ...point };
  return { why: 'covered', by: hit ? describeElement(hit) : 'nothing' };
}
