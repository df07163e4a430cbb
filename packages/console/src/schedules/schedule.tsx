import { progressOf, type Run } from '@gleaner/client';
import { Button } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { useChange } from '../api/use-change.ts';
import { ChangesDialog } from '../jobs/changes-dialog.tsx';
import { CodeBlock } from '../parts/data/code-block.tsx';
import { Facts } from '../parts/data/facts.tsx';
import { PagedList } from '../parts/data/paged-list.tsx';
import { type Column, Table } from '../parts/data/table.tsx';
import { ConfirmButton } from '../parts/feedback/confirm-button.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { useAnnounce } from '../parts/feedback/notices.tsx';
import { EmptyState, WaitingRows } from '../parts/feedback/states.tsx';
import { StatusBadge } from '../parts/marks/status-badge.tsx';
import { ExactTime, Time } from '../parts/marks/time.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { ScheduleFields } from './health.tsx';
import { CronWords, NextRuns } from './next-runs.tsx';

const POLL_MS = 2_000;

/** A schedule: when it runs next, what its runs found, and its settings. */
export function ScheduleView() {
  const { id } = useParams({ from: '/schedules/$id' });
  const navigate = useNavigate();
  const announce = useAnnounce();
  const { data, error, refetch } = useQuery({
    queryKey: ['schedules', id],
    queryFn: ({ signal }) => gleaner.schedules.get(id, { signal }),
    refetchInterval: POLL_MS,
  });
  const toggle = useChange({
    key: 'schedules',
    change: () => (data?.status === 'paused' ? gleaner.schedules.resume(id) : gleaner.schedules.pause(id)),
    onError: ({ message }) => announce(message),
  });
  const run = useMutation({
    mutationFn: () => gleaner.schedules.run(id),
    onSuccess: (job) => navigate({ to: '/jobs/$id', params: { id: job.id } }),
    onError: ({ message }) => announce(message),
  });
  const above = <Link to="/schedules">Schedules</Link>;
  if (error && !data) {
    return (
      <>
        <PageHeader title="Schedule" above={above} below={<span className="mono">{id}</span>} />
        <ErrorPanel error={error} onRetry={refetch} />
      </>
    );
  }
  if (!data) return <WaitingRows label="Loading the schedule" />;
  const { name, status, cron, timezone, nextRunAt, lastRunAt, runCount, skippedCount, lastError } = data;
  return (
    <>
      <PageHeader
        title={name}
        above={above}
        below={
          <span className="row">
            <StatusBadge status={status} />
            <span className="mono">{id}</span>
          </span>
        }
        actions={
          <>
            <ConfirmButton
              size="sm"
              label="Delete"
              question="No further runs start. The jobs of the schedule stay."
              confirm="Delete the schedule"
              changes="schedules"
              action={() => gleaner.schedules.delete(id)}
              onDone={() => navigate({ to: '/schedules' })}
            />
            <Button variant="default" loading={toggle.isPending} onClick={() => toggle.mutate()}>
              {status === 'paused' ? 'Resume' : 'Pause'}
            </Button>
            <Button loading={run.isPending} onClick={() => run.mutate()}>
              Run now
            </Button>
          </>
        }
      />
      <div className="stack">
        {lastError && (
          <section className="card" aria-label="Last error">
            <StatusBadge status="failed" /> The last run did not start: {lastError.message}
          </section>
        )}
        <section className="card stack" aria-label="Times">
          <Facts
            facts={{
              When: <CronWords cron={cron} timezone={timezone} />,
              'Next run': nextRunAt ? (
                <>
                  <Time at={nextRunAt} />
                  <div className="muted small">
                    <ExactTime at={nextRunAt} />
                  </div>
                </>
              ) : (
                '–'
              ),
              'Last run': <Time at={lastRunAt} />,
              Runs: runCount.toLocaleString(),
              Skipped: skippedCount.toLocaleString(),
            }}
          />
          {status === 'active' && <NextRuns cron={cron} timezone={timezone} />}
        </section>
        <ScheduleFields id={id} runCount={runCount} />
        <ScheduleRuns id={id} />
        <details className="card">
          <summary>Settings</summary>
          <div style={{ paddingTop: 12 }}>
            <CodeBlock label="Settings" text={JSON.stringify(data, null, 2)} />
          </div>
        </details>
      </div>
    </>
  );
}

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
function ScheduleRuns({ id }: { readonly id: string }) {
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
