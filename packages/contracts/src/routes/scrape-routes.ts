import { ScrapeRequestSchema } from '../scrape/scrape-request.ts';
import { ScrapeResponseSchema } from '../scrape/scrape-response.ts';
import { TraceSchema } from '../scrape/trace.ts';
import { succeeded } from './envelopes.ts';
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
      'INSUFFICIENT_CREDITS',
      'BLOCKED',
      'NOT_FOUND',
      'TIMEOUT',
      'UNSUPPORTED_CONTENT',
      'REQUIRED_FIELD_MISSING',
      'LOGIN_REQUIRED',
      'ACTION_FAILED',
      'RENDER_NEEDED',
      'UPSTREAM_ERROR',
      'OUTCOME_UNKNOWN',
      'PROXY_ERROR',
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
