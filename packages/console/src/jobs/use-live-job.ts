import type { Job } from '@gleaner/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { addSample, type Sample } from './pace.ts';

/** The present state of a job as its events tell it. */
export interface LiveJob {
  readonly job?: Job;
  /** Progress at the last events. */
  readonly samples?: readonly Sample[];
  readonly error?: unknown;
}

/** Follows a job by its events until it has finished. A tab that is hidden holds no connection. */
export function useLiveJob(id: string, isOn: boolean): LiveJob {
  const [live, setLive] = useState<LiveJob & { readonly id?: string }>({});
  const queries = useQueryClient();
  const isVisible = useVisibility();
  useEffect(() => {
    if (!isOn || !isVisible) return;
    const stop = new AbortController();
    const follow = async () => {
      for await (const job of gleaner.jobs.watch(id, { signal: stop.signal })) {
        const sample = { atMs: Date.now(), completedUrls: job.completedUrls };
        setLive((before) => ({
          ...{ id, job },
          samples: addSample((before.id === id && before.samples) || [], sample),
        }));
      }
      await queries.invalidateQueries({ queryKey: ['jobs'] });
    };
    follow().catch((error: unknown) => {
      if (!stop.signal.aborted) setLive((before) => ({ ...before, id, error }));
    });
    return () => stop.abort();
  }, [id, isOn, isVisible, queries]);
  return live.id === id ? live : {};
}

function useVisibility(): boolean {
  const [isVisible, setVisible] = useState(() => document.visibilityState === 'visible');
  useEffect(() => {
    const onChange = () => setVisible(document.visibilityState === 'visible');
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, []);
  return isVisible;
}
