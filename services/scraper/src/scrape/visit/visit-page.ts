import {
  type Cookie,
  defined,
  type Overlay,
  type ScrapeRequest,
  type StepScreenshots,
  type TracedAction,
  untilAborted,
} from '@gleaner/contracts';
import type { EgressPolicy, StageClock } from '@gleaner/egress';
import type { HiddenMark } from '@gleaner/extraction';
import type { OpenSecret } from '../../browser/actions/actions-context.ts';
import type { FrontLayer } from '../../browser/overlays/find-front-layer.ts';
import type { BrowserKind } from '../../browser/process/chromium-flags.ts';
import type { Frames } from '../../browser/tab/frames.ts';
import type { Tab } from '../../browser/tab/open-tab.ts';
import { NavigationFailed, PageWatch } from '../../browser/tab/page-watch.ts';
import { type CapturedBodies, ResponseCapture } from '../../browser/tab/response-capture.ts';
import { putState } from '../../browser/tab/session-state.ts';
import type { Snapshot } from '../../browser/tab/snapshot.ts';
import type { DocumentResponse } from '../../classify/classify-rendered.ts';
import { explainNavigation, findRefusal } from '../../classify/explain-navigation.ts';
import { redirectedTo } from '../../classify/no-page.ts';
import type { SessionState } from '../open-profile.ts';
import { inStage, runStages, type Stage } from '../stage.ts';

/** Stages of a visit. */
export interface VisitStages {
  /** Until the first document begins to arrive. */
  readonly open: readonly Stage<Visit>[];
  /** For each document, until it is ready to be read. */
  readonly document: readonly Stage<Visit>[];
  /** For the reading of one document; all again when another one comes before its end. */
  readonly read: readonly Stage<Reading>[];
}

/** Browser tab and rules for one visit. */
export interface VisitContext {
  readonly stages: VisitStages;
  readonly tab: Tab;
  readonly kind: BrowserKind;
  readonly policy: Pick<EgressPolicy, 'checkUrl'>;
  readonly clock: StageClock;
  /** Milliseconds since 1970 at which the time of the request is over; for its actions. */
  readonly deadlineMs?: number | undefined;
  /** Returns a secret that the actions name. */
  readonly findSecret?: ((name: string) => OpenSecret | undefined) | undefined;
  /** Session that the page is visited with. */
  readonly state?: SessionState | undefined;
  /** Called when the actions begin. */
  readonly onActing?: (() => void) | undefined;
  /** Called after each step of the actions. */
  readonly onStep?: ((step: TracedAction) => void) | undefined;
  /** Called with images of the window after steps. */
  readonly onScreenshot?: ((screenshot: StepScreenshots[number]) => void) | undefined;
  /** Returns false for the URL of a document that is another page than the one asked for; undefined if any may be read. */
  readonly mayLeadTo?: ((url: URL) => boolean) | undefined;
}

/** Parts of a document that the stages have read so far. */
interface Parts {
  response?: DocumentResponse;
  snapshot?: Snapshot;
  frames?: Frames;
  /** Number of frames whose documents are not in the source, though they were asked for. */
  framesLeftOut?: number;
  /** Element that covers most of the window in front of the page. */
  layer?: FrontLayer | undefined;
  /** Mark of the elements that the browser does not show. */
  hiddenMark?: HiddenMark | undefined;
  /** Cookies that later requests may use. */
  cookies?: VisitedPage['cookies'];
  /** The session after the visit. */
  state?: SessionState;
  /** Responses that were to be captured. */
  captured?: CapturedBodies;
  screenshot?: string | undefined;
}

/** Everything that was read from a page, all of it from one document. */
export interface VisitedPage extends Snapshot {
  /** URL with the secrets that are hidden in `url`. */
  readonly reachedUrl?: string;
  readonly statusCode: number;
  /** Headers of the document, by lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty without antiBot. */
  readonly cookies: readonly Cookie[];
  readonly screenshot?: string;
  /** Set if the visit began with a session. */
  readonly state?: SessionState;
  /** Layers that were dismissed, on any document of the visit. */
  readonly overlays: readonly Overlay[];
  /** Names of layers that could not be dismissed. */
  readonly overlaysLeft: readonly string[];
  readonly layer: FrontLayer | undefined;
  readonly hiddenMark?: HiddenMark;
  readonly framesLeftOut: number;
  readonly captured?: CapturedBodies;
}

