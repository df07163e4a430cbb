import { type Action, defined, hasCredentials, type ScrapeRequest } from '@gleaner/contracts';
import { startStageClock } from '@gleaner/egress';
import type { BrowserKind } from '../../browser/process/chromium-flags.ts';
import { withoutMarks } from '../../snapshots/pack-page.ts';
import type { RenderedPage } from '../page.ts';
import { createPlainVisitor } from '../plain-visitor.ts';
import { type VisitedPage, type VisitStages, visitPage } from './visit-page.ts';

/** Throws INVALID_URL unless the page may be requested. */
export function checkUrl(page: RenderedPage): void {
  page.url = page.deps.policy.checkUrl(page.request.url).href;
}

/** Returns the stage that visits the page, by stages of its own, in a tab of a browser. */
export function visit(stages: VisitStages): (page: RenderedPage) => Promise<void> {
  return (page) => visitBy(stages, page);
}

async function visitBy(stages: VisitStages, page: RenderedPage): Promise<void> {
  const { deps, attempt, request, url, clock, signal, visiting, mayLeadTo } = page;
  const { browserPool, policy } = deps;
  const kind = kindOfBrowser(page);
  const { route } = attempt;
  const accountId = mayShareContext(page) ? page.task.accountId : undefined;
  let hasActed = false;
  const mayRepeat = () => !hasActed || mayActTwice(request.actions);
  const onActing = () => {
    hasActed = true;
    // The trace shows the steps of the visit that brought the page.
    attempt.actions?.splice(0);
    attempt.stepScreenshots?.splice(0);
  };
  page.visited = await browserPool.withTab({ kind, route, accountId, mayRepeat }, signal, (tab, tabSignal) =>
    visitPage(
      { ...request, url },
      { stages, tab, policy, kind, mayLeadTo, clock, onActing, ...visiting },
      tabSignal,
    ),
  );
}

/** Steps that only look at the page: they may be done again in another browser, unlike a click, which may have ordered something. */
const LOOKING = ['waitFor', 'hover', 'scroll', 'collect'] as const;

/** Returns whether all steps may be done a second time without the caller's knowledge. */
function mayActTwice(actions: readonly Action[] = []): boolean {
  return actions.every((action) =>
    'repeat' in action ? mayActTwice(action.repeat) : LOOKING.some((verb) => verb in action),
  );
}

/** Takes what the visit brought as the source and the document of the page. */
export function takeVisited(page: RenderedPage): void {
  const { url: finalUrl, reachedUrl, statusCode, headers, ...visited } = page.visited;
  const { source, kind, encoding, cookies, hiddenMark } = visited;
  page.source = { finalUrl, reachedUrl, statusCode, headers };
  page.document = {
    body: Buffer.from(source),
    encoding: 'utf-8',
    kind,
    documentEncoding: encoding,
    decode: () => withoutMarks(source, hiddenMark),
  };
  Object.assign(page.wanted, defined({ hiddenMark }));
  page.cookies = cookies;
}

function kindOfBrowser({ deps, request }: RenderedPage): BrowserKind {
  if (deps.isDisguised) return 'disguised';
  // Without images, some of what a person clicks has no size.
  const hasActions = (request.actions ?? []).length > 0;
  return request.screenshot || hasActions ? 'visual' : 'plain';
}

function mayShareContext({ deps, request, profile }: RenderedPage): boolean {
  const isOwn = request.freshContext || profile !== undefined || hasCredentials(request);
  return deps.sharesContexts && !deps.isDisguised && !isOwn;
}

/** Returns the stage by which the page can be compared with others, rendered as it was in contexts of their own. */
export function visitLikewise(stages: VisitStages): (page: RenderedPage) => void {
  return (page) => {
    const { deps, task, attempt } = page;
    const { overlays, proxy, timeout } = task.request;
    const { httpClient, pageReader, isDisguised } = deps;
    const { accountId } = task;
    const kind = isDisguised ? 'disguised' : 'plain';
    page.visitor = {
      ...createPlainVisitor(`${kind} ${overlays ?? 'keep'}`, {
        httpClient,
        pageReader,
        route: attempt.route,
        country: proxy,
        pauseMs: task.pauseMs,
        reading: { accountId },
      }),
      readText: async (url, signal) => {
        const request = { url, ...defined({ overlays, timeout }) };
        const visited = await visitOther(request, { page, stages, kind }, signal);
        if (visited.url !== url || visited.statusCode !== 200) return undefined;
        return await readThinText(visited, page, signal);
      },
    };
  };
}

/** Way in which the page was visited. */
interface Likeness {
  readonly page: RenderedPage;
  readonly stages: VisitStages;
  readonly kind: BrowserKind;
}

async function visitOther(
  request: ScrapeRequest,
  { page, stages, kind }: Likeness,
  signal: AbortSignal,
): Promise<VisitedPage> {
  const { browserPool, policy } = page.deps;
  const mayLeadTo = (target: URL) => target.href === request.url;
  const context = { stages, policy, kind, mayLeadTo, clock: startStageClock() };
  return await browserPool.withTab(
    { kind, route: page.attempt.route, accountId: undefined },
    signal,
    (tab, tabSignal) => visitPage(request, { ...context, tab }, tabSignal),
  );
}

/** Returns the text of a page; '' if it is not thin. */
async function readThinText(
  { source, kind, url }: VisitedPage,
  { deps, task }: RenderedPage,
  signal: AbortSignal,
): Promise<string> {
  const read = await deps.pageReader.read(
    {
      body: Buffer.from(source),
      encoding: 'utf-8',
      kind,
      baseUrl: url,
      askedUrl: url,
      engine: 'browser',
      plan: null,
      formats: [],
    },
    { accountId: task.accountId, signal },
  );
  return read.thinText ?? '';
}
