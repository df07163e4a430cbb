import type { Job } from '@gleaner/client';
import { useDocumentVisibility } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { addSample, type Sample } from './pace.ts';

/** The present state of a job as its events tell it. */
interface LiveJob {
  readonly job?: Job;
  /** Progress at the last events. */
  readonly samples?: readonly Sample[];
  readonly error?: unknown;
}

/** Follows a job by its events until it has finished. A tab that is hidden holds no connection. */
export function useLiveJob(id: string, isOn: boolean): LiveJob {
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
