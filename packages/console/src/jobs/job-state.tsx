import { type Job, progressOf } from '@gleaner/client';
import { Link } from '@tanstack/react-router';
import { useNow } from '../parts/marks/time.tsx';
import styles from './jobs.module.css';
import { describePace, type Sample } from './pace.ts';

/** Returns what kind of job it is, in words. */
export function kindOf({ crawl, scheduleId, extractOf, rerunOf }: Job): string {
  if (extractOf) return 'Extraction';
  const what = crawl ? 'crawl' : 'job';
  if (scheduleId) return crawl ? 'Scheduled crawl' : 'Scheduled run';
  if (rerunOf) return `Rerun of a ${what}`;
  return crawl ? 'Crawl' : 'Job';
}

/** The part of a job that is processed, with the failed part in another color and as text, and its rate while it runs. */
export function JobBar(props: {
  readonly job: Job;
  readonly samples?: readonly Sample[] | undefined;
  /** On one line, which may cut the text. */
  readonly look?: 'line';
}) {
  const { job, samples, look } = props;
  const { failedUrls } = job;
  const { done, total } = progressOf(job);
  const pace = describePace(job, useNow(), samples);
  const share = (count: number) => `${total > 0 ? (100 * count) / total : 0}%`;
  return (
    <div className={styles.progress} data-look={look}>
      <div className={styles.bar} aria-hidden="true">
        <span style={{ width: share(done - failedUrls) }} />
        <span data-failed style={{ width: share(failedUrls) }} />
      </div>
      <span className="small" title={look && pace}>
        {done.toLocaleString()} of {total.toLocaleString()}
        {failedUrls > 0 && <span className="bad"> · {failedUrls.toLocaleString()} failed</span>}
        {pace && <span className="muted"> · {pace}</span>}
      </span>
    </div>
  );
}

/** Counts the results of a job by the kind of their pages, each with a link to them; nothing while all are content. */
export function JobVerdicts({ job: { id, verdicts = {} } }: { readonly job: Job }) {
  const counts = Object.entries(verdicts);
  if (counts.every(([kind]) => kind === 'content')) return null;
  return (
    <ul className="row small" aria-label="Results by the kind of their pages">
      {counts.map(([kind, count]) => (
        <li key={kind}>
          <Link to="/jobs/$id" params={{ id }} search={{ verdict: kind }}>
            {count.toLocaleString()} {kind}
          </Link>
        </li>
      ))}
    </ul>
  );
}
