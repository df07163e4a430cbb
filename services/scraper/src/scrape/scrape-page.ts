import {
  AppError,
  encodeBody,
  isPlainGet,
  type Method,
  mayRepeat,
  methodOf,
  type Verdict,
} from '@gleaner/contracts';
import {
  createStateJar,
  type FetchedPage,
  type HttpClient,
  type ProxyPools,
  type Route,
  type StageClock,
} from '@gleaner/egress';
import type { Logger, SecretBox } from '@gleaner/service-kit';
import type { Calibrations } from '../calibrate/calibrations.ts';
import { hashOfText } from '../calibrate/shown-text.ts';
import type { PageMemory } from '../capacity/page-memory.ts';
import { CLASSIFIED_BYTES, classifyResponse, requireAnswer } from '../classify/classify-response.ts';
import { isPdf } from '../classify/describe-content.ts';
import { notModified, redirectedTo } from '../classify/no-page.ts';
import { requirePdfOptions } from '../classify/require-pdf-options.ts';
import { requireContent } from '../classify/verdict/require-content.ts';
import { conditionsOf, planFindings, readValidators } from '../crawl/read-findings.ts';
import { createSamePage } from '../crawl/same-page.ts';
import { documentKindOf } from '../decode/content-type.ts';
import { decodeBody, sniffEncoding } from '../decode/sniff-encoding.ts';
import { type DownloadDeps, type FileIntake, findingsOfFile, openIntake } from '../download/file-intake.ts';
import type { FileUpload } from '../download/file-upload.ts';
import type { PageReader } from '../extract/page-reader.ts';
import { noteReading, planCheck, wantedOf } from '../extract/read-page.ts';
import { expiredIfUnauthorized, openProfile } from '../profiles/open-profile.ts';
import { keepIfFits, PDF_NOT_KEPT, packPage } from '../snapshots/pack-page.ts';
import { Attempts } from './attempts.ts';
import { findingOf } from './finding-of.ts';
import { createPlainVisitor } from './plain-visitor.ts';
import type { Finding, ScrapeContext, ScrapedPage, ScrapeTask } from './scrape.ts';
import { inStage, withStatus } from './stage.ts';

/** Dependencies of a plain scrape. */
export interface ScrapeDeps {
  /** The rung whose client it is. */
  readonly rung: 'plain' | 'chrome';
  readonly httpClient: HttpClient;
  readonly calibrations: Calibrations;
  readonly proxyPools: ProxyPools;
  readonly pageReader: PageReader;
  readonly pageMemory: PageMemory;
  readonly downloads: DownloadDeps;
  /** Methods that the operator allows. */
  readonly methods: readonly Method[];
  readonly logger: Pick<Logger, 'error'>;
  /** Opens profiles; undefined without SECRETS_KEY. */
  readonly secretBox: SecretBox | undefined;
  /** Returns the job that a page belongs to; not set for scrapes, whose callers wait. */
  readonly jobIdOf?: (requestId: string) => string;
}

