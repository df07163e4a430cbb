import type { Usage } from '@gleaner/contracts';
import type { AccountStore } from '../accounts/account-store.ts';
import type { Database } from '../database/connect-database.ts';
import { guarded } from '../database/guarded.ts';
import { driverCollection } from '../database/models.ts';
import { tallyUsage, type UsageRow } from './tally-usage.ts';

/** Whose charges, from one moment (included) to another (not included). */
export interface UsagePeriod {
  readonly accountId: string;
  readonly from: Date;
  readonly to: Date;
  readonly signal?: AbortSignal;
}

/** What the ledger of charges is summed up from. */
export interface UsageDeps {
  readonly database: Pick<Database, 'models'>;
  readonly accounts: Pick<AccountStore, 'findAccount'>;
}

export type UsageStore = ReturnType<typeof createUsageStore>;

/** Sums of the ledger. */
export function createUsageStore({ database, accounts }: UsageDeps) {
  const charges = driverCollection(database.models.charges);

  return guarded({
    /** What the account was charged in the period, what it holds now and what it has left. */
    async summarise({ accountId, from, to, signal }: UsagePeriod): Promise<Usage> {
      const [rows, account] = await Promise.all([
        charges.aggregate<UsageRow>(usagePipeline(accountId, from, to), signal && { signal }).toArray(),
        accounts.findAccount(accountId),
      ]);
      return {
        from: from.toISOString(),
        to: to.toISOString(),
        ...tallyUsage(rows),
        reserved: account?.reserved ?? 0,
        remaining: account?.balance ?? null,
      };
    },
  });
}

function usagePipeline(accountId: string, from: Date, to: Date) {
  return [
    { $match: { accountId, at: { $gte: from, $lt: to }, outcome: 'charged' } },
    {
      $group: {
        _id: { day: '$day', operation: '$operation' },
        credits: { $sum: '$credits' },
        requests: { $sum: 1 },
      },
    },
    { $project: { _id: 0, day: '$_id.day', operation: '$_id.operation', credits: 1, requests: 1 } },
  ];
}
