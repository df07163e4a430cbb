import type { Static } from 'typebox';
import { CrawlOptionsSchema } from '../crawl/crawl-options.ts';
import { LIMITS } from '../limits.ts';
import { Name } from '../map-of.ts';
import { SCRAPE_OPTION_PROPERTIES } from '../scrape/scrape-options.ts';
import { Type } from '../type.ts';
import { WebhookSchema } from '../webhooks/webhook.ts';

/** The body of `POST /v1/jobs`: the options apply to every URL. */
export const CreateJobRequestSchema = Type.Object(
  {
    name: Type.Optional(Name({ description: 'Default "Untitled job".' })),
    urls: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: LIMITS.maxUrlsPerJob,
      description: 'The pages: absolute http or https URLs.',
      examples: [['https://example.com/', 'https://example.org/']],
    }),
    crawl: Type.Optional(CrawlOptionsSchema),
    ...SCRAPE_OPTION_PROPERTIES,
    webhook: Type.Optional(WebhookSchema),
  },
  { additionalProperties: false },
);
export type CreateJobRequest = Static<typeof CreateJobRequestSchema>;
