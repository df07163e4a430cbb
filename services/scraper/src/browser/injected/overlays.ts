import type { OverlayOptions } from './options.ts';

/** A step of a rule, as far as it is looked at here. */
interface RuleStep {
  readonly visible?: string;
  readonly waitForVisible?: string;
  readonly exists?: string;
  readonly negated?: boolean;
  readonly check?: string;
  readonly then?: readonly RuleStep[];
  readonly else?: readonly RuleStep[];
  readonly any?: readonly RuleStep[];
}

/** A button of a dialog that was found by its words. */
interface ConsentButton {
  readonly element: Element;
  readonly regexClassification: string;
}

/** A dialog that was found by its words. */
interface Popup {
  readonly element: Element;
  readonly buttons: readonly ConsentButton[];
  readonly regexClassification?: string;
}

/** A layer of a consent platform, or without a rule the dialogs that were found. */
interface Layer {
  readonly popups?: readonly Popup[];
  readonly name?: string;
  readonly isCosmetic?: boolean;
  readonly prehideSelectors?: readonly string[];
  readonly rule?: { readonly detectCmp?: readonly RuleStep[]; readonly detectPopup?: readonly RuleStep[] };
  detectPopup?(): Promise<boolean>;
  optIn?(): Promise<boolean>;
  optOut?(): Promise<boolean>;
}

/** The library, as far as it is used here. */
interface Library {
  rules: readonly unknown[];
  readonly domActions: {
    elementSelector(selector: string): Element[];
    click(...args: unknown[]): Promise<boolean>;
    clickElement(element: Element): Promise<boolean>;
  };
  updateState(change: object): void;
  findCmp(retries: number): Promise<Layer[]>;
  receiveMessageCallback(message: object): unknown;
}

type LibraryClass = new (send: (message: Message) => Promise<void>, config: object, rules: object) => Library;

interface Message {
  readonly type: string;
  readonly id: string;
  readonly code: string;
}

type Action = 'accept' | 'reject' | 'hide';

/** Value of a call, or code that is to be evaluated in the world of the page before it goes on. */
interface Turn {
  readonly value?: unknown;
  readonly evals?: readonly Pick<Message, 'id' | 'code'>[];
}

const CONFIG = {
  autoAction: null,
  enablePrehide: false,
  detectRetries: 0,
  heuristicMode: 'tier2',
  logs: { errors: false },
};

/** Starts the library without a run of its own. */
export function startOverlays(
  Base: LibraryClass,
  rules: readonly unknown[],
  options: OverlayOptions,
): Overlays {
  class Consent extends Base {
    start() {}
  }
  const conversation = new Conversation();
  const consent = new Consent(async (message) => conversation.ask(message), CONFIG, { autoconsent: rules });
  return new Overlays(consent, conversation, options);
}

/** Calls of the script in turns: the library wants code evaluated in the world of the page, where the interfaces of the platforms are. */
class Conversation {
  readonly #evals: Pick<Message, 'id' | 'code'>[] = [];
  #wake = () => {};
  #pending: Promise<Turn> = Promise.resolve({});

  ask({ type, id, code }: Message): void {
    if (type !== 'eval') return;
    this.#evals.push({ id, code });
    this.#wake();
  }

  begin(work: () => Promise<unknown>): Promise<Turn> {
    this.#wake = () => {};
    this.#pending = work().then(
      (value) => ({ value }),
      () => ({ value: null }),
    );
    return this.next();
  }

  next(): Promise<Turn> {
    const asked = new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (this.#evals.length > 0) resolve();
    });
    return Promise.race([this.#pending, asked.then(() => ({ evals: this.#evals.splice(0) }))]);
  }
}

/** Layers of one document: autoconsent's library, driven step by step, so that each step is bounded and known before it may lead to another document. */
class Overlays {
  readonly #consent: Library;
  readonly #known: readonly unknown[];
  readonly #conversation: Conversation;
  readonly #options: OverlayOptions;
  #layers: readonly Layer[] = [];

  constructor(consent: Library, conversation: Conversation, options: OverlayOptions) {
    this.#consent = consent;
    this.#known = consent.rules;
    this.#conversation = conversation;
    this.#options = options;
  }

