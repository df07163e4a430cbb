import type { Usage } from '@gleaner/contracts';
import type { mongo } from 'mongoose';
import type { ChargeDocument } from '../credits/charge-model.ts';

/** Charges of one day for one operation. */
export interface UsageRow {
  readonly day: string;
  readonly operation: string;
  readonly credits: number;
  readonly requests: number;
}

type Tally = Usage['byOperation'][string];

/** Adds rows up by day (ascending, without days that have no charge), by operation, and in total. */
export function tallyUsage(rows: readonly UsageRow[]): Pick<Usage, 'used' | 'byDay' | 'byOperation'> {
  const days = addUp(rows, ({ day }) => day);
  return {
    used: rows.reduce((sum, { credits }) => sum + credits, 0),
    byDay: [...days]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([day, tally]) => ({ day, ...tally })),
    byOperation: Object.fromEntries(addUp(rows, ({ operation }) => operation)),
  };
}

function addUp(rows: readonly UsageRow[], nameOf: (row: UsageRow) => string): Map<string, Tally> {
  const tallies = new Map<string, Tally>();
  for (const row of rows) {
    const { credits, requests } = tallies.get(nameOf(row)) ?? { credits: 0, requests: 0 };
    tallies.set(nameOf(row), { credits: credits + row.credits, requests: requests + row.requests });
  }
  return tallies;
}

/** Account and period, which includes `from` and excludes `to`. */
export interface ChargePeriod {
  readonly accountId: string;
  readonly from: Date;
  readonly to: Date;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the ledger's charges of a period by day and operation; the time grows with their number. */
export async function sumCharges(
  charges: mongo.Collection<ChargeDocument>,
  { accountId, from, to, signal }: ChargePeriod,
): Promise<UsageRow[]> {
  if (from >= to) return [];
  const pipeline = [
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
  return await charges.aggregate<UsageRow>(pipeline, signal && { signal }).toArray();
}

/** Returns the end of a step from the start of a period: up to a number of charges, and further ones of the same millisecond. */
export async function findStepEnd(
  charges: mongo.Collection<ChargeDocument>,
  { accountId, from, to }: ChargePeriod,
  perStep: number,
): Promise<Date> {
  const next = await charges.findOne(
    { accountId, at: { $gte: from, $lt: to } },
    { sort: { at: 1 }, skip: perStep, projection: { at: 1 } },
  );
  if (!next) return to;
  return next.at > from ? next.at : new Date(from.getTime() + 1);
}
