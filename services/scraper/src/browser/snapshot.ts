import { AppError, LIMITS } from '@gleaner/contracts';
import { evaluateApart } from './evaluate-apart.ts';
import type { Tab } from './open-tab.ts';

/** The outermost document as it is now. */
export interface Snapshot {
  readonly url: string;
  readonly html: string;
}

/** Takes the document out of the browser, open shadow roots included. Throws UNSUPPORTED_CONTENT when it is over the size cap. */
export async function takeSnapshot(tab: Tab): Promise<Snapshot> {
  const { url, html, length } = await evaluateApart<{ url: string; html: string | null; length: number }>(
    tab,
    SERIALIZE,
  );
  if (html === null) {
    throw new AppError('UNSUPPORTED_CONTENT', {
      message: `The rendered document has ${length} characters; at most ${LIMITS.maxPageBytes} are read.`,
      suggestion: 'Fetch the page without render, or scrape a smaller page that has the same content.',
    });
  }
  return { url, html };
}

/** Runs in the page, apart from its scripts. Shadow roots come as declarative ones: templates in their hosts. */
const SERIALIZE = `(() => {
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
  collect(document);
  const { doctype, documentElement } = document;
  const html = (doctype ? new XMLSerializer().serializeToString(doctype) : '') + outerHtml(documentElement);
  const { length } = html;
  return { url: document.URL, html: length > ${LIMITS.maxPageBytes} ? null : html, length };
})()`;