/** Fetches the page of a command and extracts its data. Failures are returned as findings, never thrown. */
export async function scrapePage(
  task: ScrapeTask,
  deps: ScrapeDeps,
  { signal, proxies }: ScrapeContext,
): Promise<Finding> {
  const deadlineMs = Math.min(task.deadlineMs, Date.now() + task.timeoutMs);
  const attempts = new Attempts<ScrapedPage>(task, { ...deps, proxies, engine: 'http' });
  for (const route of attempts) {
    try {
      const scraped = await fetchAndExtract(task, deps, {
        ...{ route, proxy: attempts.proxy, deadlineMs, signal },
        clock: attempts.clock,
        onSent: () => attempts.noteSent(),
      });
      attempts.succeeded(scraped, scraped.page.statusCode);
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
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  readonly clock: StageClock;
  readonly onSent: () => void;
}

/** The stages of a plain scrape, in order. */
async function fetchAndExtract(
  task: ScrapeTask,
  deps: ScrapeDeps,
  { route, proxy, deadlineMs, signal, clock, onSent }: AttemptContext,
): Promise<ScrapedPage> {
  const { requestId, accountId, request, crawl, onFetched } = task;
  const { httpClient, pageReader, pageMemory, methods, jobIdOf } = deps;
  const jobId = jobIdOf?.(requestId);
  using room = pageMemory.open(accountId);
  const profile = openProfile(task, deps.secretBox, proxy);
  // Only of a page that was read it is known whether its session is over.
  const reads = crawl ? 'documents' : profile ? 'html' : 'nothing';
  using intake = openIntake(request, { accountId, jobId, reads, signal }, deps.downloads);
  const { url, headers, cookies } = request;
  const method = methodOf(request);
  if (!methods.includes(method)) throw notAllowed(method);
  const sentBody = encodeBody(request);
  const wanted = wantedOf(request);
  const isSamePage = crawl && createSamePage(url, crawl);
  const jar = profile && createStateJar(profile.state.cookies);
  const claims = profile?.state.userAgent !== undefined && { 'User-Agent': profile.state.userAgent };
  const conditions = crawl?.validators && conditionsOf(crawl.validators);
  const fetching = httpClient.fetchPage(
    {
      url,
      deadlineMs,
      makeRoom: room.grow,
      clock,
      ...{ method, onSent, repeatable: mayRepeat(request) },
      ...(sentBody && { body: Buffer.from(sentBody.text) }),
      ...(route && { route }),
      // Whether a redirect leads to a login is known once it is followed.
      ...(isSamePage && !profile && { mayFollow: isSamePage }),
      ...(jar && { jar }),
      ...(intake && { chooseSink: intake.chooseSink }),
      headers: {
        ...claims,
        ...(sentBody && unlessGiven('Content-Type', sentBody.contentType, headers)),
        // Only bodies that are sent as they are need not be held to be decoded.
        ...(intake && !crawl && deps.rung === 'plain' && unlessGiven('Accept-Encoding', 'identity', headers)),
        ...headers,
        ...conditions,
      },
      ...(cookies && { cookies }),
    },
    signal,
  );
  const response = await fetching.catch((error: unknown) => {
    throw intake ? intake.explain(error) : error;
  });
  const { body, finalUrl, statusCode, redirectsTo, headers: sent } = response;
  if (redirectsTo !== undefined) throw redirectedTo(redirectsTo, url);
  if (conditions && statusCode === 304) throw notModified(url);
  const leave = () => jar && profile?.leave({ ...profile.state, cookies: jar.cookies() }, finalUrl);
  if (intake?.upload) {
    requireFile(response);
    profile?.requireSignedIn({ url: finalUrl, matches: undefined, verdict: AS_ASKED });
    if (profile && isSamePage && !isSamePage(new URL(finalUrl))) throw redirectedTo(finalUrl, url);
    onFetched?.();
    return await keepFile(intake, intake.upload, { response, crawl, leftState: leave() });
  }
  const contentType = sent['content-type'];
  const isFile = isPdf(body, contentType);
  const encoding = isFile ? 'utf-8' : sniffEncoding(body, contentType);
  const html = isFile ? '' : decodeBody(body.subarray(0, CLASSIFIED_BYTES), encoding);
  classifyResponse({ ...response, html });
  if (isFile) requirePdfOptions(request, response);
  onFetched?.();
  const findings = crawl && planFindings(crawl, { url, headers: sent, keepsRoutes: false });
  const kind = isFile ? 'pdf' : documentKindOf(contentType);
  // Before the page is read, which may take its body.
  const packed =
    request.snapshot && kind !== 'pdf'
      ? await packPage(decodeBody(body, encoding), { kind, baseUrl: finalUrl, encoding })
      : undefined;
  const heldFile = intake && !crawl ? Buffer.from(body) : undefined;
  clock.enter('queue');
  const reading = pageReader.read(
    {
      ...{ body, encoding, kind, baseUrl: finalUrl, askedUrl: url, engine: 'http' as const },
      ...wanted,
      ...(profile?.selector !== undefined && { check: planCheck(profile.selector) }),
      ...(findings && { findings }),
    },
    { accountId, jobId, signal },
  );
  const { times, thinText, mayBeShell, matchesCheck, missing, ...values } = await inStage(
    'extracting the data',
    signal,
    withStatus(statusCode, reading),
  );
  noteReading(times, clock);
  profile?.requireSignedIn({ url: finalUrl, matches: matchesCheck, verdict: values.verdict });
  if (profile && isSamePage && !isSamePage(new URL(finalUrl))) throw redirectedTo(finalUrl, url);
  const leftState = leave();
  if (intake && heldFile) {
    const upload = await intake.open();
    await upload.write(heldFile);
    return await keepFile(intake, upload, { response, crawl, leftState });
  }
  const isBodiless = method === 'HEAD' || statusCode === 204 || statusCode === 205;
  clock.enter('calibrate');
  const verdict = await deps.calibrations.judge(
    {
      ...{ url: finalUrl, mayBeShell },
      verdict: isBodiless ? AS_ASKED : values.verdict,
      // Other paths are fetched with GET and without a session, whose answers say nothing of other methods and of members.
      thinText: isPlainGet(request) && !profile ? thinText : undefined,
    },
    createPlainVisitor(deps.rung, {
      ...{ httpClient, pageReader, route, country: request.proxy, pauseMs: task.pauseMs },
      reading: { accountId, jobId },
    }),
    { deadlineMs, signal },
  );
  requireContent(verdict, { ...request, statusCode, missing, packed });
  // A validator belongs to the URL that sent it.
  const validators = response.redirects.length === 0 ? readValidators(sent) : {};
  const { snapshot, warnings } = keepIfFits(packed, values);
  const notKept = request.snapshot && isFile ? [PDF_NOT_KEPT] : [];
  return {
    page: {
      ...{ ...values, verdict },
      ...(task.isOfJob &&
        thinText !== undefined &&
        isPlainGet(request) &&
        !mayBeShell && { thinHash: hashOfText(thinText) }),
      warnings: [...values.warnings, ...warnings, ...notKept],
      ...(snapshot && { snapshot }),
      ...(leftState && { leftState }),
      ...{ finalUrl, statusCode, timestamp: new Date().toISOString(), engine: 'http' },
      ...(values.crawl && { crawl: { ...values.crawl, ...validators } }),
    },
  };
}

/** Verdict on a response that has no body because it must have none. */
const AS_ASKED: Verdict = { page: 'content', basis: 'inferred', signals: [] };

/** Throws if the site did not send what was asked for, of any type. */
function requireFile(response: FetchedPage): void {
  const { body, headers } = response;
  const encoding = sniffEncoding(body, headers['content-type']);
  requireAnswer({ ...response, html: decodeBody(body.subarray(0, CLASSIFIED_BYTES), encoding) });
}

/** A response that brought a file, and its effect on the session. */
interface FileContext {
  readonly response: FetchedPage;
  readonly crawl: ScrapeTask['crawl'];
  readonly leftState: ScrapedPage['page']['leftState'] | undefined;
}

/** Returns the page of a response whose body was taken as a file. */
async function keepFile(
  intake: FileIntake,
  upload: FileUpload,
  { response, crawl, leftState }: FileContext,
): Promise<ScrapedPage> {
  const { finalUrl, statusCode, headers, redirects } = response;
  const file = await intake.finish(upload, response);
  const validators = redirects.length === 0 ? readValidators(headers) : {};
  return {
    page: {
      ...{ file, warnings: [], finalUrl, statusCode, timestamp: new Date().toISOString(), engine: 'http' },
      ...(leftState && { leftState }),
      ...(crawl && { verdict: AS_ASKED, crawl: { ...findingsOfFile(file), ...validators } }),
    },
  };
}

/** Returns a header; none where the caller gives one of the name. */
function unlessGiven(name: string, value: string, headers: Readonly<Record<string, string>> = {}) {
  const isGiven = Object.keys(headers).some((given) => given.toLowerCase() === name.toLowerCase());
  return isGiven ? {} : { [name]: value };
}

function notAllowed(method: Method): AppError {
  return new AppError('INVALID_REQUEST', {
    message: `The operator of this service does not allow the method ${method}.`,
    details: [{ path: 'method', message: 'is not allowed by the operator of this service' }],
  });
}