/** Loads the page in the tab and reads what the request asks for. */
export async function visitPage(
  request: ScrapeRequest,
  context: VisitContext,
  signal: AbortSignal,
): Promise<VisitedPage> {
  const { url } = request;
  const { tab, policy, stages, mayLeadTo, state } = context;
  // Filling its storage navigates, which is not watched.
  if (state)
    await inStage('preparing the browser', signal, untilAborted(putState(tab, state), signal), 'api');
  const watch = new PageWatch(tab, (documentUrl) => findRefusal(documentUrl, url, policy));
  const visit = new Visit(request, { ...context, watch, signal });
  try {
    return await runAll(stages, visit);
  } catch (error) {
    if (!(error instanceof NavigationFailed)) throw error;
    const { documentUrl = url, lastAnswer: answer } = watch;
    const isAllowed = findRefusal(documentUrl, url, policy) === undefined;
    if (isAllowed) requireSamePage(documentUrl, url, mayLeadTo);
    const proxyFailure = tab.proxy.failureOf(documentUrl);
    return explainNavigation({ errorText: error.message, url, documentUrl, answer, proxyFailure }, policy);
  }
}

async function runAll({ open, document, read }: VisitStages, visit: Visit): Promise<VisitedPage> {
  await runStages(open, visit);
  for (;;) {
    if ((await runStages(document, visit)) === 'again') continue;
    const page = await visit.watch.whileItStays(async () => {
      const reading = new Reading(visit);
      await runStages(read, reading);
      return reading.result;
    });
    if (page) return page;
  }
}

/** One visit, as its stages pass it on: they share a tab and a deadline. */
export class Visit {
  readonly request: ScrapeRequest;
  readonly context: VisitContext;
  readonly tab: Tab;
  readonly clock: StageClock;
  readonly watch: PageWatch;
  /** Aborted at the deadline, and when the tab cannot go on. */
  readonly signal: AbortSignal;
  readonly leavesStages = true;
  /** Keeps responses, if some are to be captured. */
  readonly capture: ResponseCapture | undefined;
  /** True while a stage has changed the page, and it has not settled since. */
  isUnsettled = true;
  /** Number of documents before the last dismissal of layers. */
  navigationsBefore: number | undefined;
  dismissals = 0;
  readonly dismissed = new Map<string, Overlay>();
  overlaysLeft: readonly string[] = [];
  hasActed = false;

  constructor(
    request: ScrapeRequest,
    { watch, signal, ...context }: VisitContext & { readonly watch: PageWatch; readonly signal: AbortSignal },
  ) {
    this.request = request;
    this.context = context;
    this.tab = context.tab;
    this.clock = context.clock;
    this.watch = watch;
    this.signal = AbortSignal.any([signal, watch.broken]);
    this.capture = request.capture && new ResponseCapture(this.tab.session, request.capture);
  }
}

/** One document of a visit while it is read. When another one comes, its parts are left with it. */
export class Reading {
  readonly visit: Visit;
  readonly request: ScrapeRequest;
  readonly context: VisitContext;
  readonly tab: Tab;
  readonly clock: StageClock;
  readonly signal: AbortSignal;
  readonly leavesStages = true;
  /** Parts that were read so far. */
  readonly parts: Parts = {};

  constructor(visit: Visit) {
    this.visit = visit;
    this.request = visit.request;
    this.context = visit.context;
    this.tab = visit.tab;
    this.clock = visit.clock;
    this.signal = visit.signal;
  }

  /** The page, once all stages are done. */
  get result(): VisitedPage {
    const { response, snapshot, layer, framesLeftOut = 0, cookies = [], ...others } = this.parts;
    if (!response || !snapshot) throw new Error('No stage has read the document.');
    const { state, captured, screenshot, hiddenMark } = others;
    const { statusCode, headers } = response;
    return {
      ...snapshot,
      statusCode,
      headers,
      cookies,
      layer,
      framesLeftOut,
      overlays: [...this.visit.dismissed.values()],
      overlaysLeft: this.visit.overlaysLeft,
      ...defined({ state, captured, screenshot, hiddenMark }),
    };
  }
}

/** Throws if a document came from the URL of another page. */
export function requireSamePage(
  documentUrl: string,
  url: string,
  mayLeadTo: VisitContext['mayLeadTo'],
): void {
  const document = URL.parse(documentUrl);
  if (!mayLeadTo || !document || !/^https?:$/.test(document.protocol)) return;
  if (!mayLeadTo(document)) throw redirectedTo(document.href, url);
}
