import type { Token } from 'parse5';
import { Namespace } from '../node.ts';
import { type ElementKind, ElementKinds } from './element-kinds.ts';
import { KeptNodes, type KeptNodesDeps } from './kept-nodes.ts';
import { StartRule, Trait } from './tag-rules.ts';
import { unusual } from './unusual.ts';

/** Deeper pages are left to parse5, whose searches do not pass through every open element. */
const MAX_DEPTH = 100;
const NO_ATTRIBUTES: Token.Attribute[] = [];

/** Values of the form element pointer (HTML §13.2.4.4) while it points to no open element. */
const Form = { none: -1, closed: -2 } as const;

/** The stack of open elements (HTML §13.2.4.2). */
export class OpenElements {
  readonly kinds: ElementKinds;
  /** The nodes that the elements append to. */
  readonly kept: KeptNodes;
  /** Number of open elements in SVG; they are on top. */
  svgDepth = 0;
  readonly #open: ElementKind[] = [];
  /** True once an active formatting element is not open: what follows would open it again. */
  #isFormattingCut = false;
  /** The same outside each open cell and caption. */
  readonly #cutOutside: boolean[] = [];
  #form: number = Form.none;

  constructor(deps: KeptNodesDeps) {
    this.kinds = new ElementKinds(deps.projection);
    this.kept = new KeptNodes(deps);
  }

  get depth(): number {
    return this.#open.length;
  }

  get current(): ElementKind {
    return this.#open.at(-1) ?? unusual();
  }

  at(index: number): ElementKind | undefined {
    return this.#open[index];
  }

  /** Appends an element to the current one, and makes it the current one. */
  push(kind: ElementKind, attributes = NO_ATTRIBUTES, namespace: string = Namespace.html): void {
    if (this.#open.length >= MAX_DEPTH) unusual();
    this.#open.push(kind);
    this.kept.push(kind, attributes, namespace);
    if (namespace !== Namespace.html) this.svgDepth += 1;
    if ((kind.traits & Trait.marker) === 0) return;
    this.#cutOutside.push(this.#isFormattingCut);
    this.#isFormattingCut = false;
  }

  /** Appends an element without content. */
  leaf(kind: ElementKind, attributes?: Token.Attribute[], namespace: string = Namespace.html): void {
    this.push(kind, attributes, namespace);
    this.#drop();
  }

  /** Closes the elements above a number of open ones. */
  popTo(depth: number): void {
    while (this.#open.length > depth) {
      const { traits } = this.current;
      if ((traits & Trait.marker) !== 0) this.#isFormattingCut = this.#cutOutside.pop() ?? false;
      else if ((traits & Trait.formatting) !== 0 && this.svgDepth === 0) this.#isFormattingCut = true;
      this.#drop();
    }
    if (this.#form >= depth) this.#form = Form.closed;
  }

  /** Closes a formatting element with all above it, and the formatting that it stands for. */
  popFormatting(depth: number): void {
    this.popTo(depth + 1);
    const isCut = this.#isFormattingCut;
    this.popTo(depth);
    this.#isFormattingCut = isCut;
  }

  pop(): void {
    this.popTo(this.#open.length - 1);
  }

  /** Must be called before what opens active formatting elements again (HTML §13.2.4.3): none may be closed. */
  continueFormatting(): void {
    if (this.#isFormattingCut) unusual();
  }

  /** Returns the index of the topmost element of a kind, or -1 if an element with one of the traits is above it. */
  find(kind: ElementKind, bounds: number): number {
    for (let index = this.#open.length - 1; index >= 0; index--) {
      const open = this.#open[index] as ElementKind;
      if (open === kind) return index;
      if ((open.traits & bounds) !== 0) return -1;
    }
    return -1;
  }

  /** Returns the index of the topmost element with one of the traits, or -1 if one of the bounds is above it. */
  findTrait(traits: number, bounds: number): number {
    for (let index = this.#open.length - 1; index >= 0; index--) {
      const open = this.#open[index] as ElementKind;
      if ((open.traits & traits) !== 0) return index;
      if ((open.traits & bounds) !== 0) return -1;
    }
    return -1;
  }

  /** Returns the index of the topmost element in SVG with a name, or -1. */
  findInSvg(name: string): number {
    const first = this.#open.length - this.svgDepth;
    for (let index = this.#open.length - 1; index >= first; index--) {
      if (this.#open[index]?.name === name) return index;
    }
    return -1;
  }

  /** Returns the number of elements of a kind among the active formatting elements. */
  countFormatting(kind: ElementKind): number {
    let count = 0;
    for (let index = this.#open.length - 1; index >= 0; index--) {
      const open = this.#open[index] as ElementKind;
      if ((open.traits & Trait.marker) !== 0) return count;
      if (open === kind) count++;
    }
    return count;
  }

  /** Returns the start rule of the topmost element that determines the insertion mode (HTML §13.2.4.1). */
  get surrounding(): StartRule {
    for (let index = this.#open.length - 1; index > 0; index--) {
      const { start } = this.#open[index] as ElementKind;
      if (start >= StartRule.caption && start <= StartRule.cell && start !== StartRule.column) return start;
      if (start === StartRule.table || start === StartRule.select) return start;
    }
    return StartRule.body;
  }

  /** Closes a paragraph that is open in button scope. */
  closeParagraph(): void {
    const index = this.find(this.kinds.paragraph, Trait.buttonScope);
    if (index >= 0) this.popTo(index);
  }

  pushForm(kind: ElementKind, attributes: Token.Attribute[]): void {
    if (this.#form !== Form.none) return;
    this.closeParagraph();
    this.#form = this.#open.length;
    this.push(kind, attributes);
  }

  /** Closes the form, and no element around or inside it. */
  closeForm(kind: ElementKind): void {
    const form = this.#form;
    this.#form = Form.none;
    if (form === Form.none || this.find(kind, Trait.scope) < 0) return;
    while (IMPLIED_ENDS.has(this.current.name)) this.pop();
    if (form === this.#open.length - 1) this.pop();
    else unusual();
  }

  #drop(): void {
    this.#open.pop();
    this.kept.drop();
    if (this.svgDepth > 0) this.svgDepth -= 1;
  }
}

/** Elements that generating implied end tags closes (HTML §13.2.6.3). */
const IMPLIED_ENDS = new Set(['dd', 'dt', 'li', 'optgroup', 'option', 'p', 'rb', 'rp', 'rt', 'rtc']);
