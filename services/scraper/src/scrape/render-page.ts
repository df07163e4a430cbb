import {
  hasCredentials,
  LIMITS,
  resultsOf,
  type ScrapeRequest,
  type StepScreenshots,
  screenshotOf,
  type TracedAction,
  type Warning,
} from '@gleaner/contracts';
import {
  type EgressPolicy,
  type HttpClient,
  type ProxyPools,
  type Route,
  type StageClock,
  startStageClock,
} from '@gleaner/egress';
import type { Logger, SecretBox } from '@gleaner/service-kit';
import { openSecrets } from '../browser/actions/account-secrets.ts';
import type { BrowserPool } from '../browser/browser-pool.ts';
import { redactCaptured } from '../browser/tab/response-capture.ts';
import type { Calibrations, Visitor } from '../calibrate/calibrations.ts';
import { hashOfText } from '../calibrate/shown-text.ts';
import { redirectedTo } from '../classify/no-page.ts';
import { requireContent } from '../classify/verdict/require-content.ts';
import { planFindings } from '../crawl/read-findings.ts';
import { createSamePage } from '../crawl/same-page.ts';
import type { PageReader } from '../extract/page-reader.ts';
import { noteReading, planCheck, wantedOf } from '../extract/read-page.ts';
import { expiredIfUnauthorized, openProfile } from '../profiles/open-profile.ts';
import { keepIfFits, packPage } from '../snapshots/pack-page.ts';
import { Attempts } from './attempts.ts';
import { findingOf } from './finding-of.ts';
import { createPlainVisitor } from './plain-visitor.ts';
import type { Finding, ScrapeContext, ScrapedPage, ScrapeTask } from './scrape.ts';
import { inStage, withStatus } from './stage.ts';
import { visitPage } from './visit-page.ts';

/** Dependencies of a rendered scrape. */
export interface RenderDeps {
  readonly browserPool: BrowserPool;
  /** Fetches the robots.txt of sites. */
  readonly httpClient: HttpClient;
  readonly calibrations: Calibrations;
  readonly proxyPools: ProxyPools;
  readonly pageReader: PageReader;
  readonly policy: Pick<EgressPolicy, 'checkUrl'>;
  readonly logger: Pick<Logger, 'error'>;
  /** Opens secrets of accounts; undefined without SECRETS_KEY. */
  readonly secretBox: SecretBox | undefined;
  /** True for a browser that looks like a person's. */
  readonly isDisguised: boolean;
  /** True when pages of one account may use one browser context after the other. */
  readonly sharesContexts: boolean;
}

/** Renders the page of a command and extracts its data. Failures are returned as findings, never thrown. */
export async function renderPage(
  task: ScrapeTask,
  deps: RenderDeps,
  { signal, deadlineMs, proxies }: ScrapeContext,
): Promise<Finding> {
  const attempts = new Attempts<ScrapedPage>(task, { ...deps, proxies, engine: 'browser' });
  for (const route of attempts) {
    try {
      const rendered = await renderAndExtract(task, deps, {
        ...{ route, proxy: attempts.proxy, signal, deadlineMs, clock: attempts.clock },
        ...{ actions: attempts.actions, stepScreenshots: attempts.stepScreenshots },
      });
      attempts.succeeded(rendered, rendered.page.statusCode);
    } catch (error) {
      attempts.failed(expiredIfUnauthorized(error, task));
    }
  }
  return findingOf(attempts.outcome, task);
}

/** Limits and route of one attempt. */
interface AttemptContext {
  readonly route: Route | undefined;
  /** Name of the proxy. */
  readonly proxy: string | undefined;
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
  readonly clock: StageClock;
  /** Takes the steps that were done. */
  readonly actions: TracedAction[];
  /** Takes the images after them. */
  readonly stepScreenshots: StepScreenshots;
}

