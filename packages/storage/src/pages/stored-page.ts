import type { CreditsBreakdown, Failure, PageChange, PageKind, SkipReason } from '@gleaner/contracts';
import type { PageDocument } from './page-model.ts';

/** Stored page with its id. */
export type StoredPage = Omit<PageDocument, '_id' | 'expiresAt'> & { readonly id: string };

/** One attempt at a page. */
export interface PageAttempt {
  readonly id: string;
  readonly attempt: number;
}

/** End of an attempt: the new state of its page, with the data of that state. */
export type PageEnd = PageAttempt &
  (
    | {
        readonly state: 'succeeded' | 'visited';
        readonly price: CreditsBreakdown;
        readonly change?: PageChange | undefined;
        /** Kind of page that the result comes from. */
        readonly verdict?: PageKind | undefined;
      }
    | {
        readonly state: 'failed' | 'missing';
        readonly failure: Failure;
        readonly round?: string | undefined;
        readonly change?: PageChange | undefined;
      }
    | { readonly state: 'skipped'; readonly skip: SkipReason }
    | { readonly state: 'done' }
    | {
        readonly state: 'waiting';
        readonly notBefore: Date;
        /** Counter that the attempt adds to; `unsent` adds to none. */
        readonly because: 'failures' | 'losses' | 'overdues' | 'sessions' | 'unsent';
        readonly failure?: Failure;
        readonly round?: string | undefined;
      }
  );

/** Converts a document. */
export function toStoredPage({ _id, expiresAt: _expiresAt, ...rest }: PageDocument): StoredPage {
  return { id: _id, ...rest };
}
