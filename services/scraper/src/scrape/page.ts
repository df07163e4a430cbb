import type {
  Cookie,
  CrawlFindings,
  Engine,
  Method,
  PackedPage,
  PageCommand,
  ReusablePage,
  ScrapeRequest,
  StepScreenshots,
  TracedAction,
  Warning,
} from '@gleaner/contracts';
import type { EgressPolicy, FetchedPage, HttpClient, ProxyPools, Route, StageClock } from '@gleaner/egress';
import type { Logger, SecretBox } from '@gleaner/service-kit';
import type { BrowserPool } from '../browser/browser-pool.ts';
import type { Calibrations, Visitor } from '../calibrate/calibrations.ts';
import type { PageMemory } from '../capacity/page-memory.ts';
import type { DownloadDeps, FileIntake } from '../download/file-intake.ts';
import type { PageReader } from '../extract/page-reader.ts';
import type { PageToRead } from '../extract/read-page.ts';
import type { PageValues } from '../extract/reading.ts';
import type { ModelExtractor } from '../model/model-extractor.ts';
import type { AccountSecrets } from '../secrets/account-secrets.ts';
import type { OpenProfile, SessionState } from './open-profile.ts';
import type { ScrapedPage, ScrapeTask } from './scrape.ts';
import type { VisitContext, VisitedPage } from './visit/visit-page.ts';

/** Dependencies of all pages. */
export interface PageDeps {
  readonly pageReader: Pick<PageReader, 'read'>;
  /** Returns the job of a page; not set for scrapes, whose callers wait, nor for rendered pages: they are few. */
  readonly jobIdOf?: (requestId: string) => string;
}

/** Dependencies of pages that a site is asked for. */
export interface SiteDeps extends PageDeps {
  readonly httpClient: HttpClient;
  readonly pageReader: PageReader;
  readonly calibrations: Calibrations;
  readonly proxyPools: ProxyPools;
  readonly logger: Pick<Logger, 'error'>;
  /** Opens profiles and secrets; undefined without SECRETS_KEY. */
  readonly secretBox: SecretBox | undefined;
  /** Undefined without LLM_URL. */
  readonly model?: Pick<ModelExtractor, 'extract'> | undefined;
}

/** Dependencies of pages that are fetched. */
export interface PlainDeps extends SiteDeps {
  /** The rung whose client it is. */
  readonly rung: 'plain' | 'chrome';
  readonly pageMemory: PageMemory;
  readonly downloads: DownloadDeps;
  /** Methods that the operator allows. */
  readonly methods: readonly Method[];
}

/** Dependencies of pages that are rendered. */
export interface RenderDeps extends SiteDeps {
  readonly browserPool: BrowserPool;
  readonly policy: Pick<EgressPolicy, 'checkUrl'>;
  /** True for a browser that looks like a person's. */
  readonly isDisguised: boolean;
  /** True when pages of one account may use one browser context after the other. */
  readonly sharesContexts: boolean;
}

/** Route of one attempt, and what its trace shows. */
export interface Attempt {
  /** Undefined for the direct one. */
  readonly route: Route | undefined;
  /** Name of the proxy. */
  readonly proxy: string | undefined;
  readonly clock: StageClock;
  /** Takes the steps that were done. */
  readonly actions: TracedAction[];
  /** Takes the images after them. */
  readonly stepScreenshots: StepScreenshots;
  /** Records that bytes of the request may have been sent. */
  readonly noteSent: () => void;
}

