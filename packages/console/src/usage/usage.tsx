import type { ResultOf } from '@gleaner/client';
import { NativeSelect } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { Facts } from '../parts/data/facts.tsx';
import { type Column, Table } from '../parts/data/table.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { EmptyState, WaitingRows } from '../parts/feedback/states.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { type DayOfUse, daysBetween } from './days-between.ts';
import { UsageChart } from './usage-chart.tsx';

const PERIODS = [7, 30, 90] as const;
const DAY_MS = 86_400_000;

const DAY_COLUMNS: readonly Column<DayOfUse>[] = [
  { head: 'Day', cell: ({ day }) => day },
  { head: 'Credits', isNumeric: true, cell: ({ credits }) => credits.toLocaleString() },
  { head: 'Requests', isNumeric: true, cell: ({ requests }) => requests.toLocaleString() },
];

/** Operations in words: the names of the API say little by themselves. */
const OPERATIONS: Readonly<Record<string, string>> = {
  scrape: 'Scrapes',
  map: 'Maps of sites',
  page: 'Pages of jobs and crawls',
};

const OPERATION_COLUMNS: readonly Column<[string, { credits: number; requests: number }]>[] = [
  { head: 'Operation', cell: ([name]) => OPERATIONS[name] ?? name },
  { head: 'Credits', isNumeric: true, cell: ([, { credits }]) => credits.toLocaleString() },
  { head: 'Requests', isNumeric: true, cell: ([, { requests }]) => requests.toLocaleString() },
];

/** The credits by day and operation, as a chart with its table. */
export function UsageView() {
  const [days, setDays] = useState<number>(30);
  const from = dayOf(Date.now() - (days - 1) * DAY_MS);
  const to = dayOf(Date.now());
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['usage', from, to],
    queryFn: ({ signal }) => gleaner.usage({ from, to }, { signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHeader
        title="Usage"
        actions={
          <NativeSelect
            aria-label="Period"
            value={String(days)}
            onChange={(event) => setDays(Number(event.currentTarget.value))}
            data={PERIODS.map((count) => ({ value: String(count), label: `Last ${count} days` }))}
          />
        }
      />
      <div className="stack">
        {error && <ErrorPanel error={error} onRetry={refetch} />}
        {isPending && <WaitingRows label="Loading the usage" />}
        {data && <UsedCredits usage={data} from={from} to={to} />}
      </div>
    </>
  );
}

/** The credits of a period: their sum, a chart, and tables by operation and by day. */
function UsedCredits(props: {
  readonly usage: ResultOf<'getUsage'>['usage'];
  readonly from: string;
  readonly to: string;
}) {
  const { usage, from, to } = props;
  const used = usage.byDay.filter(({ requests }) => requests > 0);
  return (
    <>
      <section className="card" aria-label="Credits">
        <Facts
          facts={{
            Used: `${usage.used.toLocaleString()} credits`,
            Reserved: usage.reserved.toLocaleString(),
            Remaining: usage.remaining === null ? 'unlimited' : usage.remaining.toLocaleString(),
          }}
        />
      </section>
      {used.length === 0 ? (
        <EmptyState icon="chart" title="No credits were used in this period">
          Each successful page costs credits; failed pages are free.
        </EmptyState>
      ) : (
        <>
          <UsageChart days={daysBetween(from, to, usage.byDay)} />
          <div className="stack">
            <h2>By operation</h2>
            <Table
              label="By operation"
              columns={OPERATION_COLUMNS}
              rows={Object.entries(usage.byOperation)}
              keyOf={([name]) => name}
            />
            <h2>By day</h2>
            <Table label="By day" columns={DAY_COLUMNS} rows={used.toReversed()} keyOf={({ day }) => day} />
          </div>
        </>
      )}
    </>
  );
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
