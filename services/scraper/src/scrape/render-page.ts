import type { Cookie, ScrapeCommand, ScrapeResult } from '@gleaner/contracts';
import type { EgressPolicy, ProxyPools, Route } from '@gleaner/egress';
import { planSelectors } from '@gleaner/extraction';
import type { Logger } from '@gleaner/service-kit';
import type { BrowserPool } from '../browser/browser-pool.ts';
import { captureScreenshot } from '../browser/capture-screenshot.ts';
import type { BrowserKind } from '../browser/chromium-flags.ts';
import { describeVisitor } from '../browser/disguise/describe-visitor.ts';
import { wearDisguise } from '../browser/disguise/wear-disguise.ts';
import { explainNavigation } from '../browser/explain-navigation.ts';
import { navigate } from '../browser/navigate.ts';
import type { Tab } from '../browser/open-tab.ts';
import { outlastWall } from '../browser/outlast-wall.ts';
import { PageWatch } from '../browser/page-watch.ts';
import { readCookies } from '../browser/read-cookies.ts';
import { sendHeaders } from '../browser/send-headers.ts';
import { setCookies } from '../browser/set-cookies.ts';
import { settle } from '../browser/settle.ts';
import { type Snapshot, takeSnapshot } from '../browser/snapshot.ts';
import { untilAborted } from '../browser/until-aborted.ts';
import { waitFor } from '../browser/wait-for.ts';
import { classifyRendered } from '../classify/classify-rendered.ts';
import { documentKindOf } from '../decode/document-kind.ts';
import type { PageReader } from '../extract/page-reader.ts';
import { makeAttempts } from './make-attempts.ts';
import { namingStage } from './naming-stage.ts';
import type { Finding, ScrapeContext } from './scrape.ts';

/** What rendering works with. */
export interface RenderDeps {
  readonly browserPool: BrowserPool;
  readonly proxyPools: ProxyPools;
  readonly pageReader: PageReader;
  readonly policy: Pick<EgressPolicy, 'checkUrl'>;
  readonly logger: Pick<Logger, 'error'>;
}

/** How the browser shows itself. */
export interface Manner {
  /** Whether it passes for one that somebody sits at. */
  readonly isDisguised: boolean;
}

/** Renders the page of a command and takes from it what was asked for; failures come back as findings, never thrown. */
export async function renderPage(
  command: ScrapeCommand,
  deps: RenderDeps & Manner,
  context: ScrapeContext,
): Promise<Finding> {
  return await makeAttempts(command, { ...deps, proxies: context.proxies, engine: 'browser' }, (route) =>
    renderAndExtract(command, deps, { ...context, route }),
  );
}

/** The stages around the browser, in the order in which they run. */
async function renderAndExtract(
  { accountId, request }: ScrapeCommand,
  { browserPool, pageReader, policy, isDisguised }: RenderDeps & Manner,
  { route, signal, keepCookies }: ScrapeContext & { readonly route: Route | undefined },
): Promise<Omit<ScrapeResult, 'attempts' | 'price'>> {
  const { href: url } = policy.checkUrl(request.url);
  const plan = request.selectors ? planSelectors(request.selectors) : null;
  const kind = isDisguised ? 'disguised' : request.screenshot ? 'visual' : 'plain';
  const page = await namingStage('waiting for a browser', signal, () =>
    browserPool.withTab({ kind, route }, signal, (tab, tabSignal) =>
      visit({ ...request, url }, { tab, policy, kind }, tabSignal),
    ),
  );
  const { dataJson, warnings } = await namingStage('extracting the data', signal, () =>
    pageReader.read(
      { body: Buffer.from(page.source), encoding: 'utf-8', kind: page.kind, plan, baseUrl: page.url },
      // There are few of them, and each has cost much more than what is left to do.
      { accountId, signal },
    ),
  );

  keepCookies(page.cookies);
  return {
    dataJson,
    warnings: [...(page.isCut ? [CUT_SHORT] : []), ...warnings],
    finalUrl: page.url,
    statusCode: page.statusCode,
    timestamp: new Date().toISOString(),
    engine: 'browser',
    ...(page.screenshot !== undefined && { screenshot: page.screenshot }),
  };
}

const CUT_SHORT = {
  code: 'XML_NOT_WELL_FORMED' as const,
  message:
    'The page is sent as XML and is not well-formed: browsers read it up to the first fault. Without render it is read as HTML.',
};

interface VisitedPage extends Snapshot {
  readonly statusCode: number;
  /** Where they may be of use to later requests. */
  readonly cookies: readonly Cookie[];
  readonly screenshot?: string;
}

/** The stages inside the browser, in the order in which they run. */
async function visit(
  request: ScrapeCommand['request'],
  { tab, policy, kind }: { tab: Tab; policy: RenderDeps['policy']; kind: BrowserKind },
  signal: AbortSignal,
): Promise<VisitedPage> {
  const { url, waitFor: condition, antiBot } = request;
  const watch = new PageWatch(tab);
  const { cookie: cookieHeader, ...headers } = withLowerCaseNames(request.headers);
  const alive = AbortSignal.any([signal, watch.broken]);
  const stage: Stage = (name, work) => namingStage(name, alive, () => untilAborted(work(), alive));

  if (kind === 'disguised') {
    await stage('preparing the browser', () => wearDisguise(tab, describeVisitor(tab.browser, request)));
  }
  await stage('preparing the browser', () =>
    setCookies(tab, { url, cookies: request.cookies ?? [], cookieHeader }),
  );
  await stage('preparing the browser', () => sendHeaders(tab, url, headers));
  await stage('loading the page', () => navigate(url, { tab, watch, policy }));
  for (;;) {
    await stage('waiting for the page to settle', () => settle(tab, watch, alive));
    if (watch.documentFault) explainNavigation(watch.documentFault, url, { tab, watch, policy });
    if (antiBot) await stage("waiting for the site's check to end", () => outlastWall(tab, watch, alive));
    if (condition !== undefined) await waitFor(tab, condition, alive).catch((fault) => refuse(watch, fault));
    const page = await watch.whileItStays(() => readTab(request, { tab, watch, stage }));
    if (page) return page;
  }
}

/** Does the work of a stage, as long as there is time and a tab. */
type Stage = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

/** Takes what was asked for out of the browser, all of it from one document. */
async function readTab(
  { screenshot, antiBot }: ScrapeCommand['request'],
  { tab, watch: { response }, stage }: { tab: Tab; watch: PageWatch; stage: Stage },
): Promise<VisitedPage> {
  const sentAs = documentKindOf(response?.headers['content-type']);
  const snapshot = await stage('reading the rendered page', () => takeSnapshot(tab, sentAs));
  const { statusCode } = classifyRendered(response, { url: snapshot.url, html: snapshot.source });
  const cookies = antiBot ? await stage('reading the rendered page', () => readCookies(tab)) : [];
  if (!screenshot) return { ...snapshot, statusCode, cookies };
  const picture = await stage('taking the screenshot', () => captureScreenshot(tab));
  return { ...snapshot, statusCode, cookies, screenshot: picture };
}

/** What was waited for could not come where the target refused the page: that says more than the wait. */
function refuse({ response }: PageWatch, fault: unknown): never {
  if (response) classifyRendered(response, { url: response.url, html: '' });
  throw fault;
}

function withLowerCaseNames(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
