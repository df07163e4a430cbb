import type { Static } from 'typebox';
import { CrawlOptionsSchema } from '../crawl/crawl-options.ts';
import { isSecretHeader, mayHoldSecrets } from '../scrape/credentials.ts';
import { REQUEST_PROPERTIES, type RequestParts } from '../scrape/request-body.ts';
import { SCRAPE_OPTION_PROPERTIES } from '../scrape/scrape-options.ts';
import type { ScrapeOptions } from '../scrape/scrape-request.ts';
import { Type } from '../type.ts';

/** The options of a job as they were given, without values that are secret. */
export const ShownOptionsSchema = Type.Object(
  { ...SCRAPE_OPTION_PROPERTIES, crawl: Type.Optional(CrawlOptionsSchema) },
  {
    additionalProperties: false,
    description:
      'The options as they were given. The values of cookies, and of headers and fields of `json` and `form` whose name suggests a credential (such as `Authorization`, `X-Api-Key`, `password`), are shown as `[redacted]`, and so is a `body` with such a word in it.',
  },
);
export type ShownOptions = Static<typeof ShownOptionsSchema>;

/** Method and body of a URL of a job, without values that are secret. */
export const ShownRequestSchema = Type.Optional(
  Type.Object(REQUEST_PROPERTIES, {
    additionalProperties: false,
    description:
      'Method and body of a job with `requests`, as they were given; absent of a GET. Values are shown as `[redacted]` as in `options`.',
  }),
);

/** Stands for a value that is not shown. */
export const REDACTED = '[redacted]';

/** Returns the options as the API shows them: the values of cookies, and of headers and fields with credentials, are replaced. */
export function redactOptions(options: ScrapeOptions): ShownOptions {
  const { cookies, headers } = options;
  return {
    ...options,
    ...(cookies && { cookies: cookies.map((cookie) => ({ ...cookie, value: REDACTED })) }),
    ...(headers && { headers: redactNamed(headers) }),
    ...redactBody(options),
  };
}

/** Returns method and body as the API shows them, from their stored form. */
export function shownRequestOf(requestJson: string | undefined): { request?: RequestParts } {
  if (requestJson === undefined) return {};
  const parts: RequestParts = JSON.parse(requestJson);
  return { request: { ...parts, ...redactBody(parts) } };
}

/** Returns a body as the API shows it. Of a text it is not known where a secret ends. */
export function redactBody({ body, json, form }: RequestParts): RequestParts {
  return {
    ...(body !== undefined && { body: mayHoldSecrets(body) ? REDACTED : body }),
    ...(json !== undefined && { json: JSON.parse(JSON.stringify(json, redactNamedValue)) }),
    ...(form && { form: redactNamed(form) }),
  };
}

function redactNamedValue(name: string, value: unknown): unknown {
  return isSecretHeader(name) && value !== null ? REDACTED : value;
}

function redactNamed<Value>(fields: Readonly<Record<string, Value>>): Record<string, Value | string> {
  const shown = Object.entries(fields).map(([name, value]) => [
    name,
    isSecretHeader(name) ? REDACTED : value,
  ]);
  return Object.fromEntries(shown);
}
