import type { Usage } from '@gleaner/contracts';
import type { AccountStore } from '../accounts/account-store.ts';
import type { Database } from '../database/connect-database.ts';
import { guarded } from '../database/guarded.ts';
import { driverCollection } from '../database/models.ts';
import { type AccountMonth, monthsBetween } from './account-month.ts';
import type { ChargedMonths } from './charged-months.ts';
import { type ChargePeriod, sumCharges } from './sum-charges.ts';
import { tallyUsage, type UsageRow } from './tally-usage.ts';
import { createUsageCounter } from './usage-counter.ts';
import type { UsageMonthDocument } from './usage-month-model.ts';
import { CHECK_AFTER_MS, COUNT_AFTER_MS, DAY_MS, PACE_MS } from './usage-times.ts';

/** Whose usage, from the beginning of one day (UTC, included) to that of another (not included). */
export type UsagePeriod = ChargePeriod;

/** What usage is taken from. */
export interface UsageDeps {
  readonly database: Pick<Database, 'models'>;
  readonly accounts: Pick<AccountStore, 'findAccount'>;
  readonly charged: ChargedMonths;
}

export type UsageStore = ReturnType<typeof createUsageStore>;

/** What accounts have used: months that are counted, and the ledger from there on. See docs/decisions/usage.md. */
export function createUsageStore({ database, accounts, charged }: UsageDeps) {
  const charges = driverCollection(database.models.charges);
  const months = driverCollection(database.models.usageMonths);

  const { summarise } = guarded({
    /** What the account was charged in the period, what it holds now and what it has left. */
    async summarise(period: UsagePeriod): Promise<Usage> {
      const { accountId, from, to } = period;
      const [rows, account] = await Promise.all([rowsOf(period), accounts.findAccount(accountId)]);
      return {
        from: from.toISOString(),
        to: to.toISOString(),
        ...tallyUsage(rows),
        reserved: account?.reserved ?? 0,
        remaining: account?.balance ?? null,
      };
    },
  });

  async function rowsOf(period: UsagePeriod): Promise<UsageRow[]> {
    const touched = monthsBetween(period.accountId, period.from, period.to);
    const counted = await months.find({ _id: { $in: touched.map(({ id }) => id) } }).toArray();
    const byId = new Map(counted.map((month) => [month._id, month]));
    const parts = await Promise.all(touched.map((month) => rowsOfMonth(month, byId.get(month.id), period)));
    return parts.flat();
  }

  /** The counted days, and from the mark on the ledger; the mark was read with the days, so that nothing is in both. */
  async function rowsOfMonth(
    month: AccountMonth,
    counted: UsageMonthDocument | undefined,
    { accountId, from, to, signal }: UsagePeriod,
  ): Promise<UsageRow[]> {
    const begin = later(from, counted?.countedTo ?? month.start);
    const end = month.end < to ? month.end : to;
    if (!isKeptUp(counted, end)) charged.note(accountId, new Date(Math.min(end.getTime() - 1, Date.now())));
    const rest = await sumCharges(charges, { accountId, from: begin, to: end, signal });
    return [...rowsOfDays(counted, from, to), ...rest];
  }

  return { summarise, ...createUsageCounter({ database, charged }) };
}

function rowsOfDays(counted: UsageMonthDocument | undefined, from: Date, to: Date): UsageRow[] {
  const [first, end] = [from, to].map((moment) => moment.toISOString().slice(0, 10)) as [string, string];
  return Object.entries(counted?.days ?? {})
    .filter(([day]) => day >= first && day < end)
    .flatMap(([day, operations]) =>
      Object.entries(operations).map(([operation, tally]) => ({ day, operation, ...tally })),
    );
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other;
}

/** Whether somebody counts the month as far as it can be; who was to may have gone. */
function isKeptUp(counted: UsageMonthDocument | undefined, end: Date): boolean {
  const reaches = (mark: Date, behindMs: number) =>
    mark.getTime() >= Math.min(end.getTime(), Date.now() - behindMs);
  return (
    counted !== undefined &&
    reaches(counted.countedTo, COUNT_AFTER_MS + 2 * PACE_MS) &&
    reaches(counted.checkedTo, CHECK_AFTER_MS + 2 * DAY_MS)
  );
}
