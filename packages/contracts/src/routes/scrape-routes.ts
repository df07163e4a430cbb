import { MapRequestSchema, MapResponseSchema } from '../crawl/map-request.ts';
import { LIMITS } from '../limits.ts';
import { ExtractRequestSchema, ExtractResponseSchema } from '../scrape/extract-request.ts';
import { ScrapeRequestSchema } from '../scrape/scrape-request.ts';
import { ScrapeResponseSchema } from '../scrape/scrape-response.ts';
import { TraceSchema } from '../scrape/trace.ts';
import { SearchRequestSchema } from '../search/search-request.ts';
import { SearchResponseSchema } from '../search/search-response.ts';
import { succeeded } from './envelopes.ts';
import { CREATE_HEADERS } from './job-routes.ts';
import type { RouteDefinition } from './route.ts';

/** Routes of scrapes: one page while the caller waits. */
export const SCRAPE_ROUTES = {
  scrape: {
    method: 'post',
    path: '/v1/scrape',
    summary: 'Scrape one page and wait for its data',
    tag: 'Scrape',
    scope: 'scrape',
    rateLimit: 'scrape',
    body: ScrapeRequestSchema,
    bodyExample: {
      url: 'https://example.com/',
      selectors: { title: 'h1', links: { selector: 'a::attr(href)', all: true, type: 'url' } },
      formats: ['text'],
    },
    status: 200,
    response: ScrapeResponseSchema,
    errors: [
      'INVALID_URL',
      'INVALID_SELECTOR',
      'NOT_CONFIGURED',
      'INSUFFICIENT_CREDITS',
      'BLOCKED',
      'NOT_FOUND',
      'TIMEOUT',
      'UNSUPPORTED_CONTENT',
      'REQUIRED_FIELD_MISSING',
      'LOGIN_REQUIRED',
      'ACTION_FAILED',
      'PROFILE_NOT_FOUND',
      'RECIPE_NOT_FOUND',
      'RECIPE_AMBIGUOUS',
      'PROFILE_EXPIRED',
      'RENDER_NEEDED',
      'UPSTREAM_ERROR',
      'OUTCOME_UNKNOWN',
      'PROXY_ERROR',
    ],
  },
  extract: {
    method: 'post',
    path: '/v1/extract',
    summary: 'Extract data from HTML that you send',
    description:
      'Reads the HTML as a scrape reads a page that it has fetched, with the same selectors, formats, warnings and verdicts. Nothing is fetched, and it costs no credits.',
    tag: 'Scrape',
    scope: 'scrape',
    rateLimit: 'extract',
    maxBodyBytes: LIMITS.maxExtractBodyBytes,
    maxTextBytes: LIMITS.maxExtractBodyBytes,
    body: ExtractRequestSchema,
    bodyExample: {
      html: '<h1>Kettle</h1> <a href="/kettles/2">Another kettle</a>',
      url: 'https://example.com/',
      selectors: { title: 'h1', link: { selector: 'a::attr(href)', type: 'url' } },
    },
    status: 200,
    response: ExtractResponseSchema,
    errors: ['INVALID_URL', 'INVALID_SELECTOR', 'REQUIRED_FIELD_MISSING', 'UNSUPPORTED_CONTENT', 'TIMEOUT'],
  },
  map: {
    method: 'post',
    path: '/v1/map',
    summary: 'List the URLs of a site',
    description:
      'Reads robots.txt and the sitemaps, which is free, and the links of the start page, or of those that it links to as well: one credit for each page. Answers within a minute with what was found by then.',
    tag: 'Scrape',
    scope: 'scrape',
    rateLimit: 'scrape',
    body: MapRequestSchema,
    bodyExample: { url: 'https://example.com/', include: ['/books/**'], limit: 1000 },
    status: 200,
    response: MapResponseSchema,
    errors: [
      'INVALID_URL',
      'INSUFFICIENT_CREDITS',
      'BLOCKED',
      'NOT_FOUND',
      'TIMEOUT',
      'UNSUPPORTED_CONTENT',
      'UPSTREAM_ERROR',
    ],
  },
  search: {
    method: 'post',
    path: '/v1/search',
    summary: 'Search the web, and scrape what is found',
    description:
      'Asks the SearXNG of the operator (SEARCH_URL), within ten seconds. With `scrape`, the pages of up to ten results come with them; of more, a job scrapes the pages, and the status is 202. Creating a job takes the scope `jobs` as well, and an Idempotency-Key holds for it as for `POST /v1/jobs`: a repeated request gets the job of the first one, and its addresses. The search costs no credits, pages what they cost.',
    tag: 'Scrape',
    scope: 'scrape',
    rateLimit: 'scrape',
    headers: CREATE_HEADERS,
    body: SearchRequestSchema,
    bodyExample: { query: 'book shop', limit: 5, scrape: { formats: ['markdown'] } },
    status: 200,
    otherStatus: {
      status: 202,
      description: 'A job scrapes the results: there are more than ten of them. They have no `page` here.',
    },
    response: SearchResponseSchema,
    errors: [
      'INVALID_SELECTOR',
      'RECIPE_NOT_FOUND',
      'INSUFFICIENT_CREDITS',
      'IDEMPOTENCY_CONFLICT',
      'SEARCH_FAILED',
      'SEARCH_MISCONFIGURED',
      'NOT_CONFIGURED',
    ],
  },
  getTrace: {
    method: 'get',
    path: '/v1/scrapes/{requestId}/trace',
    summary: 'Show where the time of a scrape went',
    description:
      'Attempts with the milliseconds of each stage, and a curl command that repeats the request. Traces are kept for a day; `X-Request-Id` of the scrape names its trace.',
    tag: 'Scrape',
    scope: 'scrape',
    rateLimit: 'read',
    status: 200,
    response: succeeded({ trace: TraceSchema }),
    errors: ['TRACE_NOT_FOUND'],
  },
} as const satisfies Record<string, RouteDefinition>;
