import { AppError } from '@gleaner/contracts';
import type { DocumentResponse } from '../browser/page-watch.ts';
import { classifyResponse } from './classify-response.ts';

/**
 * Holds a rendered document to the rules of a fetched one (`classifyResponse`), and gives its status. Throws UPSTREAM_ERROR
 * as well when the page has gone to where there is no answer, such as about:blank.
 */
export function classifyRendered(
  response: DocumentResponse | undefined,
  { url, html }: { readonly url: string; readonly html: string },
): { readonly statusCode: number } {
  if (response === undefined || !/^https?:/.test(url)) {
    throw new AppError('UPSTREAM_ERROR', {
      message: `The page went to ${JSON.stringify(url.slice(0, 200))}, where there is nothing to scrape.`,
    });
  }
  const { statusCode, headers } = response;
  // A picture that stands alone has no markup, but is something all the same.
  classifyResponse({ url, statusCode, headers, html, body: Buffer.from(html || ' ') });
  return { statusCode };
}
