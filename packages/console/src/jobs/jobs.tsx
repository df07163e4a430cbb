import type { Job, QueryOf } from '@gleaner/client';
import { Button, NativeSelect } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { gleaner } from '../api/gleaner.ts';
import { Pager } from '../parts/data/pager.tsx';
import { type Column, Table } from '../parts/data/table.tsx';
import { EmptyState } from '../parts/feedback/empty-state.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { WaitingRows } from '../parts/feedback/waiting.tsx';
import { StatusBadge } from '../parts/marks/status-badge.tsx';
import { Time } from '../parts/marks/time.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { JobBar } from './job-bar.tsx';

const PAGE_SIZE = 50;
const POLL_MS = 2_000;
const STATES = ['pending', 'running', 'completed', 'partial', 'failed', 'cancelled'] as const;

const COLUMNS: readonly Column<Job>[] = [
  {
    head: 'Job',
    cell: ({ id, name }) => (
      <>
        <Link to="/jobs/$id" params={{ id }}>
          {name}
        </Link>
        <div className="mono muted">{id}</div>
      </>
    ),
  },
  { head: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { head: 'Progress', cell: (job) => <JobBar job={job} /> },
  {
    head: 'Credits',
    isNumeric: true,
    cell: ({ creditsUsed }) => creditsUsed.toLocaleString(),
  },
  { head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** The jobs of the account, newest first, read again every few seconds. */
export function Jobs() {
  const { offset = 0, status, schedule } = useSearch({ from: '/jobs' });
  const navigate = useNavigate({ from: '/jobs' });
  const go = (search: { offset?: number; status?: string }) =>
    void navigate({ search: { ...search, ...(schedule && { schedule }) } }).catch(() => {});
  const query: QueryOf<'listJobs'> = {
    ...{ limit: PAGE_SIZE, offset },
    ...(isState(status) && { status }),
    ...(schedule && { scheduleId: schedule }),
  };
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['jobs', 'list', query],
    queryFn: ({ signal }) => gleaner.jobs.list(query, { signal }).page(),
    refetchInterval: POLL_MS,
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHeader
        title="Jobs"
        below={schedule && <OfSchedule id={schedule} />}
        actions={
          <>
            <NativeSelect
              aria-label="Status"
              size="sm"
              value={status ?? ''}
              onChange={(event) => go(event.currentTarget.value ? { status: event.currentTarget.value } : {})}
              data={[{ value: '', label: 'All states' }, ...STATES]}
            />
            <NewJobLink />
          </>
        }
      />
      <div className="stack">
        {error && <ErrorPanel error={error} onRetry={refetch} />}
        {isPending && <WaitingRows label="Loading jobs" />}
        {data && data.items.length === 0 && (
          <EmptyState icon="jobs" title={titleOfNone(status, schedule)} action={<NewJobLink />}>
            {status
              ? 'Choose another state, or all of them.'
              : 'A job scrapes many pages, or crawls a site from its first page, and keeps the results for download.'}
          </EmptyState>
        )}
        {data && data.items.length > 0 && (
          <>
            <Table label="Jobs" columns={COLUMNS} rows={data.items} keyOf={({ id }) => id} />
            <Pager
              pagination={data.pagination}
              onOffset={(next) => go({ offset: next, ...(status && { status }) })}
            />
          </>
        )}
      </div>
    </>
  );
}

/** Names the schedule whose jobs are listed, and leads back to all of them. */
function OfSchedule({ id }: { readonly id: string }) {
  return (
    <span className="row">
      <span>
        Of the schedule{' '}
        <Link to="/schedules/$id" params={{ id }} className="mono">
          {id}
        </Link>
      </span>
      <Link to="/jobs">Show all jobs</Link>
    </span>
  );
}

function NewJobLink() {
  return <Button renderRoot={(props) => <Link {...props} to="/jobs/new" />}>New job</Button>;
}

function isState(text: string | undefined): text is Job['status'] {
  return STATES.some((state) => state === text);
}

function titleOfNone(status: string | undefined, schedule: string | undefined): string {
  if (status) return `No ${status} jobs`;
  return schedule ? 'No jobs of this schedule' : 'No jobs yet';
}