/** The stages of a rendered scrape, in order; those inside the browser are in `visitPage`. */
async function renderAndExtract(
  task: ScrapeTask,
  deps: RenderDeps,
  { route, proxy, signal, deadlineMs, clock, actions, stepScreenshots }: AttemptContext,
): Promise<ScrapedPage> {
  const { accountId, crawl } = task;
  const { browserPool, pageReader, policy, isDisguised, sharesContexts } = deps;
  const profile = openProfile(task, deps.secretBox, proxy);
  const request = profile?.actions ? { ...task.request, actions: profile.actions } : task.request;
  const { href: url } = policy.checkUrl(request.url);
  const wanted = wantedOf(request);
  const isSamePage = crawl && createSamePage(url, crawl);
  // Whether a redirect leads to a login is known once it is followed.
  const mayLeadTo = profile ? undefined : isSamePage;
  // Without images, some of what a person clicks has no size.
  const hasActions = (request.actions ?? []).length > 0;
  const kind = isDisguised ? 'disguised' : request.screenshot || hasActions ? 'visual' : 'plain';
  const isOwn = request.freshContext || profile !== undefined || hasCredentials(request);
  const isShared = sharesContexts && !isDisguised && !isOwn;
  const secrets = openSecrets(task.secrets, { accountId, url }, deps.secretBox);
  const onStep = ({ url: seenUrl, ...step }: TracedAction) =>
    void actions.push({ ...step, ...(seenUrl !== undefined && { url: secrets.redact(seenUrl) }) });
  const onScreenshot = request.stepScreenshots
    ? (image: StepScreenshots[number]) => void stepScreenshots.push(image)
    : undefined;
  clock.enter('browser');
  const visiting = browserPool.withTab(
    { kind, route, accountId: isShared ? accountId : undefined },
    signal,
    (tab, tabSignal) =>
      visitPage(
        { ...request, url },
        {
          ...{ tab, policy, kind, mayLeadTo, clock, deadlineMs, onStep, onScreenshot },
          ...{ findSecret: secrets.find, state: profile?.state },
        },
        tabSignal,
      ),
  );
  const seen = await inStage('waiting for a browser', signal, visiting, 'api').catch((error: unknown) => {
    throw secrets.redactError(error);
  });
  const visited = {
    ...{ ...seen, source: secrets.redact(seen.source), url: secrets.redact(seen.url) },
    ...(seen.captured && { captured: redactCaptured(seen.captured, secrets.redact) }),
  };
  clock.enter('queue');
  const reading = pageReader.read(
    {
      body: Buffer.from(visited.source),
      encoding: 'utf-8',
      kind: visited.kind,
      baseUrl: visited.url,
      askedUrl: url,
      engine: 'browser',
      documentEncoding: visited.encoding,
      ...(visited.layer && { layer: visited.layer }),
      ...(visited.captured && { captured: visited.captured }),
      ...wanted,
      ...(profile?.selector !== undefined && { check: planCheck(profile.selector) }),
      ...(crawl && { findings: planFindings(crawl, { url, headers: visited.headers, keepsRoutes: true }) }),
    },
    // Without a job id: rendered pages are few, and reading one costs little beside rendering it.
    { accountId, signal },
  );
  const { url: finalUrl, statusCode, cookies, isCut, screenshot, overlays } = visited;
  const { times, thinText, mayBeShell, matchesCheck, missing, ...values } = await inStage(
    'extracting the data',
    signal,
    withStatus(statusCode, reading),
  );
  noteReading(times, clock);
  profile?.requireSignedIn({ url: finalUrl, matches: matchesCheck, verdict: values.verdict });
  if (profile && isSamePage && !isSamePage(new URL(finalUrl))) throw redirectedTo(finalUrl, url);
  const leftState = visited.state && profile?.leave(visited.state, finalUrl);
  clock.enter('calibrate');
  const verdict = await deps.calibrations.judge(
    { url: finalUrl, verdict: values.verdict, thinText: profile ? undefined : thinText, mayBeShell },
    createVisitor(task, deps, route),
    { deadlineMs: Math.min(task.deadlineMs, Date.now() + task.timeoutMs), signal },
  );
  const packed = request.snapshot
    ? await packPage(visited.source, { kind: visited.kind, baseUrl: finalUrl, encoding: visited.encoding })
    : undefined;
  requireContent(verdict, { ...request, statusCode, missing, packed });
  const { snapshot, warnings } = keepIfFits(packed, { ...values, screenshot });
  return {
    page: {
      ...{ ...values, verdict },
      ...(task.isOfJob && thinText !== undefined && !mayBeShell && { thinHash: hashOfText(thinText) }),
      warnings: [
        ...(isCut ? [CUT_SHORT] : []),
        ...(visited.framesLeftOut > 0 ? [framesLeftOut(visited.framesLeftOut)] : []),
        ...(visited.isCollectionCut ? [COLLECTION_CUT] : []),
        ...visited.overlaysLeft.map((cmp) => notDismissed(cmp, request)),
        ...(screenshot === undefined ? missingScreenshot(request) : []),
        ...values.warnings,
        ...warnings,
      ],
      ...(snapshot && { snapshot }),
      ...(leftState && { leftState }),
      ...{ finalUrl, statusCode },
      ...(hasActions && { actions: resultsOf(actions) }),
      ...(overlays.length > 0 && { overlays: [...overlays] }),
      timestamp: new Date().toISOString(),
      engine: 'browser',
      ...(screenshot !== undefined && { screenshot }),
    },
    cookies,
  };
}

