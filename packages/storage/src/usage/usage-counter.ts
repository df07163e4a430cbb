import type { mongo } from 'mongoose';
import type { Database } from '../connect-database.ts';
import type { ChargeDocument } from '../credits/charge-model.ts';
import { LEDGER_RETENTION_MS } from '../credits/reservation.ts';
import { bounded } from '../database/guarded.ts';
import { isDuplicateKey } from '../database/translate-error.ts';
import { driverCollection } from '../document-schema.ts';
import type { ChargedMonths } from './charged-months.ts';
import {
  type AccountMonth,
  CHECK_AFTER_MS,
  COUNT_AFTER_MS,
  DAY_MS,
  type UsageMonthDocument,
  type UsageTally,
} from './usage-month.ts';
import { findStepEnd, sumCharges, type UsageRow } from './usage-rows.ts';

/** Collaborators of the usage counter. */
export interface UsageCounterDeps {
  readonly database: Pick<Database, 'models'>;
  readonly charged: ChargedMonths;
  /** Maximum number of charges counted in one step, not counting further ones of the same millisecond. */
  readonly chargesPerStep?: number;
}

/** Time to count up to, and the signal that stops the count between steps. */
export interface CountRequest {
  readonly now: Date;
  readonly signal?: AbortSignal | undefined;
}

/** Few enough that a step ends well before the time limit of an operation. */
const CHARGES_PER_STEP = 20_000;

/**
 * Counts the ledger into months, so that it need not be summed up again. A step adds what it counted and moves the
 * month's mark in one atomic update that requires the old mark: any number of processes may count at once, and die at
 * any point, and no charge is counted twice.
 */
export class UsageCounter {
  readonly #charged: ChargedMonths;
  readonly #chargesPerStep: number;
  readonly #charges: mongo.Collection<ChargeDocument>;
  readonly #months: mongo.Collection<UsageMonthDocument>;

  constructor({ database: { models }, charged, chargesPerStep = CHARGES_PER_STEP }: UsageCounterDeps) {
    this.#charged = charged;
    this.#chargesPerStep = chargesPerStep;
    this.#charges = driverCollection(models.charges);
    this.#months = driverCollection(models.usageMonths);
  }

  /** Counts the due charges of the months that this process knows of. */
  async countCharges({ now, signal }: CountRequest): Promise<void> {
    for (const month of this.#charged.due(now))
      this.#charged.recordProgress(month, await this.countMonth(month, { now, signal }));
  }

  /** Counts and checks the charges of a month as far as possible. */
  async countMonth(month: AccountMonth, { now, signal }: CountRequest): Promise<UsageMonthDocument> {
    const until = earlier(month.end, new Date(now.getTime() - COUNT_AFTER_MS));
    const lastDay = new Date(now.getTime() - CHECK_AFTER_MS);
    for (;;) {
      signal?.throwIfAborted();
      const counted = await bounded(() => this.#findOrCreate(month));
      if (counted.countedTo < until) await bounded(() => this.#countStep(counted, until));
      else if (dayAfter(counted.checkedTo) <= earlier(lastDay, counted.countedTo)) {
        if (counted.checkedTo.getTime() < now.getTime() - LEDGER_RETENTION_MS) await this.#skipCheck(counted);
        else await this.#checkDay(counted, signal);
      } else return counted;
    }
  }

  async #findOrCreate({ id, accountId, month, start }: AccountMonth): Promise<UsageMonthDocument> {
    const known = await this.#months.findOne({ _id: id });
    if (known) return known;
    const fresh = {
      _id: id,
      accountId,
      month,
      countedTo: start,
      checkedTo: start,
      ledgerFrom: start,
      days: {},
    };
    try {
      await this.#months.insertOne(fresh);
    } catch (error) {
      // Another process inserted it at the same time.
      if (!isDuplicateKey(error)) throw error;
    }
    return fresh;
  }

  async #countStep({ _id, accountId, countedTo }: UsageMonthDocument, until: Date): Promise<void> {
    const period = { accountId, from: countedTo, to: until };
    const to = await findStepEnd(this.#charges, period, this.#chargesPerStep);
    const rows = await sumCharges(this.#charges, { accountId, from: countedTo, to });
    const additions = rows.flatMap(({ day, operation, credits, requests }) => [
      [`days.${day}.${operation}.credits`, credits] as const,
      [`days.${day}.${operation}.requests`, requests] as const,
    ]);
    await this.#months.updateOne(
      { _id, countedTo },
      { $set: { countedTo: to }, ...(additions.length > 0 && { $inc: Object.fromEntries(additions) }) },
    );
  }

  /** Leaves the first unchecked day as it was counted: the ledger has deleted charges of it. */
  async #skipCheck({ _id, checkedTo }: UsageMonthDocument): Promise<void> {
    const end = dayAfter(checkedTo);
    await bounded(() => this.#months.updateOne({ _id, checkedTo }, { $set: { checkedTo: end } }));
  }

  /** Counts the first unchecked day again. */
  async #checkDay({ _id, accountId, checkedTo }: UsageMonthDocument, signal?: AbortSignal): Promise<void> {
    const end = dayAfter(checkedTo);
    const tallies: Record<string, UsageTally> = {};
    for (let from = checkedTo; from < end; ) {
      signal?.throwIfAborted();
      const period = { accountId, from, to: end };
      const to = await bounded(() => findStepEnd(this.#charges, period, this.#chargesPerStep));
      const rows = await bounded(() => sumCharges(this.#charges, { accountId, from, to }));
      addTo(tallies, rows);
      from = to;
    }
    const day = checkedTo.toISOString().slice(0, 10);
    const isEmpty = Object.keys(tallies).length === 0;
    await bounded(() =>
      this.#months.updateOne(
        { _id, checkedTo },
        isEmpty
          ? { $set: { checkedTo: end }, $unset: { [`days.${day}`]: '' } }
          : { $set: { checkedTo: end, [`days.${day}`]: tallies } },
      ),
    );
  }
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
