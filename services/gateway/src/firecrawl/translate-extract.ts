import { FIRECRAWL_EXTRACT, type FirecrawlValues } from '@gleaner/contracts';
import { ignoredIn, NotSupported, refusedIn } from './not-supported.ts';
import { type BatchTranslation, type JobTranslationRules, translateBatch } from './translate-job.ts';

type ExtractBody = FirecrawlValues<typeof FIRECRAWL_EXTRACT>;

/** Translates `POST /extract` of either version: a job with the format `json`. Throws NotSupported with everything that has no equal. */
export async function translateExtract(
  { urls = [], schema, prompt, systemPrompt, ignoreInvalidURLs, scrapeOptions = {}, ...extract }: ExtractBody,
  rules: JobTranslationRules,
): Promise<BatchTranslation> {
  const told = [systemPrompt, prompt].filter(Boolean).join('\n\n');
  const details = [
    ...refusedIn(extract, FIRECRAWL_EXTRACT),
    ...urls.flatMap((url, index) =>
      url.trim().endsWith('*')
        ? [{ path: `urls.${index}`, message: 'is not supported. Find the pages with `/map`.' }]
        : [],
    ),
    ...(schema || told ? [] : [{ path: 'prompt', message: 'is required without a schema' }]),
  ];
  if (details.length > 0) throw new NotSupported(details);
  const { formats = [], ...page } = scrapeOptions;
  const json = {
    type: 'json' as const,
    ...(schema && { schema }),
    ...(told !== '' && { prompt: told }),
  };
  const batch = await translateBatch(
    { urls, ...page, formats: [json], ...(ignoreInvalidURLs !== undefined && { ignoreInvalidURLs }) },
    rules,
  );
  return {
    ...batch,
    warnings: [
      ...ignoredIn(extract, FIRECRAWL_EXTRACT),
      ...batch.warnings,
      ...(formats.length > 0 ? ['scrapeOptions.formats has no effect: the values alone are returned.'] : []),
    ],
  };
}
