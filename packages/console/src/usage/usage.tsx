import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { NativeSelect, useComputedColorScheme } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { Facts } from '../parts/data/facts.tsx';
import { type Column, Table } from '../parts/data/table.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { EmptyState, WaitingRows } from '../parts/feedback/states.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { type DayOfUse, daysBetween } from './days-between.ts';

const PERIODS = [7, 30, 90] as const;
const DAY_MS = 86_400_000;

const DAY_COLUMNS: readonly Column<DayOfUse>[] = [
  { head: 'Day', cell: ({ day }) => day },
  { head: 'Credits', isNumeric: true, cell: ({ credits }) => credits.toLocaleString() },
  { head: 'Requests', isNumeric: true, cell: ({ requests }) => requests.toLocaleString() },
];

const OPERATION_COLUMNS: readonly Column<[string, { credits: number; requests: number }]>[] = [
  { head: 'Operation', cell: ([name]) => name },
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
  const used = data?.byDay.filter(({ requests }) => requests > 0) ?? [];
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
        {data && (
          <section className="card" aria-label="Credits">
            <Facts
              facts={{
                Used: `${data.used.toLocaleString()} credits`,
                Reserved: data.reserved.toLocaleString(),
                Remaining: data.remaining === null ? 'unlimited' : data.remaining.toLocaleString(),
              }}
            />
          </section>
        )}
        {data && used.length === 0 && (
          <EmptyState icon="chart" title="No credits were used in this period">
            Each successful page costs credits; failed pages are free.
          </EmptyState>
        )}
        {data && used.length > 0 && (
          <>
            <UsageChart days={daysBetween(from, to, data.byDay)} />
            <div className="stack">
              <h2>By operation</h2>
              <Table
                label="By operation"
                columns={OPERATION_COLUMNS}
                rows={Object.entries(data.byOperation)}
                keyOf={([name]) => name}
              />
              <h2>By day</h2>
              <Table label="By day" columns={DAY_COLUMNS} rows={used.toReversed()} keyOf={({ day }) => day} />
            </div>
          </>
        )}
      </div>
    </>
  );
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

const HEIGHT = 220;
/** Room for the bars of the first and the last day. */
const HALF_DAY_SECONDS = 43_200;

/** Bars of the credits by day. The table below has the same numbers for those who cannot see it. */
function UsageChart({ days }: { readonly days: readonly DayOfUse[] }) {
  const place = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colors of a canvas are those of the scheme.
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const plot = new UPlot(optionsOf(element), dataOf(days), element);
    const resizing = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    resizing.observe(element);
    return () => {
      resizing.disconnect();
      plot.destroy();
    };
  }, [days, scheme]);
  return (
    <figure
      className="card"
      style={{ margin: 0 }}
      aria-label="Credits by day; the table below has the numbers"
    >
      <div ref={place} style={{ height: HEIGHT, overflow: 'hidden' }} aria-hidden="true" />
    </figure>
  );
}

function dataOf(days: readonly DayOfUse[]): UPlot.AlignedData {
  return [days.map(({ day }) => Date.parse(day) / 1_000), days.map(({ credits }) => credits)];
}

function optionsOf(element: HTMLElement): UPlot.Options {
  const style = getComputedStyle(element);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: color('--gl-muted'),
    grid: { stroke: color('--gl-line'), width: 1 },
    ticks: { show: false },
  };
  const bars = UPlot.paths.bars?.({ size: [0.7, 28], radius: 0.2 });
  return {
    width: element.clientWidth,
    height: HEIGHT,
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { range: (_plot, min, max) => [min - HALF_DAY_SECONDS, max + HALF_DAY_SECONDS] },
      y: { range: (_plot, _min, max) => [0, Math.max(1, max * 1.1)] },
    },
    axes: [{ ...axis, grid: { show: false } }, axis],
    series: [{}, { fill: color('--gl-accent'), points: { show: false }, ...(bars && { paths: bars }) }],
  };
}
