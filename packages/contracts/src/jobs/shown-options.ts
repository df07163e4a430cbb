import type { Static } from 'typebox';
import { CrawlOptionsSchema } from '../crawl/crawl-options.ts';
import { isSecretHeader } from '../scrape/credentials.ts';
import { SCRAPE_OPTION_PROPERTIES } from '../scrape/scrape-options.ts';
import type { ScrapeOptions } from '../scrape/scrape-request.ts';
import { Type } from '../type.ts';

/** The options of a job as they were given, without values that are secret. */
export const ShownOptionsSchema = Type.Object(
  { ...SCRAPE_OPTION_PROPERTIES, crawl: Type.Optional(CrawlOptionsSchema) },
  {
    additionalProperties: false,
    description:
      'The options as they were given. The values of cookies, and of headers whose name suggests a credential (such as `Authorization`, `Cookie`, `X-Api-Key`), are shown as `[redacted]`.',
  },
);
export type ShownOptions = Static<typeof ShownOptionsSchema>;

/** Stands for a value that is not shown. */
export const REDACTED = '[redacted]';

/** Returns the options as the API shows them: the values of cookies and of headers with credentials are replaced. */
export function redactOptions(options: ScrapeOptions): ShownOptions {
  const { cookies, headers } = options;
  return {
    ...options,
    ...(cookies && { cookies: cookies.map((cookie) => ({ ...cookie, value: REDACTED })) }),
    ...(headers && { headers: redactHeaders(headers) }),
  };
}

function redactHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const shown = Object.entries(headers).map(([name, value]) => [
    name,
    isSecretHeader(name) ? REDACTED : value,
  ]);
  return Object.fromEntries(shown);
}
