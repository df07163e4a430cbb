import type { Schedule } from '@gleaner/client';
import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { gleaner } from '../api/gleaner.ts';
import { PagedList } from '../parts/data/paged-list.tsx';
import { type Column, Table } from '../parts/data/table.tsx';
import { EmptyState } from '../parts/feedback/states.tsx';
import { StatusBadge } from '../parts/marks/status-badge.tsx';
import { Time } from '../parts/marks/time.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { CronWords } from './next-runs.tsx';

const PAGE_SIZE = 50;
const POLL_MS = 10_000;

const COLUMNS: readonly Column<Schedule>[] = [
  {
    head: 'Schedule',
    cell: ({ id, name, url, urls }) => (
      <>
        <Link to="/schedules/$id" params={{ id }}>
          {name}
        </Link>
        <div className="mono muted">
          {url ?? (urls?.length === 1 ? urls[0] : `${urls?.length ?? 0} URLs`)}
        </div>
      </>
    ),
  },
  { head: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    head: 'Health',
    cell: ({ health }) => <StatusBadge status={health} />,
  },
  { head: 'When', cell: ({ cron, timezone }) => <CronWords cron={cron} timezone={timezone} /> },
  { head: 'Next run', cell: ({ nextRunAt }) => <Time at={nextRunAt} /> },
  {
    head: 'Last run',
    cell: ({ lastRunAt, lastStatus }) => (
      <span className="row">
        <Time at={lastRunAt} /> {lastStatus && <StatusBadge status={lastStatus} />}
      </span>
    ),
  },
  { head: 'Runs', isNumeric: true, cell: ({ runCount }) => runCount.toLocaleString() },
];

/** The schedules of the account, newest first. */
export function Schedules() {
  const { offset = 0 } = useSearch({ from: '/schedules' });
  const navigate = useNavigate({ from: '/schedules' });
  const query = useQuery({
    queryKey: ['schedules', 'list', offset],
    queryFn: ({ signal }) => gleaner.schedules.list({ limit: PAGE_SIZE, offset }, { signal }).page(),
    refetchInterval: POLL_MS,
    placeholderData: keepPreviousData,
  });
  const action = (
    <Button renderRoot={(props) => <Link {...props} to="/schedules/new" />}>New schedule</Button>
  );
  return (
    <>
      <PageHeader title="Schedules" actions={action} />
      <div className="stack">
        <PagedList
          query={query}
          noun="schedules"
          onOffset={(next) => void navigate({ search: { offset: next } }).catch(() => {})}
          empty={
            <EmptyState icon="clock" title="No schedules yet" action={action}>
              A schedule scrapes the same pages again and again, and reports what has changed since the last
              run.
            </EmptyState>
          }
        >
          {(items) => <Table label="Schedules" columns={COLUMNS} rows={items} keyOf={({ id }) => id} />}
        </PagedList>
      </div>
    </>
  );
}
