import {
  type Budget,
  type DocumentKind,
  documentWarnings,
  type ExtractionPlan,
  extract,
  extractDefaults,
  parseDocument,
} from '@gleaner/extraction';
import { decodeBody } from '../decode/decode-body.ts';

/** What a page is, and what to take of it. */
interface Wanted {
  readonly kind: DocumentKind;
  /** Null takes title, description, text and links. */
  readonly plan: ExtractionPlan | null;
  /** The URL that the page was read from. */
  readonly baseUrl: string;
}

/** A page and what to take of it; plain data, so that it can cross to a thread. */
export interface PageToRead extends Wanted {
  readonly body: Uint8Array;
  /** Of the body, as `sniffEncoding` names it. */
  readonly encoding: string;
}

/** What was taken. */
export interface PageValues {
  /** The data as JSON text, so that large ones cross threads and services unread. */
  readonly dataJson: string;
  readonly warnings: ReturnType<typeof extract>['warnings'];
}

/** Decodes, parses and extracts on this thread; throws UNSUPPORTED_CONTENT when over the budget. */
export function readPage({ body, encoding, ...wanted }: PageToRead, budget: Budget): PageValues {
  return readSource(decodeBody(body, encoding), wanted, budget);
}

/** The same, and lets the body's memory go as soon as it is decoded: the tree of a large page needs the room. */
export function useUpPage({ body, encoding, ...wanted }: PageToRead, budget: Budget): PageValues {
  const source = decodeBody(body, encoding);
  if (body.buffer instanceof ArrayBuffer) body.buffer.transfer(0);
  return readSource(source, wanted, budget);
}

function readSource(source: string, { kind, plan, baseUrl }: Wanted, budget: Budget): PageValues {
  const document = parseDocument(source, { kind, budget });
  const { data, warnings } = plan
    ? extract(document, plan, { baseUrl, budget })
    : { data: extractDefaults(document, { baseUrl, budget }), warnings: documentWarnings(document) };
  return { dataJson: JSON.stringify(data), warnings };
}
