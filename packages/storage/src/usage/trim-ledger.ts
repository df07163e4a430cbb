import type { Database } from '../connect-database.ts';
import type { ChargeDocument } from '../credits/charge-model.ts';
import { bounded } from '../database/guarded.ts';
import { type DriverCollection, driverCollection } from '../document-schema.ts';
import type { JobDocument } from '../jobs/job-model.ts';
import type { CountRequest, UsageCounter } from './usage-counter.ts';
import { type AccountMonth, DAY_MS, monthOf, type UsageMonthDocument } from './usage-month.ts';
import { findStepEnd } from './usage-rows.ts';

/** Collaborators of the trimmer. */
export interface TrimDeps {
  readonly database: Pick<Database, 'models'>;
  readonly counter: UsageCounter;
  /** Maximum number of charges deleted in one step, not counting further ones of the same millisecond. */
  readonly chargesPerStep?: number;
}

/** Days for which single charges stay in the ledger: longer than a finished job. */
const CHARGE_LIFETIME_MS = 31 * DAY_MS;
const PACE_MS = 3600_000;
const MONTHS_PER_READ = 20;
const CHARGES_PER_STEP = 5000;
/** Unfinished old jobs of an account from which on its charges stay until they expire. */
const MAX_OPEN_JOBS = 100;
const EPOCH = new Date(0);

/** Deletes single charges whose sums are counted and checked, day by day; any number of processes may do so at once. */
export class LedgerTrimmer {
  readonly #counter: UsageCounter;
  readonly #chargesPerStep: number;
  readonly #charges: DriverCollection<ChargeDocument>;
  readonly #jobs: DriverCollection<JobDocument>;
  readonly #months: DriverCollection<UsageMonthDocument>;
  #dueAtMs = 0;

  constructor({ database: { models }, counter, chargesPerStep = CHARGES_PER_STEP }: TrimDeps) {
    this.#counter = counter;
    this.#chargesPerStep = chargesPerStep;
    this.#charges = driverCollection(models.charges);
    this.#jobs = driverCollection(models.jobs);
    this.#months = driverCollection(models.usageMonths);
  }

  /** Deletes the old charges of all accounts, at most once an hour in each process. */
  async trimLedger({ now, signal }: CountRequest): Promise<void> {
    if (now.getTime() < this.#dueAtMs) return;
    this.#dueAtMs = now.getTime() + PACE_MS;
    const until = new Date(now.getTime() - CHARGE_LIFETIME_MS);
    const last = new Date(until.getTime() - DAY_MS);
    for (let afterId = ''; ; ) {
      const due = await bounded(() =>
        this.#months
          .find(
            { ledgerFrom: { $lte: last }, _id: { $gt: afterId } },
            { sort: { _id: 1 }, limit: MONTHS_PER_READ },
          )
          .toArray(),
      );
      for (const { accountId, ledgerFrom } of due)
        if (ledgerFrom) await this.#trimMonth(monthOf(accountId, ledgerFrom), until, { now, signal });
      const next = due.at(-1);
      if (!next || due.length < MONTHS_PER_READ) return;
      afterId = next._id;
    }
  }

  async #trimMonth(month: AccountMonth, until: Date, request: CountRequest): Promise<void> {
    const { accountId } = month;
    const { checkedTo, ledgerFrom = month.end } = await this.#counter.countMonth(month, request);
    const end = new Date(Math.min(...[checkedTo, until, month.end].map(startOfDayMs)));
    if (ledgerFrom >= end) return;
    const open = await bounded(() => this.#findOpenJobs(accountId, end));
    if (open.length > MAX_OPEN_JOBS) return;
    const notOpen = open.map((id) => ({
      $or: [{ _id: { $lt: `${id}:` } }, { _id: { $gte: `${id}:\uffff` } }],
    }));
    for (let from = ledgerFrom; from < end; ) {
      request.signal?.throwIfAborted();
      const to = await bounded(() =>
        findStepEnd(this.#charges, { accountId, from, to: end }, this.#chargesPerStep),
      );
      const step = { accountId, at: { $gte: from, $lt: to } };
      await bounded(() => this.#charges.deleteMany(notOpen.length > 0 ? { ...step, $and: notOpen } : step));
      from = to;
    }
    const isLast = end.getTime() === month.end.getTime();
    const update = isLast ? { $unset: { ledgerFrom: 1 as const } } : { $set: { ledgerFrom: end } };
    await bounded(() => this.#months.updateOne({ _id: month.id, ledgerFrom }, update));
  }

  /** Returns the jobs whose charges may still be summed or repeated. */
  async #findOpenJobs(accountId: string, before: Date): Promise<string[]> {
    const open = { checkedAt: { $gt: EPOCH }, accountId, createdAt: { $lt: before } };
    const jobs = await this.#jobs.find(open, { projection: { _id: 1 }, limit: MAX_OPEN_JOBS + 1 }).toArray();
    return jobs.map(({ _id }) => _id);
  }
}

function startOfDayMs(moment: Date): number {
  return Math.floor(moment.getTime() / DAY_MS) * DAY_MS;
}
