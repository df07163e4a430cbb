import { AppError, LIMITS, lengthOfExtracted, type ScrapeOptions, type Verdict } from '@gleaner/contracts';
import type { StageClock } from '@gleaner/egress';
import { type Budget, type DocumentKind, type Projection, parseDocument, readPdf } from '@gleaner/extraction';
import { decodeBody } from '../decode/sniff-encoding.ts';
import { type Extraction, OpenDocument, type PageValues, type Reading, type Wanted } from './reading.ts';
import { CAPTURED } from './readings/captured.ts';
import { DATA } from './readings/data.ts';
import { FOR_MODEL } from './readings/for-model.ts';
import { FORMATS } from './readings/formats.ts';
import { LINKS } from './readings/links.ts';
import { SESSION_CHECK } from './readings/session-check.ts';
import { VERDICT } from './readings/verdict.ts';

/** Verdict on a page that nothing was found wrong with. */
const UNJUDGED: Verdict = { page: 'content', basis: 'inferred', signals: [] };

/** Everything that is read from documents, in order: links are hashed with the data and the formats. */
const READINGS: readonly Reading[] = [DATA, FORMATS, FOR_MODEL, CAPTURED, LINKS, VERDICT, SESSION_CHECK];

/** Returns what a request asks for. Throws INVALID_SELECTOR. */
export function wantedOf(options: ScrapeOptions): Wanted {
  const plans = READINGS.map(({ plan }) => plan?.(options));
  const { pdf } = options;
  return Object.assign(
    { plan: null, formats: [] },
    ...plans,
    pdf?.maxPages !== undefined && { maxPdfPages: pdf.maxPages },
  );
}

/** A page to read. Plain data, so that it can be sent to a thread. */
export interface PageToRead extends Omit<Extraction, 'kind'> {
  /** PDFs are read in threads only. */
  readonly kind: DocumentKind | 'pdf';
  readonly body: Uint8Array;
  /** Encoding of the body, as `sniffEncoding` names it. */
  readonly encoding: string;
}

/** A page that is not a PDF. */
export type DocumentToRead = PageToRead & { readonly kind: DocumentKind };

/** Counts the times of a reading as those of its stages; the rest of the current stage was a wait. */
export function noteReading({ parse, extract }: PageValues['times'], clock: Pick<StageClock, 'move'>): void {
  clock.move('parse', parse);
  clock.move('extract', extract);
}

/** Decodes, parses and extracts on this thread. Throws UNSUPPORTED_CONTENT over the budget. */
export function readPage({ body, encoding, ...wanted }: DocumentToRead, budget: Budget): PageValues {
  return readSource(decodeBody(body, encoding), { documentEncoding: encoding, ...wanted }, budget);
}

/** Does the same, and frees the body as soon as it is decoded: the tree of a large page needs the memory. */
export function useUpPage({ body, encoding, ...wanted }: DocumentToRead, budget: Budget): PageValues {
  const source = decodeBody(body, encoding);
  if (body.buffer instanceof ArrayBuffer) body.buffer.transfer(0);
  return readSource(source, { documentEncoding: encoding, ...wanted }, budget);
}

/**
 * Reads a PDF as a document of headings, paragraphs and links. It is content whatever it shows: sites answer with pages, not
 * with files, when they refuse something.
 */
export async function readPdfPage(
  { body, encoding: _encoding, formats, maxPdfPages = LIMITS.defaultPdfPages, ...wanted }: PageToRead,
  { budget, checkpoint }: { readonly budget: Budget; readonly checkpoint: () => void },
): Promise<PageValues> {
  const startedAt = performance.now();
  const { markup, pages, warnings } = await readPdf(body, { maxPages: maxPdfPages, checkpoint });
  const readAt = performance.now();
  // A PDF has no parts around its content, nor layers over it.
  const whole = formats.map(({ name }) => ({ name, part: null, hidden: 'keep' as const }));
  const values = readSource(markup, { ...wanted, kind: 'html', formats: whole }, budget);
  const { thinText: _text, times, formatsJson, ...others } = values;
  return {
    ...others,
    ...(formatsJson !== undefined && { formatsJson: withPages(formatsJson, pages) }),
    warnings: [...others.warnings, ...warnings],
    verdict: UNJUDGED,
    mayBeShell: false,
    times: { ...times, parse: times.parse + readAt - startedAt },
  };
}

/** Adds the number of pages to the metadata, if they are among the formats. */
function withPages(formatsJson: string, pages: number): string {
  const formats: { metadata?: object } = JSON.parse(formatsJson);
  if (!formats.metadata) return formatsJson;
  return JSON.stringify({ ...formats, metadata: { ...formats.metadata, pages } });
}

/** Parses a text and extracts from it on this thread. Throws UNSUPPORTED_CONTENT over the budget. */
export function readSource(source: string, wanted: Extraction, budget: Budget): PageValues {
  const { kind, documentEncoding: encoding = 'utf-8' } = wanted;
  const startedAt = performance.now();
  const document = parseDocument(source, { kind, encoding, budget, projection: projectionOf(wanted) });
  const parsedAt = performance.now();
  const page = new OpenDocument({ document, source, wanted, budget });
  for (const { read } of READINGS) read(page);
  const { warnings } = page;
  const values = { mayBeShell: false, verdict: UNJUDGED, ...page.values, warnings };
  checkSize(values);
  return { ...values, times: { parse: parsedAt - startedAt, extract: performance.now() - parsedAt } };
}

/** Returns the needed part of the page; null for the whole page. */
function projectionOf(wanted: Wanted): Projection | null {
  return wanted.plan && !READINGS.some(({ needsWhole }) => needsWhole?.(wanted))
    ? wanted.plan.projection
    : null;
}

/** Largest message of values alone; the rest of a reply has 1 MiB. */
const MAX_MESSAGE_BYTES = 14 * 1024 * 1024;
/** Values of fewer characters fit whatever they are: a character takes at most three bytes, or two for its escape. */
const MAX_SAFE_CHARACTERS = MAX_MESSAGE_BYTES / 3;

/**
 * Throws UNSUPPORTED_CONTENT for values that fit into no message: in it, their texts are escaped once more, so that each
 * quote takes four bytes.
 */
function checkSize(values: Omit<PageValues, 'times'>): void {
  if (lengthOfExtracted(values) <= MAX_SAFE_CHARACTERS) return;
  const bytes = Buffer.byteLength(JSON.stringify(values));
  if (bytes <= MAX_MESSAGE_BYTES) return;
  throw new AppError('UNSUPPORTED_CONTENT', {
    message: `The extracted values take ${bytes} bytes in a message; at most ${MAX_MESSAGE_BYTES} fit.`,
    suggestion: 'Use fewer or narrower selectors, or fewer formats.',
  });
}
