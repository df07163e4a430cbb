import {
  type Action,
  AppError,
  type Cookie,
  type Overlay,
  type ScrapeRequest,
  type StageName,
  type StepScreenshots,
  screenshotOf,
  type TracedAction,
  timeoutMsOf,
  untilAborted,
} from '@gleaner/contracts';
import type { EgressPolicy, StageClock } from '@gleaner/egress';
import { type OpenSecret, runActions } from '../browser/actions/run-actions.ts';
import { applyDisguise } from '../browser/disguise/apply-disguise.ts';
import { describeVisitor } from '../browser/disguise/describe-visitor.ts';
import { dismissOverlays } from '../browser/overlays/dismiss-overlays.ts';
import { type FrontLayer, findFrontLayer } from '../browser/overlays/find-front-layer.ts';
import type { BrowserKind } from '../browser/process/chromium-flags.ts';
import { captureScreenshot } from '../browser/tab/capture-screenshot.ts';
import { readCookies, setCookies } from '../browser/tab/cookies.ts';
import { type Frames, inlineFrames, readFrames } from '../browser/tab/frames.ts';
import type { Tab } from '../browser/tab/open-tab.ts';
import { NavigationFailed, PageWatch } from '../browser/tab/page-watch.ts';
import { type CapturedBodies, ResponseCapture } from '../browser/tab/response-capture.ts';
import { sendHeaders } from '../browser/tab/send-headers.ts';
import { putState, readState } from '../browser/tab/session-state.ts';
import { setViewport } from '../browser/tab/set-viewport.ts';
import { settle } from '../browser/tab/settle.ts';
import { type Snapshot, takeSnapshot } from '../browser/tab/snapshot.ts';
import { waitFor } from '../browser/tab/wait-for.ts';
import { waitForCheck } from '../browser/tab/wait-for-check.ts';
import { classifyRendered } from '../classify/classify-rendered.ts';
import { explainNavigation, findRefusal } from '../classify/explain-navigation.ts';
import { redirectedTo } from '../classify/no-page.ts';
import { documentKindOf } from '../decode/content-type.ts';
import type { SessionState } from '../profiles/open-profile.ts';
import { inStage } from './stage.ts';

/** Browser tab and rules for one visit. */
export interface VisitContext {
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
  /** Called after each step of the actions. */
  readonly onStep?: ((step: TracedAction) => void) | undefined;
  /** Called with images of the window after steps. */
  readonly onScreenshot?: ((screenshot: StepScreenshots[number]) => void) | undefined;
  /** Returns false for the URL of a document that is another page than the one asked for; undefined if any may be read. */
  readonly mayLeadTo?: ((url: URL) => boolean) | undefined;
}

/** Everything that was read from a page, all of it from one document. */
export interface VisitedPage extends Snapshot {
  readonly statusCode: number;
  /** Headers of the document, by lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Cookies that later requests may use; empty without antiBot. */
  readonly cookies: readonly Cookie[];
  readonly screenshot?: string;
  /** The session after the visit, if it began with one. */
  readonly state?: SessionState;
  /** Layers that were dismissed, on any document of the visit. */
  readonly overlays: readonly Overlay[];
  /** Names of those that could not be. */
  readonly overlaysLeft: readonly string[];
  /** Element that covers most of the window in front of the page. */
  readonly layer: FrontLayer | undefined;
  /** Number of frames whose documents are not in the source, though they were asked for. */
  readonly framesLeftOut: number;
  /** Responses that were to be captured. */
  readonly captured?: CapturedBodies;
}

/** Loads the page in the tab and reads what the request asks for. */
export async function visitPage(
  request: ScrapeRequest,
  context: VisitContext,
  signal: AbortSignal,
): Promise<VisitedPage> {
  const { url } = request;
  const { tab, policy, mayLeadTo, state } = context;
  if (state) await putSession(tab, state, signal);
  const watch = new PageWatch(tab, (documentUrl) => findRefusal(documentUrl, url, policy));
  const visit = new Visit(request, { ...context, watch, signal });
  try {
    return await visit.run();
  } catch (error) {
    if (!(error instanceof NavigationFailed)) throw error;
    const { documentUrl = url, lastAnswer: answer } = watch;
    const isAllowed = findRefusal(documentUrl, url, policy) === undefined;
    if (isAllowed) requireSamePage(documentUrl, url, mayLeadTo);
    const proxyFailure = tab.proxy.failureOf(documentUrl);
    return explainNavigation({ errorText: error.message, url, documentUrl, answer, proxyFailure }, policy);
  }
}

/** Puts a session into the context of a tab before the visit. */
async function putSession(tab: Tab, state: SessionState, signal: AbortSignal): Promise<void> {
  await inStage('preparing the browser', signal, untilAborted(putState(tab, state), signal), 'api');
}

interface VisitDeps extends VisitContext {
  readonly watch: PageWatch;
  readonly signal: AbortSignal;
}

