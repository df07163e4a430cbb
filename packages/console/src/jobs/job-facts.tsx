import type { Job, JobWithResults } from '@gleaner/client';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Facts } from '../parts/data/facts.tsx';
import { describeDuration } from '../parts/marks/describe-distance.ts';
import { Time } from '../parts/marks/time.tsx';
import { ChangesDialog } from './changes-dialog.tsx';

/** When a job ran, what it cost, and the schedule, the changes and the job that it belongs to. */
export function JobFacts({ job }: { readonly job: JobWithResults }) {
  const {
    id,
    createdAt,
    startedAt,
    completedAt,
    creditsUsed,
    scheduleId,
    dataset,
    sink,
    changes,
    rerunOf,
    extractOf,
  } = job;
  const tookMs = startedAt && completedAt && Date.parse(completedAt) - Date.parse(startedAt);
  return (
    <Facts
      facts={{
        Created: <Time at={createdAt} />,
        Started: <Time at={startedAt} />,
        Took: tookMs ? describeDuration(tookMs) : '–',
        Credits: creditsUsed.toLocaleString(),
        ...(scheduleId && {
          Schedule: (
            <Link to="/schedules/$id" params={{ id: scheduleId }}>
              {scheduleId}
            </Link>
          ),
        }),
        ...(dataset && {
          Dataset: (
            <Link to="/datasets/$name" params={{ name: dataset.name }}>
              {dataset.name}
            </Link>
          ),
        }),
        ...(sink && { Sink: sink.name }),
        ...(changes && { Changes: <CompareButton jobId={id} changes={changes} /> }),
        ...(rerunOf && { 'Rerun of': <JobLink id={rerunOf} /> }),
        ...(extractOf && { 'Extracted from': <JobLink id={extractOf} /> }),
      }}
    />
  );
}

function JobLink({ id }: { readonly id: string }) {
  return (
    <Link to="/jobs/$id" params={{ id }}>
      {id}
    </Link>
  );
}

/** Counts the changes since the run before, and opens them. */
function CompareButton(props: { readonly jobId: string; readonly changes: NonNullable<Job['changes']> }) {
  const { jobId, changes } = props;
  const [isComparing, setComparing] = useState(false);
  const count = Object.values(changes).reduce((sum, each) => sum + each, 0);
  return (
    <>
      <Button size="compact-xs" variant="default" onClick={() => setComparing(true)}>
        Compare {count.toLocaleString()}
      </Button>
      {isComparing && <ChangesDialog jobId={jobId} onClose={() => setComparing(false)} />}
    </>
  );
}
