import { DISMISSED, LAYERS } from './overlay-rules.ts';

/** Name of the object that the script leaves in its world. No element of a page can have a symbol as its name. */
export const HANDLE = "globalThis[Symbol.for('gleaner.overlays')]";

/** Number of looks at a page, and the pause between them: layers may come a moment after the page has settled. */
const LOOKS = 3;
const LOOK_EVERY_MS = 300;
/** Time that a layer has to go after its button was clicked. */
const GONE_WITHIN_MS = 2000;
const POLL_EVERY_MS = 100;
/** Part of the window that a layer covers at least, if only its markup says what it is. */
const LARGE_SHARE = 0.15;

/** Name of layers that were found without a rule. */
export const UNKNOWN = 'unknown';

/**
 * Builds the script that runs in the page's isolated world: autoconsent's library, driven step by step, so that each step is
 * bounded and known before it may lead to another document. A turn of the conversation ends with a value, or with code of the
 * library that it wants evaluated in the world of the page, where the interfaces of the platforms are.
 */
export function overlayScript({
  library,
  rules,
}: {
  readonly library: string;
  readonly rules: string;
}): string {
  return `(() => {
  const module = { exports: {} };
  ((module, exports) => {${library}\n})(module, module.exports);
  const evals = [];
  let wake = () => {};
  const send = async (message) => {
    if (message.type !== 'eval') return;
    evals.push({ id: message.id, code: message.code });
    wake();
  };
  class Consent extends module.exports.default {
    start() {}
  }
  const config = {
    autoAction: null, enablePrehide: false, detectRetries: 0, heuristicMode: 'tier2', logs: { errors: false },
  };
  const consent = new Consent(send, config, { autoconsent: JSON.parse(${JSON.stringify(rules)}) });
  const known = consent.rules;
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  const isShown = (element) => element.isConnected && element.checkVisibility({ visibilityProperty: true });
  /** Looks at the elements before the rule: rules count a fixed element as shown inside a hidden one. */
  const isOpen = async (cmp) => {
    const elements = elementsOf(cmp);
    if (elements.length > 0 && !elements.some(isShown)) return false;
    return cmp.popups ? elements.length > 0 : await cmp.detectPopup().catch(() => false);
  };

  /** Finds open layers, those of rules first. Without rules, the library looks for dialogs with words of consent, at its second attempt. */
  const look = async (rules) => {
    consent.rules = rules;
    consent.updateState({ findCmpAttempts: rules.length === 0 ? 1 : 0 });
    const found = (await consent.findCmp(0)).sort((a, b) => a.isCosmetic - b.isCosmetic);
    const open = await Promise.all(found.map(isOpen));
    return found.filter((_, index) => open[index]);
  };
  /** Known layers whose rule does not find them, such as those whose buttons are in a frame. */
  const lookForKnown = () => {
    const elements = select(${JSON.stringify(LAYERS.join())}).filter(isShown).filter((element) => {
      const { width, height } = element.getBoundingClientRect();
      return width * height > innerWidth * innerHeight * ${LARGE_SHARE};
    });
    return elements.length > 0 ? [{ popups: elements.map((element) => ({ element, buttons: [] })) }] : [];
  };
  const isPage = document.documentElement instanceof HTMLElement;
  let layers = [];
  const find = async () => {
    for (let looks = isPage ? ${LOOKS} : 0; looks > 0; looks -= 1) {
      layers = await look(known);
      if (layers.length === 0) layers = await look([]);
      if (layers.length === 0) layers = lookForKnown();
      if (layers.length > 0 || looks === 1) break;
      await wait(${LOOK_EVERY_MS});
    }
    return layers.map(nameOf);
  };
  const nameOf = (cmp) => (cmp.popups ? '${UNKNOWN}' : cmp.name);

  const select = (selector) => {
    try {
      return consent.domActions.elementSelector(selector);
    } catch {
      return [];
    }
  };
  const hideElement = (element) => {
    element.style.setProperty('display', 'none', 'important');
    element.setAttribute('${DISMISSED}', '');
  };
  /** Returns the outermost element around a layer that shows nothing else. */
  const wholeOf = (element) => {
    const text = element.innerText;
    for (let levels = 3; levels > 0; levels -= 1) {
      const parent = element.parentElement ?? element.getRootNode().host;
      if (!parent || parent === document.body || parent === document.documentElement) return element;
      if (text && parent.innerText !== text && !parent.shadowRoot) return element;
      if (!text) return element;
      element = parent;
    }
    return element;
  };
  const selectorsIn = (steps = []) =>
    steps.flatMap((step) => [
      ...[step.visible, step.waitForVisible, step.exists].filter((selector) => selector && !step.negated && step.check !== 'none'),
      ...selectorsIn(step.then), ...selectorsIn(step.else), ...selectorsIn(step.any),
    ]);
  /** Returns the elements that make up a layer: those that its rule hides or looks for. */
  const elementsOf = (cmp) => {
    if (cmp.popups) return cmp.popups.map(({ element }) => element);
    const named = [...(cmp.prehideSelectors ?? []), ...selectorsIn(cmp.rule?.detectPopup)].flatMap(select);
    const elements = named.length > 0 ? named : selectorsIn(cmp.rule?.detectCmp).flatMap(select);
    return elements.filter((element) => element instanceof HTMLElement && !element.matches('html, body'));
  };
  /** Hides what still lies over the middle of the page without showing anything, and lets the page scroll. */
  const uncover = () => {
    for (let count = 3; count > 0; count -= 1) {
      const top = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
      if (!top || top === document.body || top === document.documentElement) break;
      const { width, height } = top.getBoundingClientRect();
      const isCover = width >= innerWidth * 0.9 && height >= innerHeight * 0.9;
      const isEmpty = !top.innerText && !top.querySelector('img, video, canvas, iframe, svg') &&
        !top.matches('img, video, canvas, iframe, svg, svg *');
      if (!isCover || !isEmpty || getComputedStyle(top).position !== 'fixed') break;
      hideElement(top);
    }
    for (const root of [document.documentElement, document.body]) {
      if (!root) continue;
      const { overflowY, position } = getComputedStyle(root);
      if (/hidden|clip/.test(overflowY)) root.style.setProperty('overflow', 'visible', 'important');
      if (position === 'fixed') root.style.setProperty('position', 'static', 'important');
    }
  };
  const hide = (cmp) => {
    const shown = elementsOf(cmp).filter(isShown);
    shown.map(wholeOf).forEach(hideElement);
    if (shown.length > 0) uncover();
    return shown.length > 0 && !shown.some(isShown);
  };

  const isGone = async (cmp) => {
    for (let left = ${GONE_WITHIN_MS}; left > 0; left -= ${POLL_EVERY_MS}) {
      if (!(await isOpen(cmp))) return true;
      await wait(${POLL_EVERY_MS});
    }
    return false;
  };
  /** Clicks a button by its words; a notice that offers nothing but to be closed is closed by either choice. */
  const choose = async (action, { element, buttons, regexClassification }) => {
    const kinds = action === 'accept' ? ['accept', 'acknowledge'] : regexClassification === 'tier1' ? ['acknowledge'] : ['reject'];
    const button = kinds.flatMap((kind) => buttons.filter((each) => each.regexClassification === kind))[0];
    if (!button) return false;
    element.setAttribute('${DISMISSED}', '');
    return await consent.domActions.clickElement(button.element);
  };
  const act = async (index, action) => {
    const cmp = layers[index];
    if (!(await isOpen(cmp))) return 'closed';
    if (action === 'hide') return hide(cmp) ? 'dismissed' : 'open';
    if (!cmp.popups) {
      await (action === 'accept' ? cmp.optIn() : cmp.optOut()).catch(() => false);
      if (await isGone(cmp)) return 'dismissed';
    }
    const [{ popups: [popup] } = cmp] = await look([]);
    return popup && (await choose(action, popup)) && (await isGone(cmp)) ? 'dismissed' : 'open';
  };

  let pending;
  const turn = (answers) => {
    for (const [id, result] of Object.entries(answers)) consent.receiveMessageCallback({ type: 'evalResp', id, result });
    const asked = new Promise((resolve) => {
      wake = resolve;
      if (evals.length > 0) resolve();
    });
    return Promise.race([pending, asked.then(() => ({ evals: evals.splice(0) }))]);
  };
  const begin = (work) => {
    wake = () => {};
    pending = work().then((value) => ({ value }), () => ({ value: null }));
    return turn({});
  };
  /** Clicks nothing any more. */
  const stop = () => {
    consent.domActions.click = consent.domActions.clickElement = async () => false;
  };
  ${HANDLE} = {
    find: () => begin(find), act: (...args) => begin(() => act(...args)), isGone: (index) => begin(() => isGone(layers[index])),
    turn, stop,
  };
  return ${HANDLE}.find();
})()`;
}
