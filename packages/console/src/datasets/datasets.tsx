import type { Dataset } from '@gleaner/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { gleaner } from '../api/gleaner.ts';
import { type Column, Table } from '../parts/data/table.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { EmptyState, WaitingRows } from '../parts/feedback/states.tsx';
import { Time } from '../parts/marks/time.tsx';
import { PageHeader } from '../parts/page-header.tsx';

const COLUMNS: readonly Column<Dataset>[] = [
  {
    head: 'Name',
    cell: ({ name }) => (
      <Link to="/datasets/$name" params={{ name }}>
        {name}
      </Link>
    ),
  },
  { head: 'Records', isNumeric: true, cell: ({ records }) => records.toLocaleString() },
  { head: 'Gone', isNumeric: true, cell: ({ gone }) => gone.toLocaleString() },
  { head: 'Key', cell: ({ key }) => keyText(key) },
  { head: 'Revision', isNumeric: true, cell: ({ revision }) => revision.toLocaleString() },
  {
    head: 'Changed',
    cell: ({ changedAt }) => (changedAt ? <Time at={changedAt} /> : <span className="muted">never</span>),
  },
];

/** The tables that jobs and schedules of the account keep. */
export function Datasets() {
  const { data, error, refetch } = useQuery({
    queryKey: ['datasets'],
    queryFn: ({ signal }) => gleaner.datasets.list({ signal }),
  });
  return (
    <>
      <PageHeader title="Datasets" below="Tables that jobs and schedules add to and change, run after run." />
      <div className="stack">
        {error && <ErrorPanel error={error} onRetry={() => refetch()} />}
        {!data && !error && <WaitingRows label="Loading datasets" />}
        {data?.length === 0 && (
          <EmptyState icon="table" title="No datasets" action={<Link to="/schedules/new">New schedule</Link>}>
            A job or a schedule with the option dataset keeps its records in one:{' '}
            {'{"name": "books", "rows": "books", "key": ["isbn"]}'}.
          </EmptyState>
        )}
        {data && data.length > 0 && (
          <Table label="Datasets" columns={COLUMNS} rows={data} keyOf={({ name }) => name} />
        )}
      </div>
    </>
  );
}

/** Returns the key of a dataset in words. */
export function keyText(key: readonly string[]): string {
  return key.length === 0 ? 'URL of the page' : key.join(', ');
}
