import { type JobWithResults, type PageKind, type PageSuccess, progressOf } from '@gleaner/client';
import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { EmptyState, WaitingRows } from '../parts/feedback/states.tsx';
import { VirtualTable } from '../tables/virtual-table.tsx';
import { PageDialog } from './page-dialog.tsx';
import { resultRows } from './result-rows.ts';

/** Results that the table holds; the exports hold all. */
const MAX_SHOWN = 10_000;
const REFRESH_MS = 5_000;

/** The results of a job as one table: by page, or by the records of a list; all, or those of pages of one kind. */
export function JobResults(props: { readonly job: JobWithResults; readonly kind: PageKind | undefined }) {
  const { job, kind } = props;
  const [list, setList] = useState<string>();
  const [opened, setOpened] = useState<PageSuccess>();
  const isRunning = job.status === 'running' || job.status === 'pending';
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['jobs', job.id, 'results', isRunning ? 'so far' : job.status, kind],
    queryFn: ({ signal }) => readResults(job.id, kind, signal),
    refetchInterval: isRunning ? REFRESH_MS : false,
  });
  if (error) return <ErrorPanel error={error} onRetry={refetch} />;
  if (isPending) return <WaitingRows label="Loading results" />;
  const { columns, rows, pages, lists } = resultRows(data, list);
  const shown = kind ? (job.verdicts?.[kind] ?? 0) : progressOf(job).done - job.failedUrls;
  return (
    <div className="stack-tight">
      <div className="spread">
        <h2>{kind ? `Results of pages of the kind “${kind}”` : 'Results'}</h2>
        {kind && (
          <Link to="/jobs/$id" params={{ id: job.id }} search={{}}>
            Show all results
          </Link>
        )}
        {lists.length > 0 && <RowChoice lists={lists} list={list} onChange={setList} />}
      </div>
      {rows.length === 0 ? (
        <NoResults isRunning={isRunning} kind={kind} />
      ) : (
        <VirtualTable
          label="Results"
          columns={columns}
          rows={rows}
          onOpen={(row) => setOpened(data[pages[row] ?? -1])}
        />
      )}
      {shown > MAX_SHOWN && (
        <p className="muted small">
          The first {MAX_SHOWN.toLocaleString()} pages are shown; exports contain all of them.
        </p>
      )}
      {opened && (
        <PageDialog
          jobId={job.id}
          page={{ url: opened.url, result: opened }}
          selectors={job.options.selectors}
          onClose={() => setOpened(undefined)}
        />
      )}
    </div>
  );
}

/** Chooses what a row is: a page, or a record of one of the lists. */
function RowChoice(props: {
  readonly lists: readonly string[];
  readonly list: string | undefined;
  onChange(list: string | undefined): void;
}) {
  const { lists, list = '', onChange } = props;
  return (
    <SegmentedControl
      size="xs"
      aria-label="Rows"
      value={list}
      onChange={(value) => onChange(value || undefined)}
      data={[{ value: '', label: 'A row per page' }, ...lists.map((name) => ({ value: name, label: name }))]}
    />
  );
}

function NoResults({
  isRunning,
  kind,
}: {
  readonly isRunning: boolean;
  readonly kind: PageKind | undefined;
}) {
  if (isRunning) {
    return (
      <EmptyState icon="jobs" title="No results yet">
        They will appear here while the job runs.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="jobs" title="No results">
      {kind ? 'No result comes from a page of this kind.' : 'No page of this job succeeded.'}
    </EmptyState>
  );
}

async function readResults(
  id: string,
  kind: PageKind | undefined,
  signal: AbortSignal,
): Promise<PageSuccess[]> {
  const results: PageSuccess[] = [];
  const choice = kind && { verdict: [kind] };
  for await (const result of gleaner.jobs.results(id, { ...choice, signal })) {
    if (!result.error) results.push(result as PageSuccess);
    if (results.length >= MAX_SHOWN) break;
  }
  return results;
}
