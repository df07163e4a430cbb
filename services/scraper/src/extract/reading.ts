import type { CrawlFindings, Engine, Failure, ScrapeOptions, Verdict } from '@gleaner/contracts';
import {
  type Budget,
  type DocumentKind,
  type ExtractionPlan,
  type extract,
  type HiddenMark,
  type PageFacts,
  type PageForModel,
  type ParsedDocument,
  type PlannedFormat,
  readPageFacts,
  takeHiddenMarks,
} from '@gleaner/extraction';
import type { FrontLayer } from '../browser/overlays/find-front-layer.ts';
import type { CapturedBodies } from '../browser/tab/response-capture.ts';
import type { FindingsPlan } from '../crawl/read-findings.ts';

type Warnings = ReturnType<typeof extract>['warnings'];

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
  /** Element that covers most of the window in front of a rendered page. */
  readonly layer?: FrontLayer;
  /** Responses that the page got. */
  readonly captured?: CapturedBodies;
  /** True if a model is to be asked about the page. */
  readonly isForModel?: boolean;
  /** Mark of the elements that a browser does not show. */
  readonly hiddenMark?: HiddenMark;
}

/** Kind of a page and the values to extract. */
export interface Extraction extends Wanted {
  readonly kind: DocumentKind;
  /** URL of the page, after redirects. */
  readonly baseUrl: string;
  /** Encoding of the document, where the body is in another one: links keep it in their queries. */
  readonly documentEncoding?: string;
  /** URL of the request. */
  readonly askedUrl: string;
  readonly engine: Engine;
}

/** Extracted values, as JSON texts, so that large ones cross threads and services without being parsed. */
export interface PageValues {
  /** Absent when only formats were requested. */
  readonly dataJson?: string;
  /** Absent when no formats were requested. */
  readonly formatsJson?: string;
  /** Absent when no responses were to be captured. */
  readonly capturedJson?: string;
  readonly warnings: Warnings;
  /** Present when a model is to be asked about the page. */
  readonly forModel?: PageForModel;
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

/** A document, as its readings pass it on. */
export class OpenDocument {
  readonly document: ParsedDocument;
  /** Text that was parsed. */
  readonly source: string;
  readonly wanted: Extraction;
  readonly budget: Budget;
  /** Orders of the elements that a browser does not show. */
  readonly hidden: ReadonlySet<number> | undefined;
  /** Values so far. */
  readonly values: { -readonly [Name in keyof PageValues]?: PageValues[Name] } = {};
  readonly warnings: Warnings[number][] = [];
  #facts: PageFacts | undefined;

  constructor({
    document,
    source,
    wanted,
    budget,
  }: Pick<OpenDocument, 'document' | 'source' | 'wanted' | 'budget'>) {
    this.document = document;
    this.source = source;
    this.wanted = wanted;
    this.budget = budget;
    this.hidden = wanted.hiddenMark && takeHiddenMarks(document, wanted.hiddenMark);
  }

  /** Facts about the whole page. */
  get facts(): PageFacts {
    this.#facts ??= readPageFacts(this.document, this.budget);
    return this.#facts;
  }
}

/** One kind of values that are read from documents. */
export interface Reading {
  /** Returns what a request wants of it. Throws INVALID_SELECTOR. */
  readonly plan?: (options: ScrapeOptions) => Partial<Wanted>;
  /** Returns true if it is wanted and looks outside of the part of the page that selectors need. */
  readonly needsWhole?: (wanted: Wanted) => boolean;
  /** Adds its values, if they are wanted. */
  readonly read: (page: OpenDocument) => void;
}
