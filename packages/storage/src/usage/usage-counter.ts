import type { Database } from '../database/connect-database.ts';
import { bounded } from '../database/guarded.ts';
import { driverCollection } from '../database/models.ts';
import { isDuplicateKey } from '../database/translate-error.ts';
import type { AccountMonth } from './account-month.ts';
import type { ChargedMonths } from './charged-months.ts';
import { sumCharges } from './sum-charges.ts';
import type { UsageRow } from './tally-usage.ts';
import type { UsageMonthDocument, UsageTally } from './usage-month-model.ts';
import { CHECK_AFTER_MS, COUNT_AFTER_MS, DAY_MS } from './usage-times.ts';

/** What counting takes. */
export interface UsageCounterDeps {
  readonly database: Pick<Database, 'models'>;
  readonly charged: ChargedMonths;
  /** How many charges are counted in one step at most, give or take those of one millisecond. */
  readonly chargesPerStep?: number;
}

/** Which moment is taken for now. */
export interface CountRequest {
  readonly now: Date;
  readonly signal?: AbortSignal;
}

/** A step must be over well before an operation's time-out. */
const CHARGES_PER_STEP = 20_000;

/**
 * Counts the ledger into months, so that nobody has to sum it up again. A step adds what it found and moves the
 * month's mark in one atomic update that demands the old mark: any number of processes may count at once, and
 * die anywhere, and nothing is counted twice.
 */
export function createUsageCounter({
  database: { models },
  charged,
  chargesPerStep = CHARGES_PER_STEP,
}: UsageCounterDeps) {
  const charges = driverCollection(models.charges);
  const months = driverCollection(models.usageMonths);

  /** Brings the months up to date that this process knows of. */
  async function countCharges({ now, signal }: CountRequest): Promise<void> {
    for (const month of charged.due(now)) charged.learn(month, await countMonth(month, now, signal));
  }

  async function countMonth(
    month: AccountMonth,
    now: Date,
    signal?: AbortSignal,
  ): Promise<UsageMonthDocument> {
    const until = earlier(month.end, new Date(now.getTime() - COUNT_AFTER_MS));
    const lastDay = new Date(now.getTime() - CHECK_AFTER_MS);
    for (;;) {
      signal?.throwIfAborted();
      const counted = await bounded(() => open(month));
      if (counted.countedTo < until) await bounded(() => countOn(counted, until));
      else if (dayAfter(counted.checkedTo) <= earlier(lastDay, counted.countedTo)) {
        await checkDay(counted, signal);
      } else return counted;
    }
  }

  /** The month as it is counted so far; made where it is not there. */
  async function open({ id, accountId, month, start }: AccountMonth): Promise<UsageMonthDocument> {
    const known = await months.findOne({ _id: id });
    if (known) return known;
    const fresh = { _id: id, accountId, month, countedTo: start, checkedTo: start, days: {} };
    try {
      await months.insertOne(fresh);
    } catch (error) {
      // Another process made it at once.
      if (!isDuplicateKey(error)) throw error;
    }
    return fresh;
  }

  async function countOn({ _id, accountId, countedTo }: UsageMonthDocument, until: Date): Promise<void> {
    const to = await stepEnd(accountId, countedTo, until);
    const rows = await sumCharges(charges, { accountId, from: countedTo, to });
    const additions = rows.flatMap(({ day, operation, credits, requests }) => [
      [`days.${day}.${operation}.credits`, credits] as const,
      [`days.${day}.${operation}.requests`, requests] as const,
    ]);
    await months.updateOne(
      { _id, countedTo },
      { $set: { countedTo: to }, ...(additions.length > 0 && { $inc: Object.fromEntries(additions) }) },
    );
  }

  /** Counts the first unchecked day anew. */
  async function checkDay(
    { _id, accountId, checkedTo }: UsageMonthDocument,
    signal?: AbortSignal,
  ): Promise<void> {
    const end = dayAfter(checkedTo);
    const tallies: Record<string, UsageTally> = {};
    for (let from = checkedTo; from < end; ) {
      signal?.throwIfAborted();
      const to = await bounded(() => stepEnd(accountId, from, end));
      const rows = await bounded(() => sumCharges(charges, { accountId, from, to }));
      addTo(tallies, rows);
      from = to;
    }
    const day = checkedTo.toISOString().slice(0, 10);
    const isEmpty = Object.keys(tallies).length === 0;
    await bounded(() =>
      months.updateOne(
        { _id, checkedTo },
        isEmpty
          ? { $set: { checkedTo: end }, $unset: { [`days.${day}`]: '' } }
          : { $set: { checkedTo: end, [`days.${day}`]: tallies } },
      ),
    );
  }

  /** Where a step that begins here ends, so that it is not too long. */
  async function stepEnd(accountId: string, from: Date, until: Date): Promise<Date> {
    const next = await charges.findOne(
      { accountId, at: { $gte: from, $lt: until } },
      { sort: { at: 1 }, skip: chargesPerStep, projection: { at: 1 } },
    );
    if (!next) return until;
    return next.at > from ? next.at : new Date(from.getTime() + 1);
  }

  return { countCharges };
}

function addTo(tallies: Record<string, UsageTally>, rows: readonly UsageRow[]): void {
  for (const { operation, credits, requests } of rows) {
    const tally = tallies[operation] ?? { credits: 0, requests: 0 };
    tallies[operation] = { credits: tally.credits + credits, requests: tally.requests + requests };
  }
}

function dayAfter(moment: Date): Date {
  return new Date(moment.getTime() + DAY_MS);
}

function earlier(one: Date, other: Date): Date {
  return one < other ? one : other;
}