  /** Returns the names of the layers that are open. */
  find(): Promise<Turn> {
    return this.#conversation.begin(async () => {
      await this.#lookAgain();
      return this.#layers.map((layer) => (layer.popups ? this.#options.unknown : layer.name));
    });
  }

  act(index: number, action: Action): Promise<Turn> {
    return this.#conversation.begin(() => this.#act(this.#layers[index] ?? {}, action));
  }

  isGone(index: number): Promise<Turn> {
    return this.#conversation.begin(() => this.#isGone(this.#layers[index] ?? {}));
  }

  /** Goes on with the answers to code that was evaluated. */
  turn(answers: Readonly<Record<string, unknown>>): Promise<Turn> {
    for (const [id, result] of Object.entries(answers)) {
      this.#consent.receiveMessageCallback({ type: 'evalResp', id, result });
    }
    return this.#conversation.next();
  }

  /** Clicks nothing any more. */
  stop(): void {
    const { domActions } = this.#consent;
    const refuse = async () => false;
    domActions.click = refuse;
    domActions.clickElement = refuse;
  }

  /** Looks until there are layers: they may come a moment after the page has settled. */
  async #lookAgain(): Promise<void> {
    const isPage = document.documentElement instanceof HTMLElement;
    for (let looks = isPage ? this.#options.looks : 0; looks > 0; looks -= 1) {
      this.#layers = await this.#look(this.#known);
      if (this.#layers.length === 0) this.#layers = await this.#look([]);
      if (this.#layers.length === 0) this.#layers = this.#lookForKnown();
      if (this.#layers.length > 0 || looks === 1) break;
      await wait(this.#options.lookEveryMs);
    }
  }

  /** Finds open layers, those of rules first. Without rules, the library looks for dialogs with words of consent, at its second attempt. */
  async #look(rules: readonly unknown[]): Promise<Layer[]> {
    this.#consent.rules = rules;
    this.#consent.updateState({ findCmpAttempts: rules.length === 0 ? 1 : 0 });
    const layers = await this.#consent.findCmp(0);
    const found = layers.sort((a, b) => Number(a.isCosmetic ?? false) - Number(b.isCosmetic ?? false));
    const open = await Promise.all(found.map((layer) => this.#isOpen(layer)));
    return found.filter((_, index) => open[index]);
  }

  /** Finds known layers in spite of a rule that misses them, such as layers with their buttons in a frame. */
  #lookForKnown(): Layer[] {
    const { layers, largeShare } = this.#options;
    const elements = this.#select(layers).filter((element) => {
      if (!isVisible(element)) return false;
      const { width, height } = element.getBoundingClientRect();
      return width * height > innerWidth * innerHeight * largeShare;
    });
    return elements.length > 0 ? [{ popups: elements.map((element) => ({ element, buttons: [] })) }] : [];
  }

  /** Looks at the elements before the rule: rules count a fixed element as shown inside a hidden one. */
  async #isOpen(layer: Layer): Promise<boolean> {
    const elements = this.#elementsOf(layer);
    if (elements.length > 0 && !elements.some(isVisible)) return false;
    if (layer.popups) return elements.length > 0;
    return (await layer.detectPopup?.().catch(() => false)) ?? false;
  }

  #select(selector: string): Element[] {
    try {
      return this.#consent.domActions.elementSelector(selector);
    } catch {
      return [];
    }
  }

  /** Returns the elements of a layer: all that its rule hides or looks for. */
  #elementsOf({ popups, prehideSelectors = [], rule }: Layer): Element[] {
    if (popups) return popups.map(({ element }) => element);
    const select = (selector: string) => this.#select(selector);
    const named = [...prehideSelectors, ...selectorsIn(rule?.detectPopup)].flatMap(select);
    const elements = named.length > 0 ? named : selectorsIn(rule?.detectCmp).flatMap(select);
    return elements.filter((element) => element instanceof HTMLElement && !element.matches('html, body'));
  }

  async #act(layer: Layer, action: Action): Promise<'closed' | 'dismissed' | 'open'> {
    if (!(await this.#isOpen(layer))) return 'closed';
    if (action === 'hide') return this.#hide(layer) ? 'dismissed' : 'open';
    if (!layer.popups) {
      await (action === 'accept' ? layer.optIn?.() : layer.optOut?.())?.catch(() => false);
      if (await this.#isGone(layer)) return 'dismissed';
    }
    const [other] = await this.#look([]);
    const popup = (other ?? layer).popups?.[0];
    const isClicked = popup && (await this.#choose(action, popup));
    return isClicked && (await this.#isGone(layer)) ? 'dismissed' : 'open';
  }

  async #isGone(layer: Layer): Promise<boolean> {
    const { goneWithinMs, pollEveryMs } = this.#options;
    for (let left = goneWithinMs; left > 0; left -= pollEveryMs) {
      if (!(await this.#isOpen(layer))) return true;
      await wait(pollEveryMs);
    }
    return false;
  }

  /** Clicks a button by its words; a notice that offers nothing but to be closed is closed by either choice. */
  async #choose(
    action: 'accept' | 'reject',
    { element, buttons, regexClassification }: Popup,
  ): Promise<boolean> {
    const refusing = regexClassification === 'tier1' ? ['acknowledge'] : ['reject'];
    const kinds = action === 'accept' ? ['accept', 'acknowledge'] : refusing;
    const ofKind = (kind: string) => buttons.filter((each) => each.regexClassification === kind);
    const button = kinds.flatMap(ofKind)[0];
    if (!button) return false;
    element.setAttribute(this.#options.dismissed, '');
    return await this.#consent.domActions.clickElement(button.element);
  }

  #hide(layer: Layer): boolean {
    const shown = this.#elementsOf(layer).filter(isVisible);
    for (const whole of shown.map(wholeOf)) this.#hideElement(whole);
    if (shown.length > 0) this.#uncover();
    return shown.length > 0 && !shown.some(isVisible);
  }

  #hideElement(element: Element): void {
    if (element instanceof HTMLElement || element instanceof SVGElement)
      element.style.setProperty('display', 'none', 'important');
    element.setAttribute(this.#options.dismissed, '');
  }

  /** Hides what still lies over the middle of the page without showing anything, and lets the page scroll. */
  #uncover(): void {
    for (let count = 3; count > 0; count -= 1) {
      const top = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
      if (!top || top === document.body || top === document.documentElement || !isEmptyCover(top)) break;
      this.#hideElement(top);
    }
    for (const root of [document.documentElement, document.body]) {
      if (!root) continue;
      const { overflowY, position } = getComputedStyle(root);
      if (/hidden|clip/.test(overflowY)) root.style.setProperty('overflow', 'visible', 'important');
      if (position === 'fixed') root.style.setProperty('position', 'static', 'important');
    }
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((done) => void setTimeout(done, ms));
}

function isVisible(element: Element): boolean {
  return element.isConnected && element.checkVisibility({ visibilityProperty: true });
}

function textOfElement(element: Element): string {
  return element instanceof HTMLElement ? element.innerText : '';
}

const SHOWS = 'img, video, canvas, iframe, svg';

function isEmptyCover(top: Element): boolean {
  const { width, height } = top.getBoundingClientRect();
  const isCover = width >= innerWidth * 0.9 && height >= innerHeight * 0.9;
  const isEmpty = !textOfElement(top) && !top.querySelector(SHOWS) && !top.matches(`${SHOWS}, svg *`);
  return isCover && isEmpty && getComputedStyle(top).position === 'fixed';
}

/** Returns the outermost element around a layer that shows nothing else. */
function wholeOf(layer: Element): Element {
  const text = textOfElement(layer);
  let element = layer;
  for (let levels = 3; levels > 0; levels -= 1) {
    const root = element.getRootNode();
    const parent = element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
    if (!parent || parent === document.body || parent === document.documentElement) return element;
    if (!text || (textOfElement(parent) !== text && !parent.shadowRoot)) return element;
    element = parent;
  }
  return element;
}

/** Returns the selectors that the steps of a rule look for. */
function selectorsIn(steps: readonly RuleStep[] = []): string[] {
  return steps.flatMap((step) => {
    const isLookedFor = !step.negated && step.check !== 'none';
    const own = [step.visible, step.waitForVisible, step.exists].filter(
      (each) => each !== undefined && each !== '',
    );
    const inner = [step.then, step.else, step.any].flatMap((each) => selectorsIn(each));
    return [...(isLookedFor ? (own as string[]) : []), ...inner];
  });
}
