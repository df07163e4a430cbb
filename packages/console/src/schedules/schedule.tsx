import type { Schedule } from '@gleaner/client';
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { gleaner } from '../api/gleaner.ts';
import { useChange } from '../api/use-change.ts';
import { CodeBlock } from '../parts/data/code-block.tsx';
import { Facts } from '../parts/data/facts.tsx';
import { ConfirmButton } from '../parts/feedback/confirm-button.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { useAnnounce } from '../parts/feedback/notices.tsx';
import { WaitingRows } from '../parts/feedback/states.tsx';
import { StatusBadge } from '../parts/marks/status-badge.tsx';
import { ExactTime, Time } from '../parts/marks/time.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { ScheduleFields } from './health.tsx';
import { CronWords, NextRuns } from './next-runs.tsx';
import { ScheduleFeed } from './schedule-feed.tsx';
import { ScheduleRules } from './schedule-rules.tsx';
import { ScheduleRuns } from './schedule-runs.tsx';

const POLL_MS = 2_000;

/** A schedule: when it runs next, what its runs found, and its settings. */
export function ScheduleView() {
  const { id } = useParams({ from: '/schedules/$id' });
  const { data, error, refetch } = useQuery({
    queryKey: ['schedules', id],
    queryFn: ({ signal }) => gleaner.schedules.get(id, { signal }),
    refetchInterval: POLL_MS,
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
  const { name, status, runCount, lastError } = data;
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
        actions={<ScheduleActions schedule={data} />}
      />
      <div className="stack">
        {lastError && (
          <section className="card" aria-label="Last error">
            <StatusBadge status="failed" /> The last run did not start: {lastError.message}
          </section>
        )}
        <ScheduleTimes schedule={data} />
        <ScheduleFields id={id} runCount={runCount} />
        <ScheduleRules schedule={data} />
        <ScheduleFeed id={id} />
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

/** Deletes, pauses and resumes a schedule, and starts a run now. */
function ScheduleActions({ schedule: { id, status } }: { readonly schedule: Schedule }) {
  const navigate = useNavigate();
  const announce = useAnnounce();
  const toggle = useChange({
    key: 'schedules',
    change: () => (status === 'paused' ? gleaner.schedules.resume(id) : gleaner.schedules.pause(id)),
    onError: ({ message }) => announce(message),
  });
  const run = useMutation({
    mutationFn: () => gleaner.schedules.run(id),
    onSuccess: (job) => navigate({ to: '/jobs/$id', params: { id: job.id } }),
    onError: ({ message }) => announce(message),
  });
  return (
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
  );
}

function ScheduleTimes({ schedule }: { readonly schedule: Schedule }) {
  const { status, cron, timezone, nextRunAt, lastRunAt, runCount, skippedCount } = schedule;
  return (
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
  );
}
