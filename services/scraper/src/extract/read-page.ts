import {
  AppError,
  type CrawlFindings,
  type Engine,
  type Failure,
  type Format,
  type FormatName,
  LIMITS,
  lengthOfExtracted,
  type ScrapeOptions,
  toFailure,
  type Verdict,
} from '@gleaner/contracts';
import type { StageClock } from '@gleaner/egress';
import {
  type Budget,
  type DocumentKind,
  documentWarnings,
  type ExtractionPlan,
  extract,
  extractDefaults,
  extractFormats,
  type FormatToPlan,
  hashOf,
  type ParsedDocument,
  type PlannedFormat,
  type Projection,
  parseDocument,
  planFormats,
  planSelectors,
  readPageFacts,
  readPdf,
} from '@gleaner/extraction';
import type { FrontLayer } from '../browser/overlays/find-front-layer.ts';
import { layerSelectors } from '../browser/overlays/overlay-rules.ts';
import type { CapturedBodies } from '../browser/tab/response-capture.ts';
import { thinTextOf } from '../calibrate/shown-text.ts';
import { judgePage, mayBeShell } from '../classify/verdict/judge-page.ts';
import { type FindingsPlan, readFindings } from '../crawl/read-findings.ts';
import { decodeBody } from '../decode/sniff-encoding.ts';
import { renderCaptured, textsOf } from './render-captured.ts';

/** The values to extract from a page: those of the plan, the formats, or without both the default data. */
export interface Wanted {
  readonly plan: ExtractionPlan | null;
  readonly formats: readonly PlannedFormat[];
  /** Language of values whose fields name none. */
  readonly locale?: string;
  /** Only for pages of a crawl. */
  readonly findings?: FindingsPlan;
  /** Pages of a PDF that are read; LIMITS.defaultPdfPages by default. */
  readonly maxPdfPages?: number;
  /** Selector that tells whether the page is signed in. */
  readonly check?: ExtractionPlan;
}

/** Returns what a request asks for, without findings. Throws INVALID_SELECTOR. */
export function wantedOf({ selectors, formats = [], locale, overlays = 'keep', pdf }: ScrapeOptions): Wanted {
  const plan = selectors ? planSelectors(selectors) : null;
  const read = overlays === 'keep' ? formats : formats.map(withoutLayers);
  return {
    plan,
    formats: planFormats(read),
    ...(locale !== undefined && { locale }),
    ...(pdf?.maxPages !== undefined && { maxPdfPages: pdf.maxPages }),
  };
}

const FORMATS_OF_WORDS: readonly FormatName[] = ['markdown', 'text', 'article'];

/** Leaves the layers of consent platforms out of a format of words. */
function withoutLayers(format: Format): FormatToPlan {
  const options = typeof format === 'string' ? { type: format } : format;
  if (!FORMATS_OF_WORDS.includes(options.type)) return format;
  const exclude = 'exclude' in options && options.exclude ? `${options.exclude},` : '';
  return { ...options, exclude: exclude + layerSelectors() };
}

/** Kind of a page and the values to extract. */
interface Extraction extends Wanted {
  /** PDFs are read in threads only. */
  readonly kind: DocumentKind | 'pdf';
  /** URL of the page, after redirects. */
  readonly baseUrl: string;
  /** Encoding of the document, where the body is in another one: links keep it in their queries. */
  readonly documentEncoding?: string;
  /** URL of the request. */
  readonly askedUrl: string;
  readonly engine: Engine;
  /** Element that covers most of the window in front of a rendered page. */
  readonly layer?: FrontLayer;
  /** Responses that the page got. */
  readonly captured?: CapturedBodies;
}

/** A page to read. Plain data, so that it can be sent to a thread. */
export interface PageToRead extends Extraction {
  readonly body: Uint8Array;
  /** Encoding of the body, as `sniffEncoding` names it. */
  readonly encoding: string;
}

/** A page that is not a PDF. */
export type DocumentToRead = PageToRead & { readonly kind: DocumentKind };

