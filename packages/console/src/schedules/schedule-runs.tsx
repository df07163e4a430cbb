import { progressOf, type Run } from '@gleaner/client';
import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { ChangesDialog } from '../jobs/changes-dialog.tsx';
import { Pager } from '../parts/data/pager.tsx';
import { type Column, Table } from '../parts/data/table.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { EmptyState, WaitingRows } from '../parts/feedback/states.tsx';
import { StatusBadge } from '../parts/marks/status-badge.tsx';
import { Time } from '../parts/marks/time.tsx';

const PAGE_SIZE = 20;
const POLL_MS = 2_000;

const COLUMNS: readonly Column<Run>[] = [
  {
    head: 'Run',
    cell: ({ id, createdAt }) => (
      <Link to="/jobs/$id" params={{ id }}>
        <Time at={createdAt} />
      </Link>
    ),
  },
  { head: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    head: 'Data',
    cell: ({ changed }) =>
      changed === null ? (
        <span className="muted">nothing to compare</span>
      ) : changed ? (
        <strong>changed</strong>
      ) : (
        'unchanged'
      ),
  },
  {
    head: 'Pages',
    isNumeric: true,
    cell: ({ failedUrls, ...job }) => (
      <>
        {progressOf(job).done.toLocaleString()}
        {failedUrls > 0 && <span className="bad"> · {failedUrls.toLocaleString()} failed</span>}
      </>
    ),
  },
  {
    head: 'Credits',
    isNumeric: true,
    cell: ({ creditsUsed }) => creditsUsed.toLocaleString(),
  },
];

/** The jobs of a schedule, newest first. */
export function ScheduleRuns({ id }: { readonly id: string }) {
  const [offset, setOffset] = useState(0);
  const [compared, setCompared] = useState<string>();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['schedules', id, 'runs', offset],
    queryFn: ({ signal }) => gleaner.schedules.runs(id, { limit: PAGE_SIZE, offset }, { signal }).page(),
    refetchInterval: POLL_MS,
    placeholderData: keepPreviousData,
  });
  return (
    <div className="stack-tight">
      <div className="spread">
        <h2>Runs</h2>
        <Link to="/jobs" search={{ schedule: id }}>
          Show in the list of jobs
        </Link>
      </div>
      {error && <ErrorPanel error={error} onRetry={refetch} />}
      {isPending && <WaitingRows label="Loading runs" rows={3} />}
      {data && data.items.length === 0 && (
        <EmptyState icon="clock" title="No runs yet">
          The first one starts at the next due time, or with “Run now”.
        </EmptyState>
      )}
      {data && data.items.length > 0 && (
        <>
          <Table
            label="Runs"
            columns={[...COLUMNS, compareColumn(({ id: run }) => setCompared(run))]}
            rows={data.items}
            keyOf={({ id: run }) => run}
          />
          <Pager pagination={data.pagination} onOffset={setOffset} />
        </>
      )}
      {compared !== undefined && <ChangesDialog jobId={compared} onClose={() => setCompared(undefined)} />}
    </div>
  );
}

/** A button for each run that found other values than the runs before. */
function compareColumn(onCompare: (run: Run) => void): Column<Run> {
  return {
    head: 'Changes',
    cell: (run) =>
      run.changed ? (
        <Button size="compact-xs" variant="default" onClick={() => onCompare(run)}>
          Compare
        </Button>
      ) : (
        <span className="muted">–</span>
      ),
  };
}
