import { type Job, progressOf } from '@gleaner/client';
import { useNow } from '../parts/marks/time.tsx';
import styles from './jobs.module.css';
import { describePace, type Sample } from './pace.ts';

/** The part of a job that is processed, with the failed part in another color and as text, and its rate while it runs. */
export function JobBar({ job, samples }: { readonly job: Job; readonly samples?: readonly Sample[] }) {
  const { failedUrls } = job;
  const { done, total } = progressOf(job);
  const pace = describePace(job, useNow(), samples);
  const share = (count: number) => `${total > 0 ? (100 * count) / total : 0}%`;
  return (
    <div className={styles.progress}>
      <div className={styles.bar} aria-hidden="true">
        <span style={{ width: share(done - failedUrls) }} />
        <span data-failed style={{ width: share(failedUrls) }} />
      </div>
      <span className="small">
        {done.toLocaleString()} of {total.toLocaleString()}
        {failedUrls > 0 && <span className="bad"> · {failedUrls.toLocaleString()} failed</span>}
        {pace && <span className="muted"> · {pace}</span>}
      </span>
    </div>
  );
}
