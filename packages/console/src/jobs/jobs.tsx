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

const PAGE_SIZE = 50;
const POLL_MS = 2_000;
const SEARCH_AFTER_MS = 300;
const MAX_SEARCH_CHARACTERS = 100;
const STATES = ['pending', 'running', 'completed', 'partial', 'failed', 'cancelled'] as const;

const COLUMNS: readonly Column<Job>[] = [
  {
    head: 'Job',
    cell: (job) => (
      <>
        <Link to="/jobs/$id" params={{ id: job.id }}>
          {job.name}
        </Link>
        <div className="mono muted">{job.id}</div>
      </>
    ),
  },
  {
    head: 'Site',
    cell: (job) => (
      <>
        <div>{job.hosts?.join(', ') || '–'}</div>
        <div className="muted small">{kindOf(job)}</div>
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
  const { offset = 0, status, schedule, search } = useSearch({ from: '/jobs' });
  const navigate = useNavigate({ from: '/jobs' });
  const go = (next: { offset?: number; status?: string | undefined; search?: string | undefined }) => {
    const filters = { status, search, ...next };
    const set = Object.fromEntries(Object.entries(filters).filter(([, value]) => value));
    void navigate({ search: { ...set, ...(schedule && { schedule }) } }).catch(() => {});
  };
  const filters: QueryOf<'listJobs'> = {
    ...{ limit: PAGE_SIZE, offset },
    ...(isState(status) && { status }),
    ...(schedule && { scheduleId: schedule }),
    ...(search && { search }),
  };
  const query = useQuery({
    queryKey: ['jobs', 'list', filters],
    queryFn: ({ signal }) => gleaner.jobs.list(filters, { signal }).page(),
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
          empty={
            <EmptyState icon="jobs" title={titleOfNone({ status, schedule, search })} action={<NewJobLink />}>
              {search
                ? 'The search compares the beginnings of words in names, and of hosts.'
                : status
                  ? 'Choose another state, or all of them.'
                  : 'A job scrapes many pages, or crawls a site from its first page, and keeps the results for download.'}
            </EmptyState>
          }
        >
          {(items) => <Table label="Jobs" columns={COLUMNS} rows={items} keyOf={({ id }) => id} />}
        </PagedList>
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

/** Searches a moment after the last key. */
function SearchField({ value, onSearch }: { readonly value: string; onSearch(words: string): void }) {
  const [text, setText] = useState(value);
  const search = useDebouncedCallback(onSearch, SEARCH_AFTER_MS);
  return (
    <TextInput
      type="search"
      aria-label="Search jobs by name or host"
      placeholder="Name or host"
      maxLength={MAX_SEARCH_CHARACTERS}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value.trim());
      }}
    />
  );
}

interface Filters {
  readonly status: string | undefined;
  readonly schedule: string | undefined;
  readonly search: string | undefined;
}

function titleOfNone({ status, schedule, search }: Filters): string {
  if (search) return 'No jobs found';
  if (status) return `No ${status} jobs`;
  return schedule ? 'No jobs of this schedule' : 'No jobs yet';
}
