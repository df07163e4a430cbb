import type { mongo } from 'mongoose';
import type { ChargeDocument } from '../credits/charge-model.ts';
import type { UsageRow } from './tally-usage.ts';

/** Whose charges, from one moment (included) to another (not included). */
export interface ChargePeriod {
  readonly accountId: string;
  readonly from: Date;
  readonly to: Date;
  readonly signal?: AbortSignal | undefined;
}

/** The ledger's charges of a period by day and operation. Takes as long as there are charges: some 100,000 a second. */
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
