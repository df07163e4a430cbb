import { hasFinished, type JobWithResults } from '@gleaner/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { gleaner } from '../api/gleaner.ts';
import { CodeBlock } from '../parts/data/code-block.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { WaitingRows } from '../parts/feedback/states.tsx';
import { StatusBadge } from '../parts/marks/status-badge.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { isPageKind } from '../results/page-notes.tsx';
import { CrawlCounters } from './crawl-counters.tsx';
import { JobActions } from './job-actions.tsx';
import { JobErrors } from './job-errors.tsx';
import { JobFacts } from './job-facts.tsx';
import { JobResults } from './job-results.tsx';
import { JobBar, JobVerdicts, kindOf } from './job-state.tsx';
import { useLiveJob } from './use-live-job.ts';

/** A job: its progress while it runs, its errors and its results. */
export function JobView() {
  const { id } = useParams({ from: '/jobs/$id' });
  const { verdict } = useSearch({ from: '/jobs/$id' });
  const stored = useQuery({
    queryKey: ['jobs', id],
    queryFn: ({ signal }) => gleaner.jobs.get(id, { resultsLimit: 1 }, { signal }),
  });
  const live = useLiveJob(id, stored.data !== undefined && !hasFinished(stored.data));
  if (stored.error && !stored.data) {
    return (
      <>
        <PageHeader title="Job" above={TO_LIST} below={<span className="mono">{id}</span>} />
        <ErrorPanel error={stored.error} onRetry={stored.refetch} />
      </>
    );
  }
  if (!stored.data) return <WaitingRows label="Loading the job" />;
  const job = { ...stored.data, ...live.job };
  return (
    <>
      <JobHeader job={job} />
      <div className="stack">
        {live.error ? <ErrorPanel error={live.error} /> : null}
        <section className="card stack" aria-label="Progress">
          <JobBar job={job} samples={live.samples} />
          <JobVerdicts job={job} />
          <JobFacts job={job} />
        </section>
        {job.crawl && <CrawlCounters crawl={job.crawl} />}
        {job.failedUrls > 0 && <JobErrors job={job} />}
        <JobResults job={job} kind={isPageKind(verdict) ? verdict : undefined} />
        <details className="card">
          <summary>Options of the job</summary>
          <div style={{ paddingTop: 12 }}>
            <CodeBlock label="Options" text={JSON.stringify(job.options, null, 2)} />
          </div>
        </details>
      </div>
    </>
  );
}

const TO_LIST = <Link to="/jobs">Jobs</Link>;

function JobHeader({ job }: { readonly job: JobWithResults }) {
  const { id, name, status, hosts } = job;
  return (
    <PageHeader
      title={name}
      above={TO_LIST}
      below={
        <span className="row">
          <StatusBadge status={status} />
          <span>{kindOf(job)}</span>
          {hosts && <span>{hosts.join(', ')}</span>}
          <span className="mono">{id}</span>
        </span>
      }
      actions={<JobActions job={job} />}
    />
  );
}
