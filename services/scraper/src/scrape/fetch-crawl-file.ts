import { type PageOutcome, type RobotsFound, type SitemapFound, shownAttempts } from '@gleaner/contracts';
import { createHttpClient, type EgressPolicy } from '@gleaner/egress';
import { Attempts } from './attempts.ts';
import { CRAWL_FILE } from './pipeline.ts';
import { runStages } from './stage.ts';
import { CrawlFile, type CrawlFileDeps, type CrawlFileTask, MAX_FILE_BYTES } from './stages/crawl-file.ts';

/** Outcome of fetching a robots.txt or a sitemap. */
export type CrawlFileOutcome = Extract<PageOutcome['outcome'], { kind: 'robots' | 'sitemap' | 'failed' }>;

/** Creates the clients for the files of crawls. */
export function createCrawlFileClients(deps: {
  readonly policy: EgressPolicy;
  readonly userAgent?: string;
}): CrawlFileDeps['clients'] {
  const limits = { ...deps, longBodies: 'truncate' as const };
  return {
    // RFC 9309, section 2.3.1.2: at least five redirects.
    robots: createHttpClient({ ...limits, maxBodyBytes: MAX_FILE_BYTES.robots, maxRedirects: 5 }),
    sitemap: createHttpClient({ ...limits, maxBodyBytes: MAX_FILE_BYTES.sitemap, unpacksGzip: true }),
  };
}

/** Fetches a robots.txt or a sitemap, and reads it. Failures are returned, never thrown. */
export async function fetchCrawlFile(
  task: CrawlFileTask,
  deps: CrawlFileDeps,
  signal: AbortSignal,
): Promise<CrawlFileOutcome> {
  const attempts = new Attempts<RobotsFound | SitemapFound>(task, {
    ...deps,
    proxies: { except: [] },
    engine: 'http',
  });
  for (const attempt of attempts) {
    try {
      using file = new CrawlFile({ task, deps, attempt, signal });
      await runStages(CRAWL_FILE, file);
      if (!file.found) throw new Error('No stage has read the file.');
      attempts.succeeded(file.found, file.response.statusCode);
    } catch (error) {
      attempts.failed(error);
    }
  }
  const { outcome } = attempts;
  if (outcome.ok) return outcome.success;
  return { kind: 'failed', failure: { ...outcome.failure, attempts: shownAttempts(outcome.attempts) } };
}
