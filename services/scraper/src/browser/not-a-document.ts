import { AppError } from '@gleaner/contracts';
import { nameOf, type TargetResponse } from '../classify/classify-response.ts';
import { isDocumentType } from '../classify/describe-content.ts';

/** What a browser was sent and did not show. */
export type UnshownAnswer = Pick<TargetResponse, 'url' | 'statusCode' | 'headers'>;

/** Statuses without a document, at which browsers stay where they are (RFC 9110 §15.3.5). */
const EMPTY_STATUSES: ReadonlySet<number> = new Set([204, 205]);

/** Why a browser showed nothing of a complete answer, and how the caller gets at what there is. */
export function notADocument({ url, statusCode, headers }: UnshownAnswer): AppError {
  const because = EMPTY_STATUSES.has(statusCode)
    ? sentNothing(url, statusCode)
    : sentDownload(url, headers['content-type'], headers['content-disposition']);
  return new AppError('UNSUPPORTED_CONTENT', { ...because, targetStatusCode: statusCode });
}

function sentNothing(url: string, statusCode: number) {
  return {
    message: `${nameOf(url)} answered with status ${statusCode}, at which a browser stays where it is: there is no page.`,
    suggestion: 'Such an address only takes note of a visit. Scrape the page from which it is called.',
  };
}

/** A plain fetch reads every text, also one that browsers save. */
function sentDownload(url: string, contentType: string | undefined, disposition: string | undefined) {
  const type = contentType ? ` of type ${contentType}` : '';
  const isNamed = disposition !== undefined && /^\s*attachment\b/i.test(disposition);
  const reason = isNamed ? ' (Content-Disposition: attachment)' : '';
  return {
    message: `${nameOf(url)} is a download${type}${reason}: a browser saves it and shows no page.`,
    suggestion: isDocumentType(contentType)
      ? 'Scrape it without render, waitFor and screenshot: a plain fetch reads text that is meant to be saved.'
      : 'Scrape the HTML page that links to it instead.',
  };
}
