import { type PageFound, type PageResult, totalCredits } from '@gleaner/contracts';

type FoundResult = Extract<PageResult, { metadata: unknown }>;

/**
 * The result of a page as callers get it, in JSON: the data goes in as the text that it came as, the screenshot as the path
 * where it can be had.
 */
export function renderResult(found: PageFound, screenshotUrl?: string): string {
  const { url, dataJson, warnings, finalUrl, statusCode, timestamp, engine, attempts, price } = found;
  const rest: Omit<FoundResult, 'url' | 'data'> = {
    metadata: {
      url,
      finalUrl,
      statusCode,
      duration: found.durationMs,
      timestamp,
      credits: totalCredits(price),
      creditsBreakdown: price,
      engine,
      attempts,
    },
    ...(warnings.length > 0 && { warnings }),
    ...(screenshotUrl !== undefined && { screenshotUrl }),
  };
  return `{"url":${JSON.stringify(url)},"data":${dataJson},${JSON.stringify(rest).slice(1)}`;
}

/** Where the gateway serves the screenshot of a page; its id is made of job and index. */
export function screenshotUrlOf(pageId: string): string {
  const [jobId, index] = pageId.split(':');
  return `/v1/jobs/${jobId}/results/${Number(index)}/screenshot`;
}
