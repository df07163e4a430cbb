import type { ReadFrameOptions } from './options.ts';

const RAW = new Set('script style noscript xmp noembed noframes plaintext template'.split(' '));
const URL_ATTRIBUTES = ['href', 'src', 'action', 'formaction', 'poster', 'data', 'cite', 'background'];

/** Returns a method that is called on any element: names of controls hide properties of their forms. */
function methodOf<
  Name extends
    | 'querySelectorAll'
    | 'getAttribute'
    | 'setAttribute'
    | 'prepend'
    | 'replaceChildren'
    | 'remove',
>(name: Name): (element: Element, ...args: Parameters<Element[Name]>) => ReturnType<Element[Name]> {
  return Function.prototype.call.bind(Element.prototype[name]);
}

/**
 * Reads the body of a frame from a copy in a document that loads and runs nothing, with absolute URLs. Comments, and elements
 * with raw text, are left out: they could end the element that the copy is put into. Shadow roots become templates.
 */
export function readFrame({ mark, marked: key, maxChars }: ReadFrameOptions): string | null {
  const body: HTMLElement | null = Reflect.get(Document.prototype, 'body', document);
  const implementation: DOMImplementation = Reflect.get(Document.prototype, 'implementation', document);
  if (!body) return '';
  const marked: Map<Node, string> = Reflect.get(globalThis, Symbol.for(key)) ?? new Map();
  const copier = new FrameCopier(body.baseURI, implementation.createHTMLDocument(''), (original, twin) => {
    const value = marked.get(original);
    if (value !== undefined) methodOf('setAttribute')(twin, mark, value);
  });
  const html = (copier.copyOf(body) as HTMLElement).innerHTML.trim();
  return html.length > maxChars ? null : html;
}

/** Copies elements into a document that loads and runs nothing. */
class FrameCopier {
  readonly #baseUrl: string;
  readonly #inert: Document;
  readonly #mark: (original: Element, twin: Element) => void;

  constructor(baseUrl: string, inert: Document, mark: (original: Element, twin: Element) => void) {
    this.#baseUrl = baseUrl;
    this.#inert = inert;
    this.#mark = mark;
  }

  copyOf(node: Node): Node {
    const copy = this.#inert.importNode(node, true);
    if (!(node instanceof Element)) return copy;
    const what = NodeFilter.SHOW_COMMENT | NodeFilter.SHOW_PROCESSING_INSTRUCTION;
    const notes = this.#inert.createNodeIterator(copy, what);
    for (let note = notes.nextNode(); note; note = notes.nextNode()) (note as ChildNode).remove();
    const select = methodOf('querySelectorAll');
    const [originals, copies] = [node, copy as Element].map((root) => [root, ...select(root, '*')]);
    originals?.forEach((original, index) => {
      const twin = copies?.[index];
      if (!twin) return;
      if (isKept(original)) this.#clean(original, twin);
      else methodOf('remove')(twin);
    });
    return copy;
  }

  #clean(original: Element, twin: Element): void {
    const [get, set] = [methodOf('getAttribute'), methodOf('setAttribute')];
    for (const name of URL_ATTRIBUTES) {
      const url = get(twin, name);
      if (url) set(twin, name, this.#absolute(url));
    }
    const sources = get(twin, 'srcset');
    if (sources) set(twin, 'srcset', this.#absoluteSet(sources));
    if (nameOf(twin) === 'iframe') methodOf('replaceChildren')(twin);
    this.#mark(original, twin);
    const shadowRoot: ShadowRoot | null = Reflect.get(Element.prototype, 'shadowRoot', original);
    if (!shadowRoot) return;
    const template = this.#inert.createElement('template');
    template.setAttribute('shadowrootmode', 'open');
    template.content.append(...[...shadowRoot.childNodes].filter(isKept).map((each) => this.copyOf(each)));
    methodOf('prepend')(twin, template);
  }

  #absolute(url: string): string {
    return URL.parse(url, this.#baseUrl)?.href ?? url;
  }

  #absoluteSet(sources: string): string {
    const parts = sources.split(/,\s+/).map((each) => each.trim());
    return parts.map((each) => each.replace(/^\S+/, (url) => this.#absolute(url))).join(', ');
  }
}

function isKept(node: Node): boolean {
  return node instanceof Text || (node instanceof Element && !RAW.has(nameOf(node)));
}

function nameOf(element: Element): string {
  return Reflect.get(Element.prototype, 'localName', element).toLowerCase();
}
