import { type CreditsBreakdown, totalCredits, worstPriceOf } from '@gleaner/contracts';
import type { StoredJob, Stores } from '@gleaner/storage';

/** Whose pages are charged, and what each may cost at most. */
export interface JobTerms extends Pick<StoredJob, 'id' | 'accountId' | 'keyId'> {
  readonly creditsPerPage: number;
}

/** A page that has succeeded. */
export interface PageToCharge {
  readonly id: string;
  readonly price: CreditsBreakdown;
  /** When it is charged: the ledger is counted by that. */
  readonly at: Date;
}

/** The terms of a job, from its options. */
export function termsOf({ id, accountId, keyId, optionsJson }: StoredJob): JobTerms {
  const creditsPerPage = totalCredits(worstPriceOf(JSON.parse(optionsJson)));
  return { id, accountId, keyId, creditsPerPage };
}

/** What is held for a page, and what it is charged for: one operation, whichever try of it succeeds. */
export function operationOf({ accountId, creditsPerPage }: JobTerms, pageId: string) {
  return { operationId: pageId, accountId, credits: creditsPerPage };
}

/** Charges pages whose success is stored; pages that were charged before are not charged again. */
export async function chargePages(
  terms: JobTerms,
  pages: readonly PageToCharge[],
  { credits }: Pick<Stores, 'credits'>,
): Promise<void> {
  await credits.settleAll(
    pages.map(({ id, price, at }) => ({
      ...operationOf(terms, id),
      settlement: { keyId: terms.keyId, operation: 'page', breakdown: price, at },
    })),
  );
}
