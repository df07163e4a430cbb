import {
  AppError,
  CRAWL_DEFAULTS,
  type CrawlOptions,
  type CreateJobRequest,
  defined,
  FIRECRAWL_BATCH,
  FIRECRAWL_CRAWL,
  FIRECRAWL_EVENTS,
  FIRECRAWL_MAP,
  type FIRECRAWL_V1_CRAWL,
  type FIRECRAWL_V1_MAP,
  type FirecrawlEvent,
  type FirecrawlValues,
  type FirecrawlWebhook,
  LIMITS,
  type MapRequest,
  takingTurns,
  type UrlPattern,
  type WebhookEventType,
} from '@gleaner/contracts';
import { findHeaderErrors } from '@gleaner/egress';
import { summarizeDetails } from '../responses/summarize-details.ts';
import { findUrlErrors, type UrlRules } from '../routes/check-urls.ts';
import { ignoredIn, NotSupported, refusedIn } from './not-supported.ts';
import { pathPattern } from './path-pattern.ts';
import { type Translation, type TranslationRules, translatePage } from './translate-scrape.ts';

/** Settings of the operator that decide about jobs. */
export interface JobTranslationRules extends TranslationRules, UrlRules {
  readonly maxPagesPerCrawl: number;
}

type Batch = FirecrawlValues<typeof FIRECRAWL_BATCH>;

/** A job, with the invalid URLs left out of it if the request asks for them. */
export interface BatchTranslation extends Translation<CreateJobRequest> {
  readonly invalidUrls?: readonly string[];
}

/** Translates `POST /batch/scrape`. Throws NotSupported with everything that has no equal. */
export async function translateBatch(
  { urls = [], ignoreInvalidURLs = true, webhook, maxConcurrency, appendToId, ...page }: Batch,
  rules: JobTranslationRules,
): Promise<BatchTranslation> {
  const own = { maxConcurrency, appendToId };
  requireNone(refusedIn(own, FIRECRAWL_BATCH));
  const { options, warnings } = translatePage(page, rules);
  const given = await withSchemes(urls);
  const errors = ignoreInvalidURLs ? await findUrlErrors(given, rules, String) : [];
  const invalid = new Set(errors.map(({ path }) => Number(path)));
  return {
    options: {
      // A job of none is refused with the errors of all.
      urls: invalid.size < given.length ? given.filter((_url, index) => !invalid.has(index)) : given,
      ...options,
      ...translateWebhook(webhook, 'batch_scrape'),
    },
    warnings: [...ignoredIn(own, FIRECRAWL_BATCH), ...warnings],
    ...(ignoreInvalidURLs && { invalidUrls: urls.filter((_url, index) => invalid.has(index)) }),
  };
}

type Crawl = FirecrawlValues<typeof FIRECRAWL_CRAWL & Omit<typeof FIRECRAWL_V1_CRAWL, 'scrapeOptions'>>;

/** Options of the crawl itself. */
type CrawlAlone = Omit<Crawl, 'url' | 'scrapeOptions' | 'webhook'>;

const DEFAULT_LIMIT = 10_000;
const MAX_DEPTH = 100;
const MAX_CONCURRENCY = 32;

/** Translates `POST /crawl` of either version. Throws NotSupported with everything that has no equal. */
export function translateCrawl(
  { url = '', scrapeOptions = {}, webhook, ...crawl }: Crawl,
  rules: JobTranslationRules,
): Translation<CreateJobRequest> {
  const refused = refusedIn(crawl, FIRECRAWL_CRAWL);
  const isUnbounded = Boolean(crawl.prompt) && crawl.limit === undefined;
  const { note } = FIRECRAWL_CRAWL.prompt;
  requireNone([...refused, ...(isUnbounded ? [{ path: 'prompt', message: `needs limit. ${note}` }] : [])]);
  const page = translatePage(scrapeOptions, rules, 'scrapeOptions.');
  const { delay = 0, maxConcurrency, limit = DEFAULT_LIMIT, allowExternalLinks = false } = crawl;
  const isSlowed = delay > 0 && maxConcurrency !== undefined && maxConcurrency > 1;
  const warnings = [
    ...ignoredIn(crawl, FIRECRAWL_CRAWL),
    ...page.warnings.map((warning) => `scrapeOptions.${warning}`),
    ...(page.options.maxAge
      ? ['scrapeOptions.maxAge has no effect: pages of crawls are always fetched.']
      : []),
    ...(isSlowed ? ['maxConcurrency has no effect with delay, which fetches one page at a time.'] : []),
    ...(limit > rules.maxPagesPerCrawl && crawl.limit !== undefined
      ? [`limit is ${rules.maxPagesPerCrawl}, the most that the operator allows.`]
      : []),
    ...(allowExternalLinks ? ['allowExternalLinks also follows the links of other sites, up to limit.'] : []),
  ];
  return {
    options: {
      urls: [withScheme(url)],
      crawl: { ...crawlOf(crawl), limit: Math.min(limit, rules.maxPagesPerCrawl) },
      ...page.options,
      ...translateWebhook(webhook, 'crawl'),
    },
    warnings,
  };
}

