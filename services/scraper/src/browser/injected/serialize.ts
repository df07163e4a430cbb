import type { SerializeOptions } from './options.ts';

/** Collected elements, some of which the page has taken away. */
interface Collection {
  /** Returns marks that stand in the source, and the HTML for each. */
  putMarks(): readonly (readonly [mark: string, html: string])[];
  removeMarks(): void;
  isCut(): boolean;
}

/**
 * Returns the document as text. Shadow roots become declarative ones: templates in their hosts. Properties are read through
 * prototypes: a control named `shadowRoot` hides that property of its form, and a form named `URL` that of the document. The
 * viewer of XML keeps the document in an element of its own; feeds and JSON are shown in a `pre`, as texts are.
 */
export function serialize(options: SerializeOptions) {
  const { collection: key, maxChars } = options;
  const [encoding, url] = [read('characterSet'), read('URL')];
  const collection: Collection | undefined = Reflect.get(globalThis, Symbol.for(key));
  const wasCut = collection?.isCut() ?? false;
  const { kind, source, isCollectionCut = false } = readDocument(options, collection);
  const isCut = document instanceof XMLDocument && document.querySelector('parsererror > h3') !== null;
  const { length } = source;
  return {
    url,
    kind,
    encoding,
    isCut,
    isCollectionCut: wasCut || isCollectionCut,
    source: length > maxChars ? null : source,
    length,
  };
}

function read<Name extends keyof Document>(name: Name): Document[Name] {
  return Reflect.get(Document.prototype, name, document);
}

/** Text of a document. */
interface Taken {
  readonly kind: 'html' | 'xml' | 'json';
  readonly source: string;
  /** True if collected elements have no room in it. */
  readonly isCollectionCut?: boolean;
}

function readDocument(options: SerializeOptions, collection: Collection | undefined): Taken {
  const { sentAs } = options;
  const contentType = read('contentType');
  const isFeed = sentAs === 'xml' && contentType === 'text/plain';
  if (isFeed) return { kind: 'xml', source: document.body?.textContent ?? '' };
  const isJson = sentAs === 'json' && /[/+]json$/.test(contentType);
  if (isJson) return { kind: 'json', source: document.querySelector('body > pre')?.textContent ?? '' };
  if (document instanceof XMLDocument) {
    const viewed = document.getElementById('webkit-xml-viewer-source-xml');
    return {
      kind: 'xml',
      source: viewed?.innerHTML ?? withDoctype(read('documentElement')?.outerHTML ?? ''),
    };
  }
  return readHtml(options, collection);
}

function readHtml({ marks, maxChars }: SerializeOptions, collection: Collection | undefined): Taken {
  const marked = marks.flatMap(({ name, key }) => {
    const elements: ReadonlyMap<Element, string> = Reflect.get(globalThis, Symbol.for(key)) ?? new Map();
    return [...elements].map(([element, value]) => ({ element, name, value }));
  });
  const root: Element | null = read('documentElement');
  const shadowRoots = root ? shadowRootsIn(root) : [];
  for (const { element, name, value } of marked) element.setAttribute(name, value);
  const kept = collection?.putMarks() ?? [];
  let source = withDoctype(outerHtml(root, shadowRoots));
  collection?.removeMarks();
  let isCollectionCut = false;
  for (const [place, html] of kept) {
    const fits = source.length + html.length <= maxChars;
    if (!fits) isCollectionCut = true;
    source = source.split(place).join(fits ? html : '');
  }
  for (const { element, name } of marked) element.removeAttribute(name);
  return { kind: 'html', source, isCollectionCut };
}

function shadowRootsIn(root: Element | ShadowRoot, found: ShadowRoot[] = []): ShadowRoot[] {
  for (const element of root.querySelectorAll('*')) {
    const shadowRoot: ShadowRoot | null = Reflect.get(Element.prototype, 'shadowRoot', element);
    if (!shadowRoot) continue;
    found.push(shadowRoot);
    shadowRootsIn(shadowRoot, found);
  }
  return found;
}

function outerHtml(root: Element | null, shadowRoots: ShadowRoot[]): string {
  if (root === null) return '';
  if (shadowRoots.length === 0) return root.outerHTML;
  const [startTag] = (root.cloneNode(false) as Element).outerHTML.split('</');
  return startTag + root.getHTML({ shadowRoots });
}

function withDoctype(outer: string): string {
  const doctype = read('doctype');
  return (doctype ? new XMLSerializer().serializeToString(doctype) : '') + outer;
}