/** Creates a visitor that renders pages as the page of the task was rendered, in contexts of their own. */
function createVisitor(
  { accountId, request: { overlays, proxy, timeout }, pauseMs }: ScrapeTask,
  { browserPool, httpClient, pageReader, policy, isDisguised }: RenderDeps,
  route: Route | undefined,
): Visitor {
  const kind = isDisguised ? 'disguised' : 'plain';
  const name = `${kind} ${overlays ?? 'keep'}`;
  const reading = { accountId };
  return {
    ...createPlainVisitor(name, { httpClient, pageReader, route, country: proxy, pauseMs, reading }),
    readText: async (url, signal) => {
      const request = { url, ...(overlays && { overlays }), ...(timeout !== undefined && { timeout }) };
      const mayLeadTo = (target: URL) => target.href === url;
      const clock = startStageClock();
      const visited = await browserPool.withTab(
        { kind, route, accountId: undefined },
        signal,
        (tab, tabSignal) => visitPage(request, { tab, policy, kind, mayLeadTo, clock }, tabSignal),
      );
      const page = { kind: visited.kind, baseUrl: visited.url, askedUrl: url, engine: 'browser' as const };
      const body = Buffer.from(visited.source);
      const read = await pageReader.read(
        { ...page, body, encoding: 'utf-8', plan: null, formats: [] },
        { ...reading, signal },
      );
      return visited.url === url && visited.statusCode === 200 ? (read.thinText ?? '') : undefined;
    },
  };
}

const CUT_SHORT = {
  code: 'XML_NOT_WELL_FORMED' as const,
  message:
    'The page was sent as XML but is not well-formed, so it was read up to its first error, as browsers do. ' +
    'Without render, all of it is read as HTML.',
};

const COLLECTION_CUT = {
  code: 'COLLECTION_CUT' as const,
  message: `Not all elements that were to be collected are in the page: at most ${LIMITS.maxCollected} are, within ${LIMITS.maxPageBytes / 1_048_576} MiB.`,
};

function framesLeftOut(count: number): Warning {
  const message = `The page was read without ${count} of its frames: at most ${LIMITS.maxFrames} are read, of ${LIMITS.maxFrameBytes} characters each, none from an address that may not be requested.`;
  return { code: 'FRAMES_LEFT_OUT', message };
}

function notDismissed(cmp: string, { overlays = 'keep' }: ScrapeRequest): Warning {
  const layer = cmp === 'unknown' ? 'a consent layer' : `the consent layer of ${cmp}`;
  const message = `The page was read with ${layer} over it: "overlays": "${overlays}" did not dismiss it in time.`;
  return { code: 'OVERLAY_NOT_DISMISSED', message };
}

/** Returns the warning of a page on which the selector of the screenshot matched nothing, in a list. */
function missingScreenshot(request: ScrapeRequest): readonly Warning[] {
  const selector = screenshotOf(request)?.selector;
  if (selector === undefined) return [];
  const message = `There is no screenshot: ${JSON.stringify(selector.slice(0, 200))} matched nothing that the page shows.`;
  return [{ code: 'SCREENSHOT_NOT_TAKEN', message }];
}
