import { progressOf, type Run } from '@gleaner/client';
import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { ChangesDialog } from '../jobs/changes-dialog.tsx';
import { PagedList } from '../parts/data/paged-list.tsx';
import { type Column, Table } from '../parts/data/table.tsx';
import { EmptyState } from '../parts/feedback/states.tsx';
import { StatusBadge } from '../parts/marks/status-badge.tsx';
import { Time } from '../parts/marks/time.tsx';

const POLL_MS = 2_000;
const PAGE_SIZE = 20;

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
  const query = useQuery({
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
      <PagedList
        query={query}
        noun="runs"
        waitingRows={3}
        onOffset={setOffset}
        empty={
          <EmptyState icon="clock" title="No runs yet">
            The first one starts at the next due time, or with “Run now”.
          </EmptyState>
        }
      >
        {(items) => (
          <Table
            label="Runs"
            columns={[...COLUMNS, compareColumn(({ id: run }) => setCompared(run))]}
            rows={items}
            keyOf={({ id: run }) => run}
          />
        )}
      </PagedList>
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
