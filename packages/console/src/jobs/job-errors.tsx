import { useQuery } from '@tanstack/react-query';
import { gleaner } from '../api/gleaner.ts';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { WaitingRows } from '../parts/feedback/waiting.tsx';
import { type FailedPage, groupErrors } from './group-errors.ts';
import styles from './jobs.module.css';

/** Failed pages that are read; a group of more is shown as far as this. */
const MAX_READ = 2_000;
const SHOWN_URLS = 20;

/** The errors of a job, grouped by code and host. */
export function JobErrors({ id, failedUrls }: { readonly id: string; readonly failedUrls: number }) {
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
          {groupErrors(data).map(({ code, host, count, message, urls }) => (
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
                  {urls.slice(0, SHOWN_URLS).map((url, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a job may name a URL twice.
                    <li key={index}>{url}</li>
                  ))}
                  {urls.length > SHOWN_URLS && <li>and {urls.length - SHOWN_URLS} more</li>}
                </ul>
              </details>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

async function readFailed(id: string, signal: AbortSignal): Promise<FailedPage[]> {
  const failed: FailedPage[] = [];
  for await (const { url, error } of gleaner.jobs.urls(id, { state: 'failed' }, { signal })) {
    if (error) failed.push({ url, error });
    if (failed.length >= MAX_READ) break;
  }
  return failed;
}
