import type { Job, QueryOf } from '@gleaner/client';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { PagedList } from '../parts/data/paged-list.tsx';
import { type Column, Table } from '../parts/data/table.tsx';
import { EmptyState } from '../parts/feedback/states.tsx';
import { StatusBadge } from '../parts/marks/status-badge.tsx';
import { Time } from '../parts/marks/time.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { JobBar, kindOf } from './job-state.tsx';
import styles from './jobs.module.css';

const PAGE_SIZE = 50;
const POLL_MS = 2_000;
const SEARCH_AFTER_MS = 300;
const MAX_SEARCH_CHARACTERS = 100;
const STATES = ['pending', 'running', 'completed', 'partial', 'failed', 'cancelled'] as const;

/** In pairs that belong together: narrow screens show each on a line. */
const COLUMNS: readonly Column<Job>[] = [
  {
    head: 'Job',
    cell: ({ id, name }) => (
      <Link to="/jobs/$id" params={{ id }} title={`${name} (${id})`}>
        {name}
      </Link>
    ),
  },
  { head: 'Status', width: '122px', cell: ({ status }) => <StatusBadge status={status} /> },
  { head: 'Progress', width: '25%', cell: (job) => <JobBar job={job} look="line" /> },
  {
    head: 'Credits',
    isNumeric: true,
    width: '86px',
    cell: ({ creditsUsed }) => creditsUsed.toLocaleString(),
  },
  {
    head: 'Site',
    width: '24%',
    cell: (job) => (
      <>
        {job.hosts?.join(', ') || '–'} <span className="muted small">{kindOf(job)}</span>
      </>
    ),
  },
  { head: 'Created', width: '112px', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** The jobs of the account, newest first, read again every few seconds. */
export function Jobs() {
  const { offset = 0, ...chosen } = useSearch({ from: '/jobs' });
  const navigate = useNavigate({ from: '/jobs' });
  const { status, schedule, search } = chosen;
  const go = (next: { readonly offset?: number; readonly status?: string; readonly search?: string }) => {
    const set = Object.entries({ ...chosen, ...next }).filter(([, value]) => value);
    void navigate({ search: Object.fromEntries(set) }).catch(() => {});
  };
  const query = useJobs(offset, chosen);
  return (
    <>
      <PageHeader
        title="Jobs"
        below={schedule && <OfSchedule id={schedule} />}
        actions={
          <>
            <SearchField value={search ?? ''} onSearch={(words) => go({ search: words })} />
            <NativeSelect
              aria-label="Status"
              size="sm"
              value={status ?? ''}
              onChange={(event) => go({ status: event.currentTarget.value })}
              data={[{ value: '', label: 'All states' }, ...STATES]}
            />
            <NewJobLink />
          </>
        }
      />
      <div className="stack">
        <PagedList
          query={query}
          noun="jobs"
          onOffset={(next) => go({ offset: next })}
          empty={<NoJobs {...chosen} />}
        >
          {(items) => (
            <Table label="Jobs" look="dense" columns={COLUMNS} rows={items} keyOf={({ id }) => id} />
          )}
        </PagedList>
      </div>
    </>
  );
}

/** Choice of jobs in the address. */
interface Filters {
  readonly status?: string | undefined;
  readonly schedule?: string | undefined;
  readonly search?: string | undefined;
}

function useJobs(offset: number, { status, schedule, search }: Filters) {
  const filters: QueryOf<'listJobs'> = {
    limit: PAGE_SIZE,
    offset,
    ...(isState(status) && { status }),
    ...(schedule && { scheduleId: schedule }),
    ...(search && { search }),
  };
  return useQuery({
    queryKey: ['jobs', 'list', filters],
    queryFn: ({ signal }) => gleaner.jobs.list(filters, { signal }).page(),
    refetchInterval: POLL_MS,
    placeholderData: keepPreviousData,
  });
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

/** Searches a moment after the last key. */
function SearchField({ value, onSearch }: { readonly value: string; onSearch(words: string): void }) {
  const [text, setText] = useState(value);
  const search = useDebouncedCallback(onSearch, SEARCH_AFTER_MS);
  return (
    <TextInput
      type="search"
      aria-label="Search jobs by name or host"
      placeholder="Name or host"
      className={styles.search}
      maxLength={MAX_SEARCH_CHARACTERS}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value.trim());
      }}
    />
  );
}

function NoJobs(filters: Filters) {
  return (
    <EmptyState icon="jobs" title={titleOfNone(filters)} action={<NewJobLink />}>
      {filters.search
        ? 'The search compares the beginnings of words in names, and of hosts.'
        : filters.status
          ? 'Choose another state, or all of them.'
          : 'A job scrapes many pages, or crawls a site from its first page, and keeps the results for download.'}
    </EmptyState>
  );
}

function titleOfNone({ status, schedule, search }: Filters): string {
  if (search) return 'No jobs found';
  if (status) return `No ${status} jobs`;
  return schedule ? 'No jobs of this schedule' : 'No jobs yet';
}
