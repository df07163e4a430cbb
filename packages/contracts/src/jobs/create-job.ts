import type { Static, TObject } from 'typebox';
import { CrawlOptionsSchema } from '../crawl/crawl-options.ts';
import { LIMITS } from '../limits.ts';
import { Name } from '../map-of.ts';
import { REQUEST_PROPERTIES, type RequestParts } from '../scrape/request-body.ts';
import { SCRAPE_OPTION_PROPERTIES } from '../scrape/scrape-options.ts';
import { Type } from '../type.ts';
import { StoredWebhookSchema, WebhookSchema } from '../webhooks/webhook.ts';
import { DatasetOptionsSchema } from './dataset.ts';
import { SinkOptionsSchema } from './sink.ts';

const JobEntrySchema = Type.Object(
  { url: Type.String({ description: 'An absolute http or https URL.' }), ...REQUEST_PROPERTIES },
  { additionalProperties: false },
);

const JOB_PROPERTIES = {
  name: Type.Optional(Name({ description: 'Default "Untitled job".' })),
  urls: Type.Optional(
    Type.Array(Type.String(), {
      minItems: 1,
      maxItems: LIMITS.maxUrlsPerJob,
      description: 'The pages: absolute http or https URLs. Either `urls` or `requests`.',
      examples: [['https://example.com/', 'https://example.org/']],
    }),
  ),
  requests: Type.Optional(
    Type.Array(JobEntrySchema, {
      minItems: 1,
      maxItems: LIMITS.maxUrlsPerJob,
      description:
        'The pages with a method and a body for each, instead of `urls`. Requests are equal if URL, method and body are; equal ones are sent once.',
      examples: [[{ url: 'https://example.com/search', json: { query: 'kettle' } }]],
    }),
  ),
  crawl: Type.Optional(CrawlOptionsSchema),
  ...SCRAPE_OPTION_PROPERTIES,
  dataset: Type.Optional(DatasetOptionsSchema),
  sink: Type.Optional(SinkOptionsSchema),
  webhook: Type.Optional(WebhookSchema),
};

/** The body of `POST /v1/jobs`: the options apply to every URL. */
export const CreateJobRequestSchema = Type.Unsafe<
  Static<TObject<typeof JOB_PROPERTIES>> & ({ urls: unknown } | { requests: unknown })
>(
  Type.Object(JOB_PROPERTIES, {
    additionalProperties: false,
    oneOf: [
      { properties: { urls: {} }, required: ['urls'] },
      { properties: { requests: {} }, required: ['requests'] },
    ],
  }),
);
export type CreateJobBody = Static<typeof CreateJobRequestSchema>;

/** Methods and bodies of the URLs of a job, one for each of them; absent if those of the options hold for all. */
const PartsSchema = Type.Optional(
  Type.Array(Type.Object(REQUEST_PROPERTIES, { additionalProperties: false })),
);

/** The fields of a job with the URLs of its requests apart, and its webhook as it is stored. */
export const JOB_REQUEST_PROPERTIES = {
  ...JOB_PROPERTIES,
  urls: Type.Array(Type.String()),
  requests: PartsSchema,
  webhook: Type.Optional(StoredWebhookSchema),
};

/** A job to create: its URLs, and their methods and bodies where each has its own. */
export type CreateJobRequest = Static<TObject<typeof JOB_REQUEST_PROPERTIES>>;

/** Returns the job that a body asks for. */
export function jobRequestOf({ urls = [], requests, ...options }: CreateJobBody): CreateJobRequest {
  if (!requests) return { ...options, urls };
  const parts = requests.map(({ url: _url, ...rest }) => rest);
  return { ...options, urls: requests.map(({ url }) => url), requests: parts };
}

/** Returns method and body of an entry of a job. */
export function partsOf(
  options: RequestParts & Pick<CreateJobRequest, 'requests'>,
  index: number,
): RequestParts {
  return options.requests?.[index] ?? options;
}
