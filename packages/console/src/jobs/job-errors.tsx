import type { JobWithResults } from '@gleaner/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { WaitingRows } from '../parts/feedback/states.tsx';
import { type FailedPage, groupErrors } from './group-errors.ts';
import styles from './jobs.module.css';
import { PageDialog, type PageOfJob } from './page-dialog.tsx';

/** Failed pages that are read; a group of more is shown as far as this. */
const MAX_READ = 2_000;
const SHOWN_URLS = 20;

/** The errors of a job, grouped by code and host. */
export function JobErrors({ job }: { readonly job: JobWithResults }) {
  const { id, failedUrls } = job;
  const [opened, setOpened] = useState<PageOfJob>();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['jobs', id, 'errors', failedUrls],
    queryFn: ({ signal }) => readFailed(id, signal),
  });
  return (
    <section className="card stack-tight" aria-label="Errors">
      <h2>Errors</h2>
      {error && <ErrorPanel error={error} onRetry={refetch} />}
      {isPending && <WaitingRows label="Loading errors" rows={2} />}
      {data && (
        <ul>
          {groupErrors(data).map(({ code, host, count, message, pages }) => (
            <li key={`${code} ${host}`}>
              <details>
                <summary className={styles.error}>
                  <code className="bad">{code}</code>
                  <span>
                    <strong>{host}</strong> <span className="muted">{message}</span>
                  </span>
                  <span className="numeric">{count.toLocaleString()}</span>
                </summary>
                <ul className="mono" style={{ overflowWrap: 'anywhere', padding: '4px 0 10px' }}>
                  {pages.slice(0, SHOWN_URLS).map(({ url, index }) => (
                    <li key={index}>
                      <button
                        type="button"
                        className={styles.opener}
                        onClick={() => setOpened({ url, index })}
                      >
                        {url}
                      </button>
                    </li>
                  ))}
                  {pages.length > SHOWN_URLS && <li>and {pages.length - SHOWN_URLS} more</li>}
                </ul>
              </details>
            </li>
          ))}
        </ul>
      )}
      {opened && (
        <PageDialog
          jobId={id}
          page={opened}
          selectors={job.options.selectors}
          onClose={() => setOpened(undefined)}
        />
      )}
    </section>
  );
}

async function readFailed(id: string, signal: AbortSignal): Promise<FailedPage[]> {
  const failed: FailedPage[] = [];
  for await (const { url, index, error } of gleaner.jobs.urls(id, { state: 'failed' }, { signal })) {
    if (error) failed.push({ url, index, error });
    if (failed.length >= MAX_READ) break;
  }
  return failed;
}