/** Task and limits of a page. */
export interface PageContext<Deps> {
  readonly task: ScrapeTask;
  readonly deps: Deps;
  readonly engine: Engine;
  readonly attempt: Pick<Attempt, 'clock'> & Partial<Attempt>;
  /** Milliseconds since 1970 at which the time of the task is over. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** Response or snapshot that a page comes from. */
interface Source {
  /** URL after redirects. */
  readonly finalUrl: string;
  /** The same with its secrets, for internal use; only if it has any. */
  readonly reachedUrl?: string | undefined;
  readonly statusCode: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Document to read, in the form in which it came. */
interface Document extends Pick<PageToRead, 'body' | 'encoding' | 'kind' | 'documentEncoding'> {
  /** Returns the whole of it as text. */
  readonly decode: () => string;
}

type Mutable<Properties> = { -readonly [Name in keyof Properties]: Properties[Name] };

/**
 * One attempt at a page, as its stages pass it on: the request, then the source, the document, its values and the result.
 * Disposing of it frees what the stages hold.
 */
export class Page<Deps extends PageDeps = PageDeps> implements Disposable {
  readonly task: ScrapeTask;
  readonly deps: Deps;
  readonly engine: Engine;
  readonly attempt: PageContext<Deps>['attempt'];
  readonly clock: StageClock;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** Frees what the page holds. */
  readonly held = new DisposableStack();
  /** Request of the task; for a login, with its steps. */
  request: ScrapeRequest;
  /** URL of the request. */
  url: string;
  /** Parts of the document to read, and what to read from it. */
  readonly wanted: Mutable<
    Omit<PageToRead, 'body' | 'encoding' | 'kind' | 'baseUrl' | 'askedUrl' | 'engine'>
  > = {
    plan: null,
    formats: [],
  };
  /** Session that the page is requested with. */
  profile: OpenProfile | undefined;
  /** Secrets that the steps write; undefined if they write none. */
  secrets: AccountSecrets | undefined;
  /** Returns the state of the session after the request. */
  sessionAfter: (() => SessionState | undefined) | undefined;
  /** Returns false for the URL of another page than the one of a crawl, which is not requested. */
  mayLeadTo: ((url: URL) => boolean) | undefined;
  /** Does the same where another URL may be a login, which is known once it is read. */
  mayEndAt: ((url: URL) => boolean) | undefined;
  /** Takes the body if it is a file. */
  intake: FileIntake | undefined;
  /** The body that was read, if it is to be kept as a file as well. */
  heldFile: Buffer | undefined;
  /** Way to other pages of the site, which shows how it answers. */
  visitor: Visitor | undefined;
  /** Headers by which a later request can ask whether the page has changed. */
  validators: Pick<CrawlFindings, 'etag' | 'lastModified'> = {};
  /** The document as it is kept. */
  packed: PackedPage | undefined;
  /** The document as it is kept for `maxAge`. */
  reusable: ReusablePage | undefined;
  /** Cookies of the browser, where later requests may use them. */
  cookies: readonly Cookie[] | undefined;
  readonly warnings: Warning[] = [];
  /** Parts of the result so far. */
  readonly found: Mutable<Partial<ScrapedPage['page']>> = {};
  #source: Source | undefined;
  #document: Document | undefined;
  #values: PageValues | undefined;

  constructor({ task, deps, engine, attempt, deadlineMs, signal }: PageContext<Deps>) {
    this.task = task;
    this.deps = deps;
    this.engine = engine;
    this.attempt = attempt;
    this.clock = attempt.clock;
    this.deadlineMs = deadlineMs;
    this.signal = signal;
    this.request = task.request;
    this.url = task.request.url;
  }

  /** The response or snapshot, once there is one. */
  get source(): Source {
    return this.#source ?? missing('source');
  }

  set source(source: Source) {
    this.#source = source;
  }

  /** The document, once the source is known to be one. */
  get document(): Document {
    return this.#document ?? missing('document');
  }

  set document(document: Document) {
    this.#document = document;
  }

  /** Everything that was read from the document. */
  get values(): PageValues {
    return this.#values ?? missing('values');
  }

  set values(values: PageValues) {
    this.#values = values;
  }

  /** Options for what waits or works on behalf of the page. */
  get reading() {
    const { deps, signal, task } = this;
    return {
      accountId: task.accountId,
      jobId: deps.jobIdOf?.(task.requestId),
      signal,
    };
  }

  /** The result, once all stages are done. */
  get result(): ScrapedPage['page'] {
    const { finalUrl, statusCode } = this.source;
    return {
      timestamp: new Date().toISOString(),
      ...this.found,
      warnings: this.warnings,
      finalUrl,
      statusCode,
      engine: this.engine,
    };
  }

  [Symbol.dispose](): void {
    this.held.dispose();
  }
}

/** A page that a site is asked for, in either engine. */
export type SitePage = Page<SiteDeps>;

/** A page that is fetched. */
export class PlainPage extends Page<PlainDeps> {
  /** Parts of the request. */
  readonly outgoing: Outgoing = { headers: {} };
  #response: FetchedPage | undefined;

  /** The response, once it has arrived. */
  get response(): FetchedPage {
    return this.#response ?? missing('response');
  }

  set response(response: FetchedPage) {
    this.#response = response;
  }
}

/** Parts of a request that stages add. */
interface Outgoing
  extends Mutable<Pick<Parameters<HttpClient['fetchPage']>[0], 'method' | 'body' | 'jar' | 'chooseSink'>> {
  /** Headers that the caller's own ones replace. */
  readonly headers: Record<string, string>;
  /** Headers that replace the caller's. */
  conditions?: Readonly<Record<string, string>>;
}

/** A page that is rendered. */
export class RenderedPage extends Page<RenderDeps> {
  /** Parts of the visit that stages add. */
  readonly visiting: Mutable<
    Pick<VisitContext, 'deadlineMs' | 'state' | 'findSecret' | 'onStep' | 'onScreenshot'>
  > = {};
  #visited: VisitedPage | undefined;

  /** The visited page, once the visit is over. */
  get visited(): VisitedPage {
    return this.#visited ?? missing('visit');
  }

  set visited(visited: VisitedPage) {
    this.#visited = visited;
  }
}

/** A page whose values come from a snapshot, or from the page of an earlier request. */
export class KeptPage extends Page {
  /** The snapshot; null if it is not kept any more. */
  readonly kept: NonNullable<PageCommand['kept']> | null;

  constructor(context: PageContext<PageDeps>, kept: KeptPage['kept']) {
    super(context);
    this.kept = kept;
  }
}

function missing(part: string): never {
  throw new Error(`No stage has set the ${part} of the page.`);
}
