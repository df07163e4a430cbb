import type { Job } from '@gleaner/client';
import styles from './jobs.module.css';

/** The part of a job that is processed, with the failed part in another color and as text. */
export function JobBar({ job }: { readonly job: Job }) {
  const { totalUrls, completedUrls, failedUrls } = job;
  const share = (count: number) => `${totalUrls > 0 ? (100 * count) / totalUrls : 0}%`;
  return (
    <div className={styles.progress}>
      <div className={styles.bar} aria-hidden="true">
        <span style={{ width: share(completedUrls - failedUrls) }} />
        <span data-failed style={{ width: share(failedUrls) }} />
      </div>
      <span className="small">
        {completedUrls.toLocaleString()} of {totalUrls.toLocaleString()}
        {failedUrls > 0 && <span className="bad"> · {failedUrls.toLocaleString()} failed</span>}
      </span>
    </div>
  );
}
