import { AppError, LIMITS } from '@gleaner/contracts';
import type { DocumentKind } from '@gleaner/extraction';
import type { SerializeOptions } from '../injected/options.ts';
import { loadInjected } from '../load-injected.ts';
import { evaluateApart } from './evaluate-apart.ts';
import { MARK, MARKED_KEY } from './frames.ts';
import { HIDDEN_KEY, HIDDEN_NAME } from './hidden-text.ts';
import type { Tab } from './open-tab.ts';

/** Key, among symbols, of the elements that a step keeps in the isolated world of their document. */
export const COLLECTION_KEY = 'gleaner.collection';

/** The outermost document at one moment. */
export interface Snapshot {
  readonly url: string;
  readonly source: string;
  readonly kind: Exclude<DocumentKind, 'text'>;
  /** Encoding in which the document was sent, in lower case. */
  readonly encoding: string;
  /** True for XML that is not well-formed: a browser keeps only the part before the error. */
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

/** Builds the script that reads the document. */
function serialize(sentAs: DocumentKind): string {
  const options: SerializeOptions = {
    sentAs,
    marks: [
      { name: MARK, key: MARKED_KEY },
      { name: HIDDEN_NAME, key: HIDDEN_KEY },
    ],
    collection: COLLECTION_KEY,
    maxChars: LIMITS.maxPageBytes,
  };
  return `(() => {${loadInjected('serialize.ts')}\nreturn serialize(${JSON.stringify(options)});})()`;
}
