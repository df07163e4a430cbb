import { AppError, type AppErrorOptions, type PageOutcome } from '@gleaner/contracts';
import { quoteUrl } from '@gleaner/egress';
import { parseContentType } from '../decode/content-type.ts';

/** Outcome of an attempt at a page of a crawl that is neither a result nor a failure. */
export type NoPageOutcome =
  | Extract<PageOutcome['outcome'], { kind: 'redirected' | 'notDocument' }>
  | { readonly kind: 'notModified' };

/** Ends an attempt at a page that is not one. For a crawl, `outcome` says what it is instead; otherwise it is an error. */
export class NoPage extends AppError {
  readonly outcome: NoPageOutcome;

  constructor(outcome: NoPageOutcome, options: AppErrorOptions) {
    super('UNSUPPORTED_CONTENT', options);
    this.outcome = outcome;
  }
}

/** Returns the error for a file that is not a document, such as an image. */
export function noDocument(contentType: string | undefined, options: AppErrorOptions): NoPage {
  const { essence } = parseContentType(contentType);
  return new NoPage({ kind: 'notDocument', contentType: essence || 'application/octet-stream' }, options);
}

/** Returns the error for a redirect to another page, which is not followed. */
export function redirectedTo(url: string, from: string): NoPage {
  const target = new URL(url);
  if (!target.hash.startsWith('#!')) target.hash = '';
  return new NoPage(
    { kind: 'redirected', url: target.href },
    { message: `${quoteUrl(from)} redirects to ${quoteUrl(url)}, which is another page.` },
  );
}

/** Returns the error for a page without changes since its validators were sent. */
export function notModified(url: string): NoPage {
  return new NoPage(
    { kind: 'notModified' },
    { message: `${quoteUrl(url)} has not been modified.`, targetStatusCode: 304 },
  );
}
