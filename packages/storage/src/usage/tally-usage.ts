import type { Usage } from '@gleaner/contracts';

/** What was charged on one day for one operation. */
export interface UsageRow {
  readonly day: string;
  readonly operation: string;
  readonly credits: number;
  readonly requests: number;
}

type Tally = Usage['byOperation'][string];

/** Adds rows up by day (ascending, days without a charge left out), by operation, and in all. */
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
