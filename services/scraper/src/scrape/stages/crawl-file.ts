import { AppError, defined, type PageCrawl, type RobotsFound, type SitemapFound } from '@gleaner/contracts';
import { type FetchedPage, type HttpClient, type ProxyPools, quoteUrl, type Route } from '@gleaner/egress';
import type { Logger } from '@gleaner/service-kit';
import type { PageMemory } from '../../capacity/page-memory.ts';
import { requireSuccess } from '../../classify/classify-response.ts';
import { compileFilterOnce } from '../../crawl/compile-filter-once.ts';
import type { PageReader } from '../../extract/page-reader.ts';
import type { Attempt } from '../page.ts';
import type { ScrapeTask } from '../scrape.ts';
import { inStage } from '../stage.ts';

/** Purpose of a file about a site. */
export type FilePurpose = Exclude<PageCrawl['purpose'], 'page'>;

/** A robots.txt or a sitemap to fetch. */
export interface CrawlFileTask extends ScrapeTask {
  readonly crawl: PageCrawl & { readonly purpose: FilePurpose };
}

/** Dependencies of files of crawls. */
export interface CrawlFileDeps {
  /** Clients with the limits of each kind of file. */
  readonly clients: Readonly<Record<FilePurpose, HttpClient>>;
  readonly proxyPools: ProxyPools;
  readonly pageReader: PageReader;
  readonly pageMemory: PageMemory;
  readonly logger: Pick<Logger, 'error'>;
  /** Returns the job that a file belongs to; not set where a caller waits for it. */
  readonly jobIdOf?: (pageId: string) => string;
}

/** Most bytes of each kind of file that are read. */
export const MAX_FILE_BYTES: Readonly<Record<FilePurpose, number>> = {
  /** RFC 9309 (section 2.5) asks for at least 500 KiB. */
  robots: 512 * 1024,
  /** The limit of the sitemap protocol, after decompression. */
  sitemap: 50 * 1024 * 1024,
};

/** Task and limits of a file. */
type CrawlFileContext = Pick<CrawlFile, 'task' | 'deps' | 'signal'> & { readonly attempt: Attempt };

/** One attempt at a robots.txt or a sitemap, as its stages pass it on. */
export class CrawlFile implements Disposable {
  readonly task: CrawlFileTask;
  readonly deps: CrawlFileDeps;
  readonly route: Route | undefined;
  readonly clock: Attempt['clock'];
  readonly signal: AbortSignal;
  /** Frees what the file holds. */
  readonly held = new DisposableStack();
  /** Its rules or links, once it is read. */
  found: RobotsFound | SitemapFound | undefined;
  #response: FetchedPage | undefined;

  constructor({ task, deps, attempt, signal }: CrawlFileContext) {
    this.task = task;
    this.deps = deps;
    this.route = attempt.route;
    this.clock = attempt.clock;
    this.signal = signal;
  }

  /** The response, once it has arrived. */
  get response(): FetchedPage {
    if (!this.#response) throw new Error('No stage has fetched the file.');
    return this.#response;
  }

  set response(response: FetchedPage) {
    this.#response = response;
  }

  [Symbol.dispose](): void {
    this.held.dispose();
  }
}

/** Fetches the file without anything that the caller sends: a robots.txt holds for all accounts, and sitemaps may be on any host. */
export async function fetchFile(file: CrawlFile): Promise<void> {
  const { task, deps, route, signal } = file;
  const { request, deadlineMs, crawl } = task;
  const room = file.held.use(deps.pageMemory.open(task.accountId));
  const mayFollow = crawl.purpose === 'sitemap' ? createSitemapScope(request.url, crawl.filter) : undefined;
  file.response = await deps.clients[crawl.purpose].fetchPage(
    {
      url: request.url,
      deadlineMs,
      makeRoom: room.grow,
      ...defined({ mayFollow, route }),
    },
    signal,
  );
}

/** Throws if a sitemap redirects to another host, outside of the crawl. */
export function refuseAway({ response, task }: CrawlFile): void {
  if (response.redirectsTo !== undefined) throw leadsAway(task.request.url, response.redirectsTo);
}

/** Ends with a robots.txt that allows everything, where the site has none. */
export function allowWithoutRobots(file: CrawlFile): 'done' | undefined {
  if (file.task.crawl.purpose !== 'robots' || !isAbsent(file.response.statusCode)) return undefined;
  file.found = { kind: 'robots', rules: [], sitemaps: [] };
  return 'done';
}

/** Throws for a status of an error. */
export function requireFileSuccess({ response, task }: CrawlFile): void {
  requireSuccess({ ...response, url: task.request.url });
}

/** Reads the file, which may take its body. */
export async function readFile(file: CrawlFile): Promise<void> {
  const { task, deps, response, signal } = file;
  const { purpose, filter, describes } = task.crawl;
  const { body, finalUrl, headers } = response;
  const reading = deps.pageReader.readFile(
    {
      purpose,
      body,
      url: finalUrl,
      filter,
      isCut: body.length >= MAX_FILE_BYTES[purpose],
      ...defined({ describes, contentType: headers['content-type'] }),
    },
    { accountId: task.accountId, jobId: deps.jobIdOf?.(task.requestId), signal },
  );
  file.found = await inStage('reading the file', signal, reading);
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
