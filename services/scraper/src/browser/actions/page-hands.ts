import { COLLECT } from './page-collection.ts';

/** Name of the object that the script leaves in its world. No element of a page can have a symbol as its name. */
const HANDLE = "globalThis[Symbol.for('gleaner.actions')]";

/** Most elements of a page that are looked through for shadow roots. */
const MAX_ELEMENTS = 200_000;

/** Time for which an element stays where it is before it is used. */
const STILL_MS = 10;
/** A busy machine draws late; without any frame nothing moves. */
const FRAME_LIMIT_MS = 1000;

/** Returns the expression of a call in the isolated world of a document, where the script is loaded at the first one. */
export function call(name: string, ...args: readonly unknown[]): string {
  return `(${HANDLE} ??= ${HANDS}).${name}(${args.map((each) => JSON.stringify(each)).join(', ')})`;
}

/**
 * The script that finds the elements of steps and tells whether a person could use them, in the page's isolated world.
 * Properties are read through prototypes where the names of controls could hide them.
 */
const HANDS = `(() => {
  const read = (prototype, name, object) => Reflect.get(prototype, name, object);
  const shadowOf = (element) => read(Element.prototype, 'shadowRoot', element);
  const frame = () => new Promise((done) => {
    requestAnimationFrame(done);
    setTimeout(done, ${FRAME_LIMIT_MS});
  });
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));

  /** The document and its open shadow roots, in the order of the page. */
  const rootsOf = () => {
    const roots = [document];
    let left = ${MAX_ELEMENTS};
    for (const root of roots) {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
      for (let node = walker.nextNode(); node && left > 0; node = walker.nextNode(), left -= 1) {
        const shadow = shadowOf(node);
        if (shadow) roots.push(shadow);
      }
    }
    return roots;
  };
  const findAll = (selector) => {
    const found = [...document.querySelectorAll(selector)];
    if (found.length > 0) return found;
    return rootsOf().slice(1).flatMap((root) => [...root.querySelectorAll(selector)]);
  };
  const rectsOf = (element) => {
    const rects = [...element.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
    if (rects.length > 0) return rects;
    const inner = [...element.querySelectorAll('*')].slice(0, 20).flatMap((each) => [...each.getClientRects()]);
    return inner.filter(({ width, height }) => width > 0 && height > 0).slice(0, 1);
  };
  const isShown = (element) =>
    element.isConnected && element.checkVisibility({ visibilityProperty: true }) && rectsOf(element).length > 0;
  /** The first match that is shown, else the first one. */
  const find = (selector) => {
    const found = findAll(selector);
    return found.find(isShown) ?? found[0];
  };

  const parentOf = (node) => {
    const slot = node instanceof Element ? read(Element.prototype, 'assignedSlot', node) : null;
    return slot ?? read(Node.prototype, 'parentNode', node) ?? (node instanceof ShadowRoot ? node.host : null);
  };
  const holds = (outer, inner) => {
    for (let node = inner; node; node = parentOf(node)) if (node === outer) return true;
    return false;
  };
  const closest = (element, selector) => {
    for (let node = element; node; node = parentOf(node)) if (node.matches?.(selector)) return node;
    return null;
  };
  const isDisabled = (element) => element.matches(':disabled') || closest(element, '[aria-disabled=true]') !== null;
  const describe = (element) => {
    const { localName, id } = element;
    const name = read(Element.prototype, 'className', element);
    const classes = typeof name === 'string' && name.trim() ? '.' + name.trim().split(/\\s+/).slice(0, 2).join('.') : '';
    return (localName + (typeof id === 'string' && id ? '#' + id : '') + classes).slice(0, 80);
  };

  const hitAt = (x, y) => {
    let hit = document.elementFromPoint(x, y);
    for (let shadow = hit && shadowOf(hit); shadow; shadow = hit && shadowOf(hit)) {
      const inner = shadow.elementFromPoint(x, y);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    return hit;
  };
  /** Tells whether an event on one element is one on the other: inside it, on its label, or on the control around it. */
  const receives = (element, hit) => {
    if (holds(element, hit)) return true;
    const label = closest(hit, 'label');
    if (label && read(HTMLLabelElement.prototype, 'control', label) === element) return true;
    const control = closest(element, 'a, button, summary, label, [role=button], [role=link]');
    return control !== null && hit !== null && holds(control, hit) && getComputedStyle(element).pointerEvents === 'none';
  };

  const pointIn = (element) => {
    for (const rect of rectsOf(element)) {
      const [left, right] = [Math.max(0, rect.left), Math.min(innerWidth, rect.right)];
      const [top, bottom] = [Math.max(0, rect.top), Math.min(innerHeight, rect.bottom)];
      if (right - left > 0 && bottom - top > 0) return { x: (left + right) / 2, y: (top + bottom) / 2 };
    }
    return undefined;
  };
  const BLOCKS = ['nearest', 'center', 'start', 'end'];
  /** Returns a point of the element that is in the window and not covered, after scrolling if it must; else what hinders. */
  const aim = (element, tries) => {
    let point = pointIn(element);
    const isFree = () => point && receives(element, hitAt(point.x, point.y));
    if (!isFree()) {
      element.scrollIntoView({ block: BLOCKS[tries % BLOCKS.length], inline: 'nearest', behavior: 'instant' });
      point = pointIn(element);
    }
    if (!point) return { why: 'outside' };
    const hit = hitAt(point.x, point.y);
    if (!hit || !receives(element, hit)) return { why: 'covered', by: hit ? describe(hit) : 'nothing' };
    return { point };
  };
  const boxOf = (element) => {
    const { x, y, width, height } = rectsOf(element)[0] ?? {};
    return [x, y, width, height].join();
  };

  const isChecked = (element) => {
    if (element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type)) {
      return read(HTMLInputElement.prototype, 'checked', element);
    }
    const state = element.getAttribute('aria-checked') ?? element.getAttribute('aria-pressed');
    return state === null ? undefined : state === 'true';
  };
  const isEditable = (element) => element.isContentEditable || element instanceof HTMLTextAreaElement ||
    (element instanceof HTMLInputElement && !/^(checkbox|radio|file|submit|reset|button|image|hidden)$/.test(element.type));

  /** What hinders a kind of step on an element, whatever its place; undefined if nothing does. */
  const obstacleOf = (element, kind) => {
    if (kind === 'scroll' || kind === 'there') return undefined;
    if (kind === 'frame' && !(element instanceof HTMLIFrameElement || element instanceof HTMLFrameElement)) return 'not a frame';
    if (kind === 'fill' && !isEditable(element)) return 'not a field';
    if (kind === 'select' && !(element instanceof HTMLSelectElement)) return 'not a select';
    if (kind === 'toggle' && isChecked(element) === undefined) return 'not a checkbox';
    if (kind !== 'label' && !isShown(element)) return 'hidden';
    if (kind !== 'hover' && kind !== 'frame' && isDisabled(element)) return 'disabled';
    if (kind === 'fill' && (element.readOnly || element.getAttribute('aria-readonly') === 'true')) return 'readonly';
    return undefined;
  };
  /** A control that is hidden behind its label is used by the label. */
  const standInFor = (element, kind) => {
    if (kind !== 'toggle' || isShown(element)) return element;
    return [...(element.labels ?? [])].find(isShown) ?? element;
  };

  let current;
  let tries = 0;
  /** Looks once; waits a frame to see whether the element stays where it is. */
  const look = async (selector, kind) => {
    const found = find(selector);
    if (!found) return { why: 'absent' };
    const element = standInFor(found, kind);
    const why = obstacleOf(found, found === element ? kind : 'label') ?? (found === element ? undefined : obstacleOf(element, 'click'));
    if (why !== undefined) return { why };
    current = { element, found };
    if (kind === 'there' || kind === 'select') return { isReady: true };
    if (kind === 'scroll') {
      element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      return { isReady: true };
    }
    const aimed = aim(element, tries);
    const [before, sinceMs] = [boxOf(element), performance.now()];
    while (performance.now() < sinceMs + ${STILL_MS}) await frame();
    // The page's own callbacks of this frame may come after ours.
    await pause(0);
    if (!element.isConnected) return { why: 'detached' };
    if (boxOf(element) !== before) return { why: 'moving' };
    if (kind === 'fill' || kind === 'frame') return { isReady: true };
    tries += 1;
    if (aimed.why !== undefined) return aimed;
    const again = aim(element, tries);
    return again.why !== undefined ? again : { isReady: true, ...again.point };
  };
  /** Looks until a person could do the step, for at most a time. */
  const reach = async (selector, kind, ms) => {
    const until = performance.now() + ms;
    tries = 0;
    if (document.pointerLockElement) document.exitPointerLock();
    for (;;) {
      const seen = await look(selector, kind);
      if (seen.isReady || performance.now() >= until) return seen;
      await (seen.why === 'absent' || seen.why === 'hidden' ? pause(30) : frame());
    }
  };

  const element = () => current.element;
  /** Returns where the window shows a point of the frame that was found, after scrolling if it must; else what hinders. */
  const inFrame = (x, y) => {
    const frame = element();
    const { paddingLeft, paddingTop } = getComputedStyle(frame);
    const locate = () => {
      const { left, top } = frame.getBoundingClientRect();
      return { x: left + frame.clientLeft + parseFloat(paddingLeft) + x, y: top + frame.clientTop + parseFloat(paddingTop) + y };
    };
    const isOutside = (point) => point.x < 0 || point.y < 0 || point.x >= innerWidth || point.y >= innerHeight;
    let point = locate();
    if (isOutside(point)) {
      scrollBy({ left: point.x - innerWidth / 2, top: point.y - innerHeight / 2, behavior: 'instant' });
      point = locate();
    }
    if (isOutside(point)) return { why: 'outside' };
    const hit = hitAt(point.x, point.y);
    return hit === frame ? { isReady: true, ...point } : { why: 'covered', by: hit ? describe(hit) : 'nothing' };
  };

  const GUARDED = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'touchstart', 'touchend'];
  let guard;
  const onEvent = (event) => {
    if (!guard || !event.isTrusted) return;
    if (guard.state === 'none') guard.state = receives(guard.element, event.composedPath()[0]) ? 'hit' : 'missed';
    if (guard.state === 'hit') return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  /** Lets the next click through only if it meets the element: it may have moved, or been covered. */
  const arm = () => {
    guard = { element: current.element, state: 'none' };
    for (const name of GUARDED) window.addEventListener(name, onEvent, { capture: true, passive: false });
  };
  const disarm = async () => {
    // The click of a tap comes a moment after its touches.
    for (let frames = 0; frames < 20 && guard && guard.state === 'none'; frames += 1) await frame();
    const state = guard?.state;
    guard = undefined;
    for (const name of GUARDED) window.removeEventListener(name, onEvent, { capture: true });
    return state;
  };
  /** Aims and arms in one call, so that nothing comes between. */
  const reachArmed = async (...args) => {
    const seen = await reach(...args);
    if (seen.isReady) arm();
    return seen;
  };

  const setValue = (element, value) => {
    const prototype = element instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
    Object.getOwnPropertyDescriptor(prototype, 'value').set.call(element, value);
    element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    element.dispatchEvent(new Event('change', { bubbles: true }));
  };
  const valueOf = (element) => (element.isContentEditable ? element.innerText : element.value);
  const TYPED = /^(text|search|url|tel|email|password|number)$/;
  /** Gets a field ready for keys, with its text selected; fields without a text get the value at once. */
  const prepareFill = (value) => {
    const { element } = current;
    element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    const isTyped = !(element instanceof HTMLInputElement) || TYPED.test(element.type);
    if (!isTyped) {
      element.focus();
      setValue(element, value);
      return element.value === '' && value !== '' ? { why: 'refused' } : { isDone: true };
    }
    element.focus();
    if (document.activeElement === null) return { why: 'unfocused' };
    if (element.isContentEditable) getSelection().selectAllChildren(element);
    else element.select();
    return { isEmpty: valueOf(element).replace(/\\n$/, '') === '' };
  };
  const isFilled = () => !current.element.isConnected || valueOf(current.element) !== '';

  /** Chooses an option as a person does, with the events that follow. */
  const choose = (value) => {
    const select = current.element;
    const options = [...select.options];
    const text = (option) => option.label.trim().replace(/\\s+/g, ' ');
    const option = options.find((each) => each.value === value) ?? options.find((each) => text(each) === value.trim());
    if (!option) return { why: 'no option' };
    if (option.matches(':disabled')) return { why: 'disabled option' };
    if (option.selected && select.selectedOptions.length === 1) return { isDone: true };
    select.focus();
    for (const each of options) if (each !== option) each.selected = false;
    option.selected = true;
    select.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    select.dispatchEvent(new Event('change', { bubbles: true }));
    return { isDone: true };
  };
  const checked = () => isChecked(current.found);
  const isRadio = () => current.found instanceof HTMLInputElement && current.found.type === 'radio';

  const canScroll = (element) => {
    const room = element.scrollHeight - element.clientHeight;
    return room > 1 && element.clientHeight > 0 && /auto|scroll|overlay/.test(getComputedStyle(element).overflowY);
  };
  /** What \`scroll\` moves: the named element, or one around it; the page; or its largest part that scrolls. */
  const scrollerOf = (selector) => {
    const page = document.scrollingElement ?? document.documentElement;
    if (selector !== null) {
      const named = find(selector);
      return named && (closest(named, '*') === named && canScroll(named) ? named : [...named.querySelectorAll('*')].find(canScroll) ?? named);
    }
    if (page.scrollHeight - page.clientHeight > 1 && getComputedStyle(page).overflowY !== 'hidden') return page;
    const area = (element) => element.clientWidth * element.clientHeight;
    const parts = rootsOf().flatMap((root) => [...root.querySelectorAll('*')]).filter((each) => canScroll(each) && isShown(each));
    return parts.reduce((largest, each) => (area(each) > area(largest) ? each : largest), parts[0] ?? page);
  };
  /** Place of the wheel, and how far it is to the end as it is now. */
  const startScroll = (selector) => {
    const scroller = scrollerOf(selector);
    if (!scroller) return { why: 'absent' };
    const isPage = scroller === (document.scrollingElement ?? document.documentElement);
    if (!isPage) scroller.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    current = { element: scroller, found: scroller };
    const point = isPage ? { x: innerWidth / 2, y: innerHeight / 2 } : pointIn(scroller);
    const page = isPage ? innerHeight : scroller.clientHeight;
    return { ...(point ?? { x: 1, y: 1 }), page, ...placeOfScroll() };
  };
  const placeOfScroll = () => {
    const { element } = current;
    return { top: element.scrollTop, end: element.scrollHeight - element.clientHeight };
  };
  /** Waits until the wheel has moved the element to a place, and moves it there if the page did not let it. */
  const finishScroll = async (top) => {
    const { element } = current;
    let last = element.scrollTop;
    for (let frames = 0; frames < 12 && Math.abs(element.scrollTop - top) > 1; frames += 1) {
      await frame();
      if (frames > 1 && element.scrollTop === last) break;
      last = element.scrollTop;
    }
    if (Math.abs(element.scrollTop - top) > 1) element.scrollTo({ top, behavior: 'instant' });
    await frame();
    if (collections.size > 0) census();
    return placeOfScroll();
  };

  let changes = 0;
  let observer;
  const observed = new WeakSet();
  const observe = () => {
    observer ??= new MutationObserver((records) => {
      changes += records.filter(({ type }) => type !== 'attributes').length;
      noteChanges(records);
    });
    for (const root of rootsOf()) {
      if (observed.has(root)) continue;
      observed.add(root);
      observer.observe(root, { childList: true, characterData: true, attributes: true, subtree: true });
    }
  };
  /** A value that is another one after the page has changed. */
  const mark = () => {
    observe();
    const { scrollHeight } = document.scrollingElement ?? document.documentElement;
    return [changes, keptCount, scrollHeight, read(Document.prototype, 'URL', document)].join(' ');
  };
${COLLECT}
  /** Resolves after the running task of the page, and waits at most a tenth of a second longer for an idle moment. */
  const idle = async () => {
    await new Promise((done) => requestIdleCallback(done, { timeout: 100 }));
    if (collections.size > 0) census();
    return true;
  };

  return {
    reach, reachArmed, disarm, prepareFill, isFilled, choose, checked, isRadio, startScroll, finishScroll, mark, idle,
    collect, element, inFrame,
    // That of a frame without an address is the one of the page around it, unless it is in a sandbox.
    origin: () => globalThis.origin,
  };
})()`;
