import { AppError } from '@gleaner/contracts';
import { classifyResponse } from './classify-response.ts';

/** The target's response for a document that a browser shows. */
export interface DocumentResponse {
  readonly url: string;
  readonly statusCode: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Applies the rules for fetched documents (`classifyResponse`) to a rendered one and returns its status. Also throws
 * UPSTREAM_ERROR when the page went to a URL without a response, such as about:blank.
 */
export function classifyRendered(
  response: DocumentResponse | undefined,
  { url, html }: { readonly url: string; readonly html: string },
): { readonly statusCode: number } {
  if (response === undefined || !/^https?:/.test(url)) {
    throw new AppError('UPSTREAM_ERROR', {
      message: `The page went to ${JSON.stringify(url.slice(0, 200))}, which is not a web page.`,
    });
  }
  const { statusCode, headers } = response;
  // A document that is only an image has no markup, yet it is not empty.
  classifyResponse({ url, statusCode, headers, html, body: Buffer.from(html || ' ') });
  return { statusCode };
}
