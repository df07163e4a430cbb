import {
  type Budget,
  type DocumentKind,
  documentWarnings,
  type ExtractionPlan,
  extract,
  extractDefaults,
  parseDocument,
} from '@gleaner/extraction';
import { decodeBody } from '../decode/sniff-encoding.ts';

/** Kind of a page and the data to extract. */
interface Extraction {
  readonly kind: DocumentKind;
  /** Null for title, description, text and links. */
  readonly plan: ExtractionPlan | null;
  /** URL of the page, after redirects. */
  readonly baseUrl: string;
}

/** A page to read. Plain data, so that it can be sent to a thread. */
export interface PageToRead extends Extraction {
  readonly body: Uint8Array;
  /** Encoding of the body, as `sniffEncoding` names it. */
  readonly encoding: string;
}

/** Extracted values. */
export interface PageValues {
  /** The data as JSON text, so that large values cross threads and services without being parsed. */
  readonly dataJson: string;
  readonly warnings: ReturnType<typeof extract>['warnings'];
}

/** Decodes, parses and extracts on this thread. Throws UNSUPPORTED_CONTENT over the budget. */
export function readPage({ body, encoding, ...wanted }: PageToRead, budget: Budget): PageValues {
  return readSource(decodeBody(body, encoding), wanted, budget);
}

/** Does the same, and frees the body as soon as it is decoded: the tree of a large page needs the memory. */
export function useUpPage({ body, encoding, ...wanted }: PageToRead, budget: Budget): PageValues {
  const source = decodeBody(body, encoding);
  if (body.buffer instanceof ArrayBuffer) body.buffer.transfer(0);
  return readSource(source, wanted, budget);
}

function readSource(source: string, { kind, plan, baseUrl }: Extraction, budget: Budget): PageValues {
  const document = parseDocument(source, { kind, budget });
  const { data, warnings } = plan
    ? extract(document, plan, { baseUrl, budget })
    : { data: extractDefaults(document, { baseUrl, budget }), warnings: documentWarnings(document) };
  return { dataJson: JSON.stringify(data), warnings };
}
