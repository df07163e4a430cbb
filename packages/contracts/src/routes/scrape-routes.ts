import { ScrapeRequestSchema } from '../scrape/scrape-request.ts';
import { ScrapeResponseSchema } from '../scrape/scrape-response.ts';
import type { RouteDefinition } from './route.ts';

/** Route of a scrape: one page while the caller waits. */
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
      'UPSTREAM_ERROR',
      'PROXY_ERROR',
    ],
  },
} as const satisfies Record<string, RouteDefinition>;