function crawlOf(crawl: CrawlAlone): CrawlOptions {
  const { includePaths = [], excludePaths = [], regexOnFullURL = false, delay = 0 } = crawl;
  const { maxDiscoveryDepth, maxDepth = maxDiscoveryDepth, maxConcurrency } = crawl;
  const patternOf = (pattern: string): UrlPattern => ({
    regex: regexOnFullURL ? pattern : pathPattern(pattern),
  });
  const sitemap = crawl.sitemap ?? (crawl.ignoreSitemap ? 'skip' : undefined);
  return {
    scope: scopeOf(crawl),
    ...(includePaths.length > 0 && { include: includePaths.map(patternOf) }),
    ...(excludePaths.length > 0 && { exclude: excludePaths.map(patternOf) }),
    ...(maxDepth !== undefined && { maxDepth: Math.min(maxDepth, MAX_DEPTH) }),
    ...defined({ sitemap }),
    ...(crawl.ignoreQueryParameters && { ignoreQuery: true }),
    ...(crawl.ignoreRobotsTxt && { robots: 'ignore' as const }),
    ...(delay > 0
      ? { delay: Math.round(delay * 1000), concurrency: 1 }
      : maxConcurrency !== undefined && { concurrency: Math.min(maxConcurrency, MAX_CONCURRENCY) }),
  };
}

function scopeOf(crawl: CrawlAlone): NonNullable<CrawlOptions['scope']> {
  if (crawl.allowExternalLinks) return 'any';
  if (crawl.allowSubdomains) return 'domain';
  return crawl.crawlEntireDomain || crawl.allowBackwardLinks ? CRAWL_DEFAULTS.scope : 'path';
}

/** Events of Gleaner that each event of Firecrawl is made from. */
const EVENTS: Readonly<Record<FirecrawlEvent, readonly WebhookEventType[]>> = {
  started: ['job.started'],
  page: ['job.pages'],
  completed: ['job.completed', 'job.partial'],
  failed: ['job.failed', 'job.cancelled'],
};

/** Characters of the headers and the metadata of a webhook, as JSON: both are stored with each of its events. */
const MAX_WEBHOOK = 16_384;

/** Translates a webhook, whose events keep the form of Firecrawl's. Throws INVALID_REQUEST for headers that cannot be sent. */
function translateWebhook(
  webhook: Batch['webhook'],
  kind: FirecrawlWebhook['kind'],
): Pick<CreateJobRequest, 'webhook'> {
  if (webhook === undefined || webhook === '') return {};
  const {
    url,
    headers,
    metadata,
    events = FIRECRAWL_EVENTS,
  } = typeof webhook === 'string' ? ({ url: webhook } as const) : webhook;
  const size = JSON.stringify([headers, metadata]).length;
  const details = [
    ...findHeaderErrors(headers ?? {}, { hasCookies: false }).map(({ path, message }) => ({
      path: `webhook.${path}`,
      message,
    })),
    ...(size > MAX_WEBHOOK
      ? [{ path: 'webhook', message: `must have headers and metadata of at most ${MAX_WEBHOOK} characters` }]
      : []),
  ];
  if (details.length > 0)
    throw new AppError('INVALID_REQUEST', { message: summarizeDetails(details), details });
  const firecrawl = { kind, ...(headers && { headers: { ...headers } }), ...defined({ metadata }) };
  return { webhook: { url, events: events.flatMap((event) => EVENTS[event]), firecrawl } };
}

type SiteMap = FirecrawlValues<typeof FIRECRAWL_V1_MAP>;

/** Translates `POST /map` of either version. Throws NotSupported with everything that has no equal. */
export function translateMap({ url = '', ...map }: SiteMap): Translation<MapRequest> {
  requireNone(refusedIn(map, FIRECRAWL_MAP));
  const { search = '', limit, timeout, includeSubdomains = true, ignoreQueryParameters = true } = map;
  const { sitemap = map.sitemapOnly ? 'only' : map.ignoreSitemap ? 'skip' : undefined } = map;
  return {
    options: {
      url: withScheme(url),
      scope: includeSubdomains ? 'domain' : 'host',
      ignoreQuery: ignoreQueryParameters,
      ...(search.trim() !== '' && { search }),
      ...defined({ sitemap }),
      ...(limit !== undefined && { limit: Math.min(limit, LIMITS.maxMapUrls) }),
      ...(timeout !== undefined && { timeout: Math.min(timeout, LIMITS.maxMapMs) }),
    },
    warnings: ignoredIn(map, FIRECRAWL_MAP),
  };
}

/** Returns many URLs as Firecrawl reads them; other calls get their turns. */
async function withSchemes(urls: readonly string[]): Promise<string[]> {
  const takeTurns = takingTurns();
  const all: string[] = [];
  for (const url of urls) {
    all.push(withScheme(url));
    await takeTurns();
  }
  return all;
}

/** Returns a URL as Firecrawl reads it: http where it names no scheme. A word that is not a host stays as it is, and is refused. */
export function withScheme(url: string): string {
  const trimmed = url.trim();
  const hasPort = /^[^/]+:\d+(?:[/?#]|$)/.test(trimmed);
  if (/^[a-z][a-z\d+.-]*:/i.test(trimmed) && !hasPort) return trimmed;
  const hostname = URL.parse(`http://${trimmed}`)?.hostname ?? '';
  return hasPort || hostname === 'localhost' || /[.[]/.test(hostname) ? `http://${trimmed}` : trimmed;
}

function requireNone(details: ReturnType<typeof refusedIn>): void {
  if (details.length > 0) throw new NotSupported(details);
}
