import {
  browserOptionsOf,
  type CreateJobRequest,
  type ErrorDetail,
  isActing,
  methodOf,
  readingOptionsOf,
  type ScrapeOptions,
} from '@gleaner/contracts';

const NEEDS_BROWSER = 'needs a browser, which keeps no files: leave it out, or leave out download';
const READS = 'is for pages that are read, and download keeps a file as it was sent: leave one of them out';
const NO_BODY = 'must not be HEAD with download: its answer has no body';

/** Finds options that cannot be combined with `download`. Crawls read their pages beside the files. */
export function findDownloadErrors({
  crawl,
  requests,
  ...options
}: ScrapeOptions & Partial<Pick<CreateJobRequest, 'requests' | 'crawl'>>): ErrorDetail[] {
  if (!options.download) return [];
  const acting = (crawl?.rules ?? []).flatMap((rule, index) =>
    isActing(rule) ? [`crawl.rules.${index}.actions`] : [],
  );
  const heads = [options, ...(requests ?? [])].flatMap((parts, index) =>
    methodOf(parts) === 'HEAD' ? [index === 0 ? 'method' : `requests.${index - 1}.method`] : [],
  );
  return [
    ...[...browserOptionsOf(options), ...acting].map((path) => ({ path, message: NEEDS_BROWSER })),
    ...(crawl ? [] : readingOptionsOf(options)).map((path) => ({ path, message: READS })),
    ...heads.map((path) => ({ path, message: NO_BODY })),
  ];
}