/** Extracted values, as JSON texts, so that large ones cross threads and services without being parsed. */
export interface PageValues {
  /** Absent when only formats were requested. */
  readonly dataJson?: string;
  /** Absent when no formats were requested. */
  readonly formatsJson?: string;
  /** Absent when no responses were to be captured. */
  readonly capturedJson?: string;
  readonly warnings: ReturnType<typeof extract>['warnings'];
  /** Error about required fields that the page lacks; then there are no values. */
  readonly missing?: Failure;
  readonly verdict: Verdict;
  /** Text of a thin page, to be compared with other pages of its site. */
  readonly thinText?: string;
  /** True if scripts that did not run may have much to add. */
  readonly mayBeShell: boolean;
  /** True if something matches the selector of the check; absent of pages that are not HTML. */
  readonly matchesCheck?: boolean;
  /** Present when the page was read for a crawl. */
  readonly crawl?: CrawlFindings;
  /** Milliseconds of this thread. */
  readonly times: { readonly parse: number; readonly extract: number };
}

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
  const whole = formats.map(({ name }) => ({ name, part: null }));
  const values = readSource(markup, { ...wanted, kind: 'html', formats: whole }, budget);
  const { thinText: _text, times, formatsJson, ...others } = values;
  return {
    ...others,
    ...(formatsJson !== undefined && { formatsJson: withPages(formatsJson, pages) }),
    warnings: [...others.warnings, ...warnings],
    verdict: { page: 'content', basis: 'inferred', signals: [] },
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
export function readSource(
  source: string,
  wanted: Extraction & { readonly kind: DocumentKind },
  budget: Budget,
): PageValues {
  const {
    kind,
    baseUrl,
    documentEncoding: encoding = 'utf-8',
    formats,
    findings,
    askedUrl,
    engine,
    layer,
  } = wanted;
  const startedAt = performance.now();
  const document = parseDocument(source, { kind, encoding, budget, projection: projectionOf(wanted) });
  const parsedAt = performance.now();
  const { data, warnings: ofData, missing } = readData(document, wanted, budget);
  const read =
    formats.length > 0 && !missing ? extractFormats(document, formats, { baseUrl, budget }) : undefined;
  const extracted = {
    ...(data && { dataJson: JSON.stringify(data) }),
    ...(read && { formatsJson: read.json }),
    ...(wanted.captured && !missing && { capturedJson: renderCaptured(wanted.captured, budget) }),
    ...(missing && { missing }),
  };
  const crawl = findings && {
    ...readFindings(document, findings, { baseUrl, budget }),
    dataHash: hashOf(`${extracted.dataJson ?? ''}\n${extracted.formatsJson ?? ''}`),
  };
  const facts = readPageFacts(document, budget);
  const verdict = judgePage({ facts, source, askedUrl, url: baseUrl, engine, ...(layer && { layer }) });
  const thinText = kind === 'html' ? thinTextOf(facts) : undefined;
  const warnings = [...ofData, ...(read?.warnings ?? [])];
  const values = {
    ...{ ...extracted, warnings, verdict, mayBeShell: mayBeShell({ facts, engine }) },
    ...(thinText !== undefined && { thinText }),
    ...(crawl && { crawl }),
    ...(wanted.check && kind === 'html' && { matchesCheck: hasMatch(document, wanted.check, budget) }),
  };
  checkSize(values);
  return { ...values, times: { parse: parsedAt - startedAt, extract: performance.now() - parsedAt } };
}

/** Returns the plan of the selector of a check. */
export function planCheck(selector: string): ExtractionPlan {
  return planSelectors({ matches: { selector, all: true } });
}

function hasMatch(document: ParsedDocument, check: ExtractionPlan, budget: Budget): boolean {
  const { data } = extract(document, check, { baseUrl: 'about:blank', budget });
  return Array.isArray(data.matches) && data.matches.length > 0;
}

/** Returns the part of the page that is needed; null if that is all of it. */
function projectionOf({ plan, formats, findings, check }: Wanted): Projection | null {
  return plan && formats.length === 0 && !findings && !check ? plan.projection : null;
}

/** Largest message that values fit into, which leaves 1 MiB for what is sent with them. */
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

/** Returns the values of the plan, or the default data; no data when only formats are requested, or required fields are missing. */
function readData(
  document: ParsedDocument,
  { plan, formats, baseUrl, locale, captured }: Omit<Extraction, 'kind'>,
  budget: Budget,
): { readonly data?: object } & Pick<PageValues, 'warnings' | 'missing'> {
  if (plan) {
    const options = { baseUrl, budget, ...(locale !== undefined && { locale }) };
    try {
      return extract(document, plan, captured ? { ...options, captured: textsOf(captured) } : options);
    } catch (error) {
      // What kind of page it is says why they are missing.
      if (!(error instanceof AppError) || error.code !== 'REQUIRED_FIELD_MISSING') throw error;
      return { missing: toFailure(error), warnings: [] };
    }
  }
  const warnings = documentWarnings(document);
  return formats.length > 0
    ? { warnings }
    : { data: extractDefaults(document, { baseUrl, budget }), warnings };
}