/** Names of the stages in messages, after "while". */
const PHRASES = {
  prepare: 'preparing the browser',
  load: 'loading the page',
  settle: 'waiting for the page to settle',
  check: "waiting for the site's check to finish",
  overlays: 'dismissing the overlays',
  actions: 'doing the actions',
  snapshot: 'reading the rendered page',
  screenshot: 'taking the screenshot',
} as const satisfies Partial<Record<StageName, string>>;

/** A dismissal may lead to another document with a layer of its own; a page that goes on like this is read with it. */
const MAX_DISMISSALS = 3;

/** The stages of one visit, which share a tab and a deadline. */
class Visit {
  readonly #request: ScrapeRequest;
  readonly #tab: Tab;
  readonly #kind: BrowserKind;
  readonly #policy: VisitContext['policy'];
  readonly #clock: StageClock;
  readonly #watch: PageWatch;
  readonly #mayLeadTo: VisitContext['mayLeadTo'];
  readonly #deadlineMs: number;
  readonly #onStep: (step: TracedAction) => void;
  readonly #onScreenshot: VisitContext['onScreenshot'];
  readonly #findSecret: VisitContext['findSecret'];
  readonly #capture: ResponseCapture | undefined;
  readonly #state: SessionState | undefined;
  /** Aborted at the deadline, and when the tab cannot go on. */
  readonly #alive: AbortSignal;
  #dismissals = 0;
  readonly #dismissed = new Map<string, Overlay>();
  #overlaysLeft: readonly string[] = [];
  #hasActed = false;

  constructor(
    request: ScrapeRequest,
    {
      tab,
      kind,
      policy,
      clock,
      deadlineMs = Number.POSITIVE_INFINITY,
      onStep = () => {},
      onScreenshot,
      findSecret,
      state,
      watch,
      signal,
      mayLeadTo,
    }: VisitDeps,
  ) {
    this.#request = request;
    this.#tab = tab;
    this.#kind = kind;
    this.#policy = policy;
    this.#clock = clock;
    this.#watch = watch;
    this.#mayLeadTo = mayLeadTo;
    this.#deadlineMs = deadlineMs;
    this.#onStep = onStep;
    this.#onScreenshot = onScreenshot;
    this.#findSecret = findSecret;
    this.#capture = request.capture && new ResponseCapture(tab.session, request.capture);
    this.#state = state;
    this.#alive = AbortSignal.any([signal, watch.broken]);
  }

