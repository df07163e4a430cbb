import type { Usage } from '@gleaner/contracts';
import type { AccountStore } from '../accounts/account-store.ts';
import type { Database } from '../connect-database.ts';
import type { ChargeDocument } from '../credits/charge-model.ts';
import { type DriverCollection, driverCollection } from '../document-schema.ts';
import type { ChargedMonths } from './charged-months.ts';
import {
  type AccountMonth,
  CHECK_AFTER_MS,
  COUNT_AFTER_MS,
  DAY_MS,
  monthsBetween,
  PACE_MS,
  type UsageMonthDocument,
} from './usage-month.ts';
import { type ChargePeriod, sumCharges, tallyUsage, type UsageRow } from './usage-rows.ts';

/** Account and period, from the start of one day (UTC, included) to the start of another (excluded). */
export type UsagePeriod = ChargePeriod;

/** Collaborators of the usage store. */
export interface UsageDeps {
  readonly database: Pick<Database, 'models' | 'clock'>;
  readonly accounts: Pick<AccountStore, 'findAccount'>;
  readonly charged: ChargedMonths;
}

/** Store of usage, which reads counted months and the rest of the ledger. See docs/decisions/usage.md. */
export class UsageStore {
  readonly #deps: UsageDeps;
  readonly #charges: DriverCollection<ChargeDocument>;
  readonly #months: DriverCollection<UsageMonthDocument>;

  constructor(deps: UsageDeps) {
    this.#deps = deps;
    this.#charges = driverCollection(deps.database.models.charges);
    this.#months = driverCollection(deps.database.models.usageMonths);
  }

  /** Returns the charges of the account in the period, and its reserved and remaining credits now. */
  async summarize(period: UsagePeriod): Promise<Usage> {
    const { accountId, from, to } = period;
    const [rows, account] = await Promise.all([
      this.#rowsOf(period),
      this.#deps.accounts.findAccount(accountId),
    ]);
    return {
      from: from.toISOString(),
      to: to.toISOString(),
      ...tallyUsage(rows),
      reserved: account?.reserved ?? 0,
      remaining: account?.balance ?? null,
    };
  }

  async #rowsOf(period: UsagePeriod): Promise<UsageRow[]> {
    const touched = monthsBetween(period.accountId, period.from, period.to);
    const counted = await this.#months.find({ _id: { $in: touched.map(({ id }) => id) } }).toArray();
    const byId = new Map(counted.map((month) => [month._id, month]));
    const parts = await Promise.all(
      touched.map((month) => this.#rowsOfMonth(month, byId.get(month.id), period)),
    );
    return parts.flat();
  }

  /** Returns counted days and, from `countedTo`, the ledger. The mark was read with the days, so no charge is in both. */
  async #rowsOfMonth(
    month: AccountMonth,
    counted: UsageMonthDocument | undefined,
    { accountId, from, to, signal }: UsagePeriod,
  ): Promise<UsageRow[]> {
    const begin = later(from, counted?.countedTo ?? month.start);
    const end = month.end < to ? month.end : to;
    if (!isKeptUp(counted, end, this.#deps.database.clock.nowMs()))
      this.#deps.charged.noteCharge(
        accountId,
        new Date(Math.min(end.getTime() - 1, this.#deps.database.clock.nowMs())),
      );
    const rest = await sumCharges(this.#charges, { accountId, from: begin, to: end, signal });
    return [...rowsOfDays(counted, from, to), ...rest];
  }
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

/** Returns whether the month is counted as far as possible; the process that should count it may have stopped. */
function isKeptUp(counted: UsageMonthDocument | undefined, end: Date, nowMs: number): boolean {
  const reaches = (mark: Date, behindMs: number) =>
    mark.getTime() >= Math.min(end.getTime(), nowMs - behindMs);
  return (
    counted !== undefined &&
    reaches(counted.countedTo, COUNT_AFTER_MS + 2 * PACE_MS) &&
    reaches(counted.checkedTo, CHECK_AFTER_MS + 2 * DAY_MS)
  );
}
