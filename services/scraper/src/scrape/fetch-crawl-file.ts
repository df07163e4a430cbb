import { AppError, type PageCrawl, type PageOutcome, shownAttempts } from '@gleaner/contracts';
import {
  createHttpClient,
  type EgressPolicy,
  type HttpClient,
  type ProxyPools,
  quoteUrl,
  type Route,
} from '@gleaner/egress';
import type { Logger } from '@gleaner/service-kit';
import type { PageMemory } from '../capacity/page-memory.ts';
import { requireSuccess } from '../classify/classify-response.ts';
import { compileFilterOnce } from '../crawl/compile-filter-once.ts';
import type { PageReader } from '../extract/page-reader.ts';
import { Attempts } from './attempts.ts';
import type { ScrapeTask } from './scrape.ts';
import { inStage } from './stage.ts';

/** Outcome of fetching a robots.txt or a sitemap. */
export type CrawlFileOutcome = Extract<PageOutcome['outcome'], { kind: 'robots' | 'sitemap' | 'failed' }>;

/** Purpose of a file about a site. */
type FilePurpose = Exclude<PageCrawl['purpose'], 'page'>;

/** Clients with the limits of each kind of file. */
export type CrawlFileClients = Readonly<Record<FilePurpose, HttpClient>>;

/** Largest part of a robots.txt that counts; RFC 9309 (section 2.5) asks for at least 500 KiB. */
const MAX_ROBOTS_BYTES = 512 * 1024;
/** The limit of the sitemap protocol, after decompression. */
const MAX_SITEMAP_BYTES = 50 * 1024 * 1024;
const MAX_BYTES: Readonly<Record<FilePurpose, number>> = {
  robots: MAX_ROBOTS_BYTES,
  sitemap: MAX_SITEMAP_BYTES,
};

/** Creates the clients for the files of crawls. */
export function createCrawlFileClients(deps: {
  readonly policy: EgressPolicy;
  readonly userAgent?: string;
}): CrawlFileClients {
  const limits = { ...deps, longBodies: 'truncate' as const };
  return {
    // RFC 9309, section 2.3.1.2: at least five redirects.
    robots: createHttpClient({ ...limits, maxBodyBytes: MAX_ROBOTS_BYTES, maxRedirects: 5 }),
    sitemap: createHttpClient({ ...limits, maxBodyBytes: MAX_SITEMAP_BYTES, unpacksGzip: true }),
  };
}

/** Dependencies of `fetchCrawlFile`. */
export interface CrawlFileDeps {
  readonly clients: CrawlFileClients;
  readonly proxyPools: ProxyPools;
  readonly pageReader: PageReader;
  readonly pageMemory: PageMemory;
  readonly logger: Pick<Logger, 'error'>;
  /** Returns the job that a file belongs to; not set where a caller waits for it. */
  readonly jobIdOf?: (pageId: string) => string;
}

/** A robots.txt or a sitemap to fetch. */
export interface CrawlFileTask extends ScrapeTask {
  readonly crawl: PageCrawl & { readonly purpose: FilePurpose };
}

/**
 * Fetches a robots.txt or a sitemap with a plain request, and reads it. The caller's headers and cookies are not sent: what
 * robots.txt says holds for all accounts, and sitemaps may be on any host. Failures are returned, never thrown.
 */
export async function fetchCrawlFile(
  task: CrawlFileTask,
  deps: CrawlFileDeps,
  signal: AbortSignal,
): Promise<CrawlFileOutcome> {
  const attempts = new Attempts<Exclude<CrawlFileOutcome, { kind: 'failed' }>>(task, {
    ...deps,
    proxies: { except: [] },
    engine: 'http',
  });
  for (const route of attempts) {
    try {
      const { found, statusCode } = await fetchAndRead(task, deps, { route, signal });
      attempts.succeeded(found, statusCode);
    } catch (error) {
      attempts.failed(error);
    }
  }
  const { outcome } = attempts;
  if (outcome.ok) return outcome.success;
  return { kind: 'failed', failure: { ...outcome.failure, attempts: shownAttempts(outcome.attempts) } };
}

async function fetchAndRead(
  { requestId, accountId, deadlineMs, request, crawl: { purpose, filter, describes } }: CrawlFileTask,
  { clients, pageReader, pageMemory, jobIdOf }: CrawlFileDeps,
  { route, signal }: { readonly route: Route | undefined; readonly signal: AbortSignal },
) {
  using room = pageMemory.open(accountId);
  const { url } = request;
  const response = await clients[purpose].fetchPage(
    {
      ...{ url, deadlineMs, makeRoom: room.grow },
      ...(purpose === 'sitemap' && { mayFollow: createSitemapScope(url, filter) }),
      ...(route && { route }),
    },
    signal,
  );
  const { statusCode, finalUrl, redirectsTo, body } = response;
  if (redirectsTo !== undefined) throw leadsAway(url, redirectsTo);
  if (purpose === 'robots' && isAbsent(statusCode)) {
    return { found: { kind: 'robots' as const, rules: [], sitemaps: [] }, statusCode };
  }
  requireSuccess({ ...response, url });
  const contentType = response.headers['content-type'];
  const reading = pageReader.readFile(
    {
      ...{ purpose, body, url: finalUrl, filter },
      isCut: body.length >= MAX_BYTES[purpose],
      ...(describes && { describes }),
      ...(contentType !== undefined && { contentType }),
    },
    { accountId, jobId: jobIdOf?.(requestId), signal },
  );
  return { found: await inStage('reading the file', signal, reading), statusCode };
}

/** A site without a robots.txt allows everything (RFC 9309, section 2.3.1.3); 429 asks to come back later. */
function isAbsent(statusCode: number): boolean {
  return statusCode >= 400 && statusCode < 500 && statusCode !== 429;
}

/** Returns a function that tells whether a sitemap may redirect to a URL: on its own host, or within the crawl. */
function createSitemapScope(url: string, filter: PageCrawl['filter']): (target: URL) => boolean {
  const host = URL.parse(url)?.host;
  // Patterns are about pages.
  const { admit } = compileFilterOnce({ ...filter, include: [], exclude: [], rules: [] });
  return (target) => target.host === host || 'link' in admit(target);
}

function leadsAway(from: string, to: string): AppError {
  return new AppError('UNSUPPORTED_CONTENT', {
    message: `${quoteUrl(from)} redirects to ${quoteUrl(to)}, which is outside of the crawl.`,
    suggestion: 'Widen the scope of the crawl, or start it on that host.',
  });
}
