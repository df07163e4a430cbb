import { AppError, LIMITS } from '@gleaner/contracts';
import type { DocumentKind } from '@gleaner/extraction';
import { evaluateApart } from './evaluate-apart.ts';
import { MARK, MARKED } from './frames.ts';
import type { Tab } from './open-tab.ts';

/** The elements that a step keeps, in the isolated world of their document: undefined if none does. */
export const COLLECTION = "globalThis[Symbol.for('gleaner.collection')]";

/** The outermost document at one moment. */
export interface Snapshot {
  readonly url: string;
  readonly source: string;
  readonly kind: Exclude<DocumentKind, 'text'>;
  /** Encoding in which the document was sent, in lower case. */
  readonly encoding: string;
  /** True for XML that is not well-formed: a browser keeps only what comes before the error. */
  readonly isCut: boolean;
  /** True if elements that were collected have no room in it. */
  readonly isCollectionCut: boolean;
}

/** Value that the script in the page returns. */
interface Serialized {
  readonly url: string;
  /** Null when it is too long. */
  readonly source: string | null;
  readonly length: number;
  readonly kind: Snapshot['kind'];
  readonly encoding: string;
  readonly isCut: boolean;
  readonly isCollectionCut: boolean;
}

/**
 * Reads the document from the browser: HTML with its open shadow roots; for XML and JSON that the browser shows in a
 * viewer, the document that was sent. `sentAs` is the kind that its Content-Type stands for. Elements of frames that were read
 * just before have their marks. Elements that were collected and taken away by the page are put back into the source. Throws UNSUPPORTED_CONTENT when it is over the size limit.
 */
export async function takeSnapshot(tab: Tab, sentAs: DocumentKind): Promise<Snapshot> {
  const { source, length, ...traits } = await evaluateApart<Serialized>(tab, serialize(sentAs));
  if (source === null) {
    throw new AppError('UNSUPPORTED_CONTENT', {
      message: `The rendered document has ${length} characters; at most ${LIMITS.maxPageBytes} are read.`,
      suggestion: 'Fetch the page without render, or scrape a smaller page that has the same content.',
    });
  }
  return { ...traits, encoding: traits.encoding.toLowerCase(), source };
}

/**
 * Builds the script that runs in the page's isolated world. Shadow roots become declarative ones: templates in their
 * hosts. Properties are read through prototypes: a control named `shadowRoot` hides that property of its form, and a form
 * named `URL` that of the document. The viewer of XML keeps the document in an element of its own; feeds and JSON are shown
 * in a `pre`, as texts are.
 */
const serialize = (sentAs: DocumentKind): string => `(() => {
  const shadowRoots = [];
  const collect = (root) => {
    for (const element of root.querySelectorAll('*')) {
      const shadowRoot = Reflect.get(Element.prototype, 'shadowRoot', element);
      if (!shadowRoot) continue;
      shadowRoots.push(shadowRoot);
      collect(shadowRoot);
    }
  };
  const outerHtml = (root) => {
    if (root === null) return '';
    if (shadowRoots.length === 0) return root.outerHTML;
    const [startTag] = root.cloneNode(false).outerHTML.split('</');
    return startTag + root.getHTML({ shadowRoots });
  };
  const [doctype, documentElement, contentType, encoding, url] = [
    'doctype', 'documentElement', 'contentType', 'characterSet', 'URL',
  ].map((name) => Reflect.get(Document.prototype, name, document));
  const sourceOf = (outer) => (doctype ? new XMLSerializer().serializeToString(doctype) : '') + outer;
  let isCollectionCut = ${COLLECTION}?.isCut() ?? false;
  const take = () => {
    const isFeed = ${sentAs === 'xml'} && contentType === 'text/plain';
    if (isFeed) return { kind: 'xml', source: document.body?.textContent ?? '' };
    const isJson = ${sentAs === 'json'} && /[/+]json$/.test(contentType);
    if (isJson) return { kind: 'json', source: document.querySelector('body > pre')?.textContent ?? '' };
    if (document instanceof XMLDocument) {
      const viewed = document.getElementById('webkit-xml-viewer-source-xml');
      return { kind: 'xml', source: viewed?.innerHTML ?? sourceOf(documentElement?.outerHTML ?? '') };
    }
    if (documentElement) collect(documentElement);
    const marked = [...(${MARKED} ?? [])];
    for (const [frame, mark] of marked) frame.setAttribute('${MARK}', mark);
    const collection = ${COLLECTION};
    const kept = collection?.putMarks() ?? [];
    let source = sourceOf(outerHtml(documentElement));
    collection?.removeMarks();
    for (const [mark, html] of kept) {
      const fits = source.length + html.length <= ${LIMITS.maxPageBytes};
      if (!fits) isCollectionCut = true;
      source = source.split(mark).join(fits ? html : '');
    }
    for (const [frame] of marked) frame.removeAttribute('${MARK}');
    return { kind: 'html', source };
  };
  const { kind, source } = take();
  const isCut = document instanceof XMLDocument && document.querySelector('parsererror > h3') !== null;
  const { length } = source;
  return { url, kind, encoding, isCut, isCollectionCut, source: length > ${LIMITS.maxPageBytes} ? null : source, length };
})()`;
