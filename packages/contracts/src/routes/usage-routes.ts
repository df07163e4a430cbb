import { LIMITS } from '../limits.ts';
import { EstimateQuerySchema, EstimateRequestSchema, EstimateSchema } from '../usage/estimate.ts';
import { UsageQuerySchema, UsageSchema } from '../usage/usage.ts';
import { succeeded } from './envelopes.ts';
import type { RouteDefinition } from './route.ts';

/** Routes of the credits of an account: the used ones, and the price of a request. */
export const USAGE_ROUTES = {
  getUsage: {
    method: 'get',
    path: '/v1/usage',
    summary: 'Get the credits used and left, by day and by operation',
    tag: 'Usage',
    scope: 'usage',
    rateLimit: 'read',
    query: UsageQuerySchema,
    status: 200,
    response: succeeded({ usage: UsageSchema }),
    errors: [],
  },
  estimate: {
    method: 'post',
    path: '/v1/estimate',
    summary: 'Estimate what a request may cost, without sending it',
    description:
      'Takes the body of a scrape (`url`), a map (`url` and one of its own options), a job or crawl (`urls`), or a schedule (`cron`), checks it as their routes do, and costs no credits. Nothing is created, and nothing fetched without `look`. The key needs the scope that the request itself needs. A call with `look` counts as a scrape against the rate limit.',
    tag: 'Usage',
    scope: 'any',
    rateLimit: 'read',
    rateLimitWith: { look: 'scrape' },
    query: EstimateQuerySchema,
    body: EstimateRequestSchema,
    bodyExample: { urls: ['https://example.com/'], antiBot: true },
    moreExamples: {
      crawl: {
        summary: 'A crawl',
        value: { urls: ['https://example.com/'], crawl: { limit: 200 }, render: 'auto' },
      },
      map: { summary: 'A map', value: { url: 'https://example.com/', depth: 2 } },
      schedule: { summary: 'A schedule', value: { url: 'https://example.com/', cron: '0 9 * * *' } },
    },
    maxBodyBytes: LIMITS.maxJobBodyBytes,
    status: 200,
    response: succeeded({ estimate: EstimateSchema }),
    errors: [
      'INVALID_URL',
      'INVALID_SELECTOR',
      'PROFILE_NOT_FOUND',
      'RECIPE_NOT_FOUND',
      'RECIPE_AMBIGUOUS',
      'NOT_CONFIGURED',
    ],
  },
} as const satisfies Record<string, RouteDefinition>;
