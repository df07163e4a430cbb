import type { Scope } from '@gleaner/contracts';
import type { Account } from '@gleaner/storage';

/** Who calls: one API key of one account. */
export interface Caller {
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  /** As old as the lookup remembers it: it tells whether credits are unlimited, not how many are left. */
  readonly account: Pick<Account, 'id' | 'balance'>;
}
