import type { Job } from '@gleaner/client';
import { Button } from '@mantine/core';
import { useDocumentVisibility } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { CodeBlock } from '../parts/data/code-block.tsx';
import { Facts } from '../parts/data/facts.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { WaitingRows } from '../parts/feedback/states.tsx';
import { describeDuration } from '../parts/marks/describe-distance.ts';
import { StatusBadge } from '../parts/marks/status-badge.tsx';
import { Time } from '../parts/marks/time.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { isPageKind } from '../results/page-notes.tsx';
import { ChangesDialog } from './changes-dialog.tsx';
import { JobActions } from './job-actions.tsx';
import { JobErrors } from './job-errors.tsx';
import { JobResults } from './job-results.tsx';
import { isFinished, JobBar, JobVerdicts, kindOf } from './job-state.tsx';
import { addSample, type Sample } from './pace.ts';

/** A job: its progress while it runs, its errors and its results. */
export function JobView() {
  const { id } = useParams({ from: '/jobs/$id' });
  const { verdict } = useSearch({ from: '/jobs/$id' });
  const [isComparing, setComparing] = useState(false);
  const stored = useQuery({
    queryKey: ['jobs', id],
    queryFn: ({ signal }) => gleaner.jobs.get(id, { resultsLimit: 1 }, { signal }),
  });
  const live = useLiveJob(id, stored.data !== undefined && !isFinished(stored.data.status));
  const above = <Link to="/jobs">Jobs</Link>;
  if (stored.error && !stored.data) {
    return (
      <>
        <PageHeader title="Job" above={above} below={<span className="mono">{id}</span>} />
        <ErrorPanel error={stored.error} onRetry={stored.refetch} />
      </>
    );
  }
  if (!stored.data) return <WaitingRows label="Loading the job" />;
  const job = { ...stored.data, ...live.job };
  const tookMs = job.startedAt && job.completedAt && Date.parse(job.completedAt) - Date.parse(job.startedAt);
  return (
    <>
      <PageHeader
        title={job.name}
        above={above}
        below={
          <span className="row">
            <StatusBadge status={job.status} />
            <span>{kindOf(job)}</span>
            {job.hosts && <span>{job.hosts.join(', ')}</span>}
            <span className="mono">{id}</span>
          </span>
        }
        actions={<JobActions job={job} />}
      />
      <div className="stack">
        {live.error ? <ErrorPanel error={live.error} /> : null}
        <section className="card stack" aria-label="Progress">
          <JobBar job={job} {...(live.samples && { samples: live.samples })} />
          <JobVerdicts job={job} />
          <Facts
            facts={{
              Created: <Time at={job.createdAt} />,
              Started: <Time at={job.startedAt} />,
              Took: tookMs ? describeDuration(tookMs) : '–',
              Credits: job.creditsUsed.toLocaleString(),
              ...(job.scheduleId && {
                Schedule: (
                  <Link to="/schedules/$id" params={{ id: job.scheduleId }}>
                    {job.scheduleId}
                  </Link>
                ),
              }),
              ...(job.changes && {
                Changes: (
                  <Button size="compact-xs" variant="default" onClick={() => setComparing(true)}>
                    Compare{' '}
                    {Object.values(job.changes)
                      .reduce((sum, count) => sum + count, 0)
                      .toLocaleString()}
                  </Button>
                ),
              }),
              ...(job.rerunOf && {
                'Rerun of': (
                  <Link to="/jobs/$id" params={{ id: job.rerunOf }}>
                    {job.rerunOf}
                  </Link>
                ),
              }),
              ...(job.extractOf && {
                'Extracted from': (
                  <Link to="/jobs/$id" params={{ id: job.extractOf }}>
                    {job.extractOf}
                  </Link>
                ),
              }),
            }}
          />
        </section>
        {isComparing && <ChangesDialog jobId={id} onClose={() => setComparing(false)} />}
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

/** The counters of a crawl: what was fetched, what waits, what was left out and why. */
function CrawlCounters({ crawl }: { readonly crawl: NonNullable<Job['crawl']> }) {
  const { fetched, waiting, running, depth, hosts, notFound, skipped, dropped, stoppedBy, warnings } = crawl;
  const leftOut = Object.entries({ ...skipped, ...dropped }).filter(([, count]) => count > 0);
  return (
    <section className="card stack" aria-label="Crawl">
      <div className="spread">
        <h2>Crawl</h2>
        {stoppedBy && <StatusBadge status={`stopped by ${stoppedBy}`} />}
      </div>
      <Facts
        facts={{
          Fetched: fetched.toLocaleString(),
          Waiting: waiting.toLocaleString(),
          Running: running.toLocaleString(),
          Depth: depth,
          Hosts: hosts,
          'Not found': notFound.toLocaleString(),
        }}
      />
      {leftOut.length > 0 && (
        <p className="muted small">
          Left out:{' '}
          {leftOut
            .map(([reason, count]) => `${count.toLocaleString()} ${NAMES[reason] ?? reason}`)
            .join(', ')}
          .
        </p>
      )}
      {warnings?.map(({ code, message }) => (
        <p key={code} className="small">
          <StatusBadge status={code} /> {message}
        </p>
      ))}
    </section>
  );
}

const NAMES: Readonly<Record<string, string>> = {
  robots: 'denied by robots.txt',
  limit: 'beyond the limit',
  redirect: 'redirected',
  notDocument: 'no documents',
  outOfScope: 'out of scope',
  excluded: 'excluded',
  depth: 'too deep',
  trap: 'in endless series of links',
  frontierFull: 'beyond the most URLs of a crawl',
  nofollow: 'marked nofollow',
  duplicate: 'duplicate',
};

/** The present state of a job as its events tell it. */
interface LiveJob {
  readonly job?: Job;
  /** Progress at the last events. */
  readonly samples?: readonly Sample[];
  readonly error?: unknown;
}

/** Follows a job by its events until it has finished. A tab that is hidden holds no connection. */
function useLiveJob(id: string, isOn: boolean): LiveJob {
  const [live, setLive] = useState<LiveJob>({});
  const queries = useQueryClient();
  const isVisible = useDocumentVisibility() === 'visible';
  useEffect(() => {
    if (!isOn || !isVisible) return;
    const stop = new AbortController();
    const follow = async () => {
      for await (const job of gleaner.jobs.watch(id, { signal: stop.signal })) {
        const sample = { atMs: Date.now(), completedUrls: job.completedUrls };
        setLive(({ samples = [] }) => ({ job, samples: addSample(samples, sample) }));
      }
      await queries.invalidateQueries({ queryKey: ['jobs'] });
    };
    follow().catch((error: unknown) => {
      if (!stop.signal.aborted) setLive((before) => ({ ...before, error }));
    });
    return () => stop.abort();
  }, [id, isOn, isVisible, queries]);
  return live;
}
