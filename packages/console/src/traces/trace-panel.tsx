import type { Trace } from '@gleaner/client';
import { useQuery } from '@tanstack/react-query';
import { gleaner } from '../api/gleaner.ts';
import { CodeBlock } from '../parts/data/code-block.tsx';
import { type Column, Table } from '../parts/data/table.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { WaitingRows } from '../parts/feedback/waiting.tsx';
import { describeDuration } from '../parts/marks/describe-distance.ts';
import { StatusBadge } from '../parts/marks/status-badge.tsx';

type Attempt = Trace['attempts'][number];

const COLUMNS: readonly Column<Attempt>[] = [
  { head: 'Engine', cell: ({ engine, rung }) => (rung === undefined ? engine : `${engine} (${rung})`) },
  { head: 'Outcome', cell: ({ outcome }) => <StatusBadge status={outcome} /> },
  { head: 'Status', isNumeric: true, cell: ({ statusCode }) => statusCode ?? '–' },
  { head: 'Proxy', cell: ({ proxy }) => proxy ?? '–' },
  { head: 'Time', isNumeric: true, cell: ({ durationMs }) => describeDuration(durationMs) },
  { head: 'Stages', cell: ({ stages = {} }) => describeStages(stages) },
];

/** Shows where the time of a scrape went: its attempts with their stages, and a command that repeats the request. */
export function TracePanel({ requestId }: { readonly requestId: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['trace', requestId],
    queryFn: ({ signal }) => gleaner.trace(requestId, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <ErrorPanel error={error} onRetry={() => refetch()} />;
  if (!data) return <WaitingRows label="Loading the trace" />;
  return (
    <div className="stack">
      <Table
        label="Attempts"
        columns={COLUMNS}
        rows={data.attempts}
        keyOf={(attempt) => String(data.attempts.indexOf(attempt))}
      />
      <CodeBlock label="The same request with curl" text={data.curl} isWrapped />
    </div>
  );
}

function describeStages(stages: NonNullable<Attempt['stages']>): string {
  return Object.entries(stages)
    .map(([name, ms]) => `${name} ${ms} ms`)
    .join(', ');
}