  /** The stages inside the browser, in order. */
  async run(): Promise<VisitedPage> {
    const request = this.#request;
    const [tab, watch, alive] = [this.#tab, this.#watch, this.#alive];
    await this.#inStage('prepare', () => this.#prepare());
    await this.#inStage('load', () => this.#navigate());
    for (;;) {
      await this.#inStage('settle', () => settle(tab, watch, alive));
      // Steps may lead to other pages.
      if (watch.response && !this.#hasActed)
        requireSamePage(watch.response.url, request.url, this.#mayLeadTo);
      if (watch.documentError) throw new NavigationFailed(watch.documentError);
      if (request.antiBot) {
        await this.#inStage('check', () => waitForCheck(tab, watch, alive));
      }
      const { navigations } = watch;
      if (this.#dismissals < MAX_DISMISSALS) await this.#dismissOverlays();
      if (watch.navigations !== navigations) continue;
      if (request.actions && !this.#hasActed) await this.#act(request.actions);
      if (request.waitFor !== undefined) await this.#waitFor(request.waitFor);
      if (this.#capture) await this.#waitForResponses(this.#capture);
      const page = await watch.whileItStays(() => this.#read());
      if (page) return page;
    }
  }

  async #prepare(): Promise<void> {
    const { url, cookies = [], headers = {} } = this.#request;
    const { cookie: cookieHeader, ...others } = withLowerCaseNames(headers);
    if (this.#kind === 'disguised') {
      await applyDisguise(this.#tab, describeVisitor(this.#tab.browser, this.#request));
    }
    await setViewport(this.#tab, screenshotOf(this.#request) ?? {});
    await setCookies(this.#tab, { url, cookies, cookieHeader });
    await sendHeaders(this.#tab, url, others);
    await this.#capture?.prepare();
  }

  /** Resolves when the document has begun to arrive. */
  async #navigate(): Promise<void> {
    const { url } = this.#request;
    const { errorText } = await this.#tab.session.send('Page.navigate', { url });
    if (errorText !== undefined) throw new NavigationFailed(errorText);
  }

  async #dismissOverlays(): Promise<void> {
    const { overlays: action = 'keep' } = this.#request;
    if (action === 'keep') return;
    const [tab, watch, signal] = [this.#tab, this.#watch, this.#alive];
    this.#dismissals += 1;
    const url = watch.response?.url ?? this.#request.url;
    const { dismissed, left } = await this.#inStage('overlays', () =>
      dismissOverlays(tab, watch, { action, url, timeoutMs: timeoutMsOf(this.#request), signal }),
    );
    for (const cmp of dismissed) this.#dismissed.set(cmp, { cmp, action });
    this.#overlaysLeft = left;
    if (dismissed.length > 0) await this.#inStage('settle', () => settle(tab, watch, signal));
  }

  /** Does the steps once, whatever documents they lead to. */
  async #act(actions: readonly Action[]): Promise<void> {
    const [tab, watch, signal, deadlineMs] = [this.#tab, this.#watch, this.#alive, this.#deadlineMs];
    const hooks = { onStep: this.#onStep, onScreenshot: this.#onScreenshot, findSecret: this.#findSecret };
    this.#hasActed = true;
    const isMobile = screenshotOf(this.#request)?.mobile === true;
    try {
      await this.#inStage('actions', () =>
        runActions(actions, { tab, watch, deadlineMs, isMobile, signal, ...hooks }),
      );
    } catch (error) {
      // A wall, or the page of an error status, lacks what the steps need: it says more than they do.
      if (error instanceof AppError && error.code === 'ACTION_FAILED') await this.#classify();
      throw error;
    }
    await this.#inStage('settle', () => settle(tab, watch, signal));
  }

  /** Throws if the current document is not one to read. */
  async #classify(): Promise<void> {
    const { response } = this.#watch;
    const page = await this.#watch.whileItStays(() => takeSnapshot(this.#tab, 'html'));
    if (page) classifyRendered(response, { url: page.url, html: page.source });
  }

  #waitFor(condition: string | number): Promise<void> {
    return this.#waitingFor(() => waitFor(this.#tab, condition, this.#alive));
  }

  #waitForResponses(capture: ResponseCapture): Promise<void> {
    return this.#waitingFor(() => capture.untilMet(this.#alive));
  }

  async #waitingFor(wait: () => Promise<void>): Promise<void> {
    this.#clock.enter('waitFor');
    try {
      await wait();
    } catch (error) {
      // The page of an error status cannot meet the condition: the status says more than a TIMEOUT.
      const { response } = this.#watch;
      if (response) classifyRendered(response, { url: response.url, html: '' });
      throw error;
    }
  }

  /** Reads everything that was asked for from one document. */
  async #read(): Promise<VisitedPage> {
    const { antiBot } = this.#request;
    const wanted = screenshotOf(this.#request);
    const { response } = this.#watch;
    const sentAs = documentKindOf(response?.headers['content-type']);
    const frames = await this.#inStage('snapshot', () => this.#readFrames());
    const layer = await this.#inStage('snapshot', () => findFrontLayer(this.#tab));
    const snapshot = await this.#inStage('snapshot', () => takeSnapshot(this.#tab, sentAs));
    const { statusCode } = classifyRendered(response, { url: snapshot.url, html: snapshot.source });
    const cookies = antiBot ? await this.#inStage('snapshot', () => readCookies(this.#tab)) : [];
    const overlays = { overlays: [...this.#dismissed.values()], overlaysLeft: this.#overlaysLeft };
    // A wall in a frame is not one before the page.
    const whole = { ...snapshot, ...inlineFrames(snapshot.source, frames) };
    const state = await this.#inStage('snapshot', () => this.#readState());
    const captured = await this.#inStage('snapshot', async () => this.#capture?.take(this.#alive));
    const page = {
      ...{ ...whole, statusCode, cookies, headers: response?.headers ?? {}, layer, ...overlays },
      ...(captured && { captured }),
      ...(state && { state }),
    };
    if (!wanted) return page;
    const screenshot = await this.#inStage('screenshot', () => captureScreenshot(this.#tab, wanted));
    return { ...page, ...(screenshot !== undefined && { screenshot }) };
  }

  async #readState(): Promise<SessionState | undefined> {
    if (!this.#state) return undefined;
    const { userAgent } = this.#tab.browser;
    return { ...(await readState(this.#tab, this.#state)), userAgent: this.#state.userAgent ?? userAgent };
  }

  async #readFrames(): Promise<Frames> {
    if (!this.#request.frames) return { contents: [], leftOut: 0 };
    return await readFrames(this.#tab, (url) => mayReadFrame(url, this.#policy));
  }

  /** Runs a stage for as long as there is time and a tab. */
  #inStage<Result>(stage: keyof typeof PHRASES, work: () => Promise<Result>): Promise<Result> {
    this.#clock.enter(stage);
    const source = stage === 'prepare' ? 'api' : 'target';
    return inStage(PHRASES[stage], this.#alive, untilAborted(work(), this.#alive), source);
  }
}

/** Returns true for the URL of a frame that the page wrote itself, or that a scrape may request. */
function mayReadFrame(url: string, policy: VisitContext['policy']): boolean {
  if (/^(about|blob|data):/.test(url)) return true;
  try {
    policy.checkUrl(url);
    return true;
  } catch {
    return false;
  }
}

/** Throws if a document came from the URL of another page. */
function requireSamePage(documentUrl: string, url: string, mayLeadTo: VisitContext['mayLeadTo']): void {
  const document = URL.parse(documentUrl);
  if (!mayLeadTo || !document || !/^https?:$/.test(document.protocol)) return;
  if (!mayLeadTo(document)) throw redirectedTo(document.href, url);
}

function withLowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
