import { AppError, LIMITS } from '@gleaner/contracts';
import type { DocumentKind } from '@gleaner/extraction';
import { evaluateApart } from './evaluate-apart.ts';
import type { Tab } from './open-tab.ts';

/** The outermost document as it is now. */
export interface Snapshot {
  readonly url: string;
  readonly source: string;
  readonly kind: Exclude<DocumentKind, 'text'>;
  /** Whether the document is XML that is not well-formed, of which a browser has no more than what comes before the fault. */
  readonly isCut: boolean;
}

/** What comes back from the page. */
interface Serialized {
  readonly url: string;
  /** Null where it is too long. */
  readonly source: string | null;
  readonly length: number;
  readonly kind: Snapshot['kind'];
  readonly isCut: boolean;
}

/**
 * Takes the document out of the browser: HTML with its open shadow roots, XML as the document that was sent where the
 * browser shows it by a viewer. `sentAs` is what its Content-Type makes of it. Throws UNSUPPORTED_CONTENT when it
 * is over the size cap.
 */
export async function takeSnapshot(tab: Tab, sentAs: DocumentKind): Promise<Snapshot> {
  const { url, source, length, kind, isCut } = await evaluateApart<Serialized>(tab, serialize(sentAs));
  if (source === null) {
    throw new AppError('UNSUPPORTED_CONTENT', {
      message: `The rendered document has ${length} characters; at most ${LIMITS.maxPageBytes} are read.`,
      suggestion: 'Fetch the page without render, or scrape a smaller page that has the same content.',
    });
  }
  return { url, source, kind, isCut };
}

/**
 * Runs in the page, apart from its scripts. Shadow roots come as declarative ones: templates in their hosts. The viewer
 * of XML keeps the document in an element of its own; feeds stand in a `pre`, as texts do.
 */
const serialize = (sentAs: DocumentKind): string => `(() => {
  const shadowRoots = [];
  const collect = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (!element.shadowRoot) continue;
      shadowRoots.push(element.shadowRoot);
      collect(element.shadowRoot);
    }
  };
  const outerHtml = (root) => {
    if (root === null) return '';
    if (shadowRoots.length === 0) return root.outerHTML;
    const [startTag] = root.cloneNode(false).outerHTML.split('</');
    return startTag + root.getHTML({ shadowRoots });
  };
  const { doctype, documentElement, contentType, URL: url } = document;
  const sourceOf = (outer) => (doctype ? new XMLSerializer().serializeToString(doctype) : '') + outer;
  const take = () => {
    const isFeed = ${sentAs === 'xml'} && contentType === 'text/plain';
    if (isFeed) return { kind: 'xml', source: document.body?.textContent ?? '' };
    if (document instanceof XMLDocument) {
      const viewed = document.getElementById('webkit-xml-viewer-source-xml');
      return { kind: 'xml', source: viewed?.innerHTML ?? sourceOf(documentElement?.outerHTML ?? '') };
    }
    collect(document);
    return { kind: 'html', source: sourceOf(outerHtml(documentElement)) };
  };
  const { kind, source } = take();
  const isCut = document instanceof XMLDocument && document.querySelector('parsererror > h3') !== null;
  const { length } = source;
  return { url, kind, isCut, source: length > ${LIMITS.maxPageBytes} ? null : source, length };
})()`;
