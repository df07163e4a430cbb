import { collectElements, isCollecting, keptElements, noteChanges, takeCensus } from './collection.ts';
import {
  canScroll,
  findOne,
  isShown,
  nextFrame,
  type Point,
  pointIn,
  readOf,
  receives,
  rootsOfPage,
  shadowOf,
} from './elements.ts';
import {
  checked,
  currentElement,
  inFrame,
  isRadio,
  reach,
  type Seen,
  setCurrent,
  type Use,
} from './reach.ts';

/** Result of a step that the script does. */
interface Done {
  readonly why?: string | undefined;
  readonly isDone?: true | undefined;
  /** True if the field that is ready for keys has no text. */
  readonly isEmpty?: boolean;
}

const GUARDED = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'touchstart', 'touchend'];

let guard: { readonly element: Element; state: 'none' | 'hit' | 'missed' } | undefined;

function onEvent(event: Event): void {
  if (!guard || !event.isTrusted) return;
  if (guard.state === 'none') {
    guard.state = receives(guard.element, event.composedPath()[0] as Node) ? 'hit' : 'missed';
  }
  if (guard.state === 'hit') return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Aims and arms in one call, so that nothing comes between: the next click passes only if it meets the element, which may have moved, or been covered. */
async function reachArmed(selector: string, use: Use, ms: number): Promise<Seen> {
  const seen = await reach(selector, use, ms);
  const element = currentElement();
  if (!seen.isReady || !element) return seen;
  guard = { element, state: 'none' };
  for (const name of GUARDED) window.addEventListener(name, onEvent, { capture: true, passive: false });
  return seen;
}

/** Returns whether the click met the element. */
async function disarm(): Promise<string | undefined> {
  // The click of a tap comes a moment after its touches.
  for (let frames = 0; frames < 20 && guard?.state === 'none'; frames += 1) await nextFrame();
  const state = guard?.state;
  guard = undefined;
  for (const name of GUARDED) window.removeEventListener(name, onEvent, { capture: true });
  return state;
}

type Field = HTMLInputElement | HTMLTextAreaElement;

function setValue(element: Field, value: string): void {
  const isArea = element instanceof HTMLTextAreaElement;
  const prototype = isArea ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(element, value);
  noteInput(element);
}

function noteInput(element: Element): void {
  element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Returns the element that has the focus, also in shadow roots. */
function focusedElement(): Element | null {
  let active = document.activeElement;
  for (let inner = active; inner; inner = shadowOf(inner)?.activeElement ?? null) active = inner;
  return active;
}

const TYPED = /^(text|search|url|tel|email|password|number)$/;

/** Gets a field ready for keys, with its text selected; fields without a text get the value at once. */
function prepareFill(value: string): Done {
  const element = currentElement() as Field;
  element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  const isTyped = !(element instanceof HTMLInputElement) || TYPED.test(element.type);
  if (!isTyped) {
    element.focus();
    setValue(element, value);
    return element.value === '' && value !== '' ? { why: 'refused' } : { isDone: true };
  }
  element.focus();
  if (document.activeElement === null) return { why: 'unfocused' };
  if (element.isContentEditable) getSelection()?.selectAllChildren(element);
  else element.select();
  return { isEmpty: textOfField(element).replace(/\n$/, '') === '' };
}

/**
 * Writes a value in one go, so that it cannot end up in another document: an editing command acts on its own document,
 * whatever has the focus by then, and pages take its events for a person's. Without the focus the value is set.
 */
function fillAtOnce(value: string): Done {
  const element = currentElement() as Field | undefined;
  if (!element?.isConnected) return { why: 'detached' };
  const { why, isDone } = prepareFill(value);
  if (isDone || why === 'refused') return { why, isDone };
  // Commands have no such event; editors that do the input themselves cancel it.
  const init = {
    bubbles: true,
    composed: true,
    cancelable: true,
    inputType: 'insertText',
    data: value,
  };
  if (!element.dispatchEvent(new InputEvent('beforeinput', init))) return { isDone: true };
  if (!element.isConnected || element.ownerDocument !== document) return { why: 'detached' };
  const mayEdit = document instanceof HTMLDocument && focusedElement() === element;
  if (mayEdit && document.execCommand('insertText', false, value)) return { isDone: true };
  if (element.isContentEditable) return { why: 'unfocused' };
  setValue(element, value);
  return { isDone: true };
}

function textOfField(element: Field): string {
  return element.isContentEditable ? element.innerText : element.value;
}

function isFilled(): boolean {
  const element = currentElement() as Field;
  return !element.isConnected || textOfField(element) !== '';
}

/** Chooses an option as a person does, with the events that follow. */
function choose(value: string): Done {
  const select = currentElement();
  if (!(select instanceof HTMLSelectElement)) return { why: 'detached' };
  const options = [...select.options];
  const text = (each: HTMLOptionElement) => each.label.trim().replace(/\s+/g, ' ');
  const option =
    options.find((each) => each.value === value) ?? options.find((each) => text(each) === value.trim());
  if (!option) return { why: 'no option' };
  if (option.matches(':disabled')) return { why: 'disabled option' };
  if (option.selected && select.selectedOptions.length === 1) return { isDone: true };
  select.focus();
  for (const each of options) if (each !== option) each.selected = false;
  option.selected = true;
  noteInput(select);
  return { isDone: true };
}

function pageScroller(): Element {
  return document.scrollingElement ?? document.documentElement;
}

/** Returns what `scroll` moves: the named element, or one in it; the page; or its largest part that scrolls. */
function scrollerOf(selector: string | null): Element | undefined {
  if (selector !== null) {
    const named = findOne(selector);
    if (!named || canScroll(named)) return named;
    return [...named.querySelectorAll('*')].find(canScroll) ?? named;
  }
  const page = pageScroller();
  const hasRoom = page.scrollHeight - page.clientHeight > 1;
  if (hasRoom && getComputedStyle(page).overflowY !== 'hidden') return page;
  const area = (each: Element) => each.clientWidth * each.clientHeight;
  const parts = rootsOfPage()
    .flatMap((root) => [...root.querySelectorAll('*')])
    .filter((each) => canScroll(each) && isShown(each));
  return parts.reduce((largest, each) => (area(each) > area(largest) ? each : largest), parts[0] ?? page);
}

/** Returns the place of the wheel, and how far it is to the end as it is now. */
function startScroll(selector: string | null): Seen | (Point & Place) {
  const scroller = scrollerOf(selector);
  if (!scroller) return { why: 'absent' };
  const isPage = scroller === pageScroller();
  if (!isPage) scroller.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  setCurrent(scroller);
  const point = isPage ? { x: innerWidth / 2, y: innerHeight / 2 } : pointIn(scroller);
  const page = isPage ? innerHeight : scroller.clientHeight;
  return { ...(point ?? { x: 1, y: 1 }), page, ...placeOfScroll(scroller) };
}

/** Place of something that scrolls. */
interface Place {
  readonly top: number;
  readonly end: number;
  /** Height of what it shows at once. */
  readonly page?: number;
}

function placeOfScroll(element: Element): Place {
  return { top: element.scrollTop, end: element.scrollHeight - element.clientHeight };
}

/** Waits until the wheel has moved the element to a place, and moves it there if the page did not let it. */
async function finishScroll(top: number): Promise<Place | undefined> {
  const element = currentElement();
  if (!element) return undefined;
  let last = element.scrollTop;
  for (let frames = 0; frames < 12 && Math.abs(element.scrollTop - top) > 1; frames += 1) {
    await nextFrame();
    if (frames > 1 && element.scrollTop === last) break;
    last = element.scrollTop;
  }
  if (Math.abs(element.scrollTop - top) > 1) element.scrollTo({ top, behavior: 'instant' });
  await nextFrame();
  if (isCollecting()) takeCensus();
  return placeOfScroll(element);
}

let changes = 0;
let observer: MutationObserver | undefined;
const observed = new WeakSet<Node>();

function observe(): void {
  observer ??= new MutationObserver((records) => {
    changes += records.filter(({ type }) => type !== 'attributes').length;
    noteChanges(records);
  });
  for (const root of rootsOfPage()) {
    if (observed.has(root)) continue;
    observed.add(root);
    observer.observe(root, { childList: true, characterData: true, attributes: true, subtree: true });
  }
}

/** Returns a value that is another one after the page has changed. */
function mark(): string {
  observe();
  const url = readOf(Document.prototype, 'URL', document);
  return [changes, keptElements(), pageScroller().scrollHeight, url].join(' ');
}

/** Keeps the elements that match from now on, whatever becomes of them. */
function collect(selector: string): void {
  observe();
  collectElements(selector);
}

/** Resolves after the running task of the page, and waits at most a tenth of a second longer for an idle moment. */
async function idle(): Promise<true> {
  await new Promise((done) => requestIdleCallback(done, { timeout: 100 }));
  if (isCollecting()) takeCensus();
  return true;
}

/** Everything that steps ask of a document. */
export const HANDS = {
  reach,
  reachArmed,
  disarm,
  prepareFill,
  fillAtOnce,
  isFilled,
  choose,
  checked,
  isRadio,
  startScroll,
  finishScroll,
  mark,
  idle,
  collect,
  element: currentElement,
  inFrame,
  // That of a frame without an address is the one of the page around it, unless it is in a sandbox.
  origin: () => globalThis.origin,
};
