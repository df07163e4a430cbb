import { AppError } from '@gleaner/contracts';
import { quoteUrl } from '@gleaner/egress';
import type { TargetResponse } from './classify-response.ts';
import { isDocumentType, isPdfType } from './describe-content.ts';
import { noDocument } from './no-page.ts';

/** Response that a browser received and did not show. */
export type UnshownAnswer = Pick<TargetResponse, 'url' | 'statusCode' | 'headers'>;

/** Statuses without a document, at which browsers keep the current page (RFC 9110 §15.3.5). */
const EMPTY_STATUSES: ReadonlySet<number> = new Set([204, 205]);

/** Explains why a browser showed nothing of a complete response, and how to get its content. */
export function notADocument({ url, statusCode, headers }: UnshownAnswer): AppError {
  if (EMPTY_STATUSES.has(statusCode)) {
    return new AppError('UNSUPPORTED_CONTENT', {
      ...sentNothing(url, statusCode),
      targetStatusCode: statusCode,
    });
  }
  const contentType = headers['content-type'];
  const because = sentDownload(url, contentType, headers['content-disposition']);
  return noDocument(contentType, { ...because, targetStatusCode: statusCode });
}

function sentNothing(url: string, statusCode: number) {
  return {
    message: `${quoteUrl(url)} answered with status ${statusCode}, which has no page.`,
    suggestion: 'Scrape the page that calls this URL instead.',
  };
}

/** Browsers save downloads; a plain fetch reads those that are text. */
function sentDownload(url: string, contentType: string | undefined, disposition: string | undefined) {
  const type = contentType ? ` of type ${contentType}` : '';
  const isNamed = disposition !== undefined && /^\s*attachment\b/i.test(disposition);
  const reason = isNamed ? ' (Content-Disposition: attachment)' : '';
  return {
    message: `${quoteUrl(url)} is a download${type}${reason}, which a browser saves instead of showing a page.`,
    suggestion:
      isDocumentType(contentType) || isPdfType(contentType)
        ? 'Scrape it without render, waitFor and screenshot: a plain fetch reads PDFs, and downloads that are text.'
        : 'Scrape the HTML page that links to it instead.',
  };
}
