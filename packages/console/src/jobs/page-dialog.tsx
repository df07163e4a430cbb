import type { PageSuccess } from '@gleaner/client';
import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { apiUrl, fetchAsSession, gleaner } from '../api/gleaner.ts';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { WaitingRows } from '../parts/feedback/states.tsx';
import { FileLink } from '../results/file-link.tsx';
import { PageNotes } from '../results/page-notes.tsx';
import { ResultTabs } from '../results/result-tabs.tsx';
import { ToWorkbench } from '../reuse/to-workbench.tsx';
import { TracePanel } from '../traces/trace-panel.tsx';
import styles from './jobs.module.css';

/** A page of a job: its address, and what was read from it. */
export interface PageOfJob {
  readonly url: string;
  /** Position in the job, where it is known. */
  readonly index?: number | undefined;
  readonly result?: PageSuccess;
}

/** Shows one page of a job: its data, its screenshot, and where its time went. */
export function PageDialog(props: {
  readonly jobId: string;
  readonly page: PageOfJob;
  /** Fields of the job, for the workbench. */
  readonly selectors: unknown;
  onClose(): void;
}) {
  const { jobId, page, selectors, onClose } = props;
  const { url, index, result } = page;
  return (
    <Modal opened onClose={onClose} title="Page" size={820}>
      <div className="stack">
        <div className="spread">
          <a className={styles.address} href={url} target="_blank" rel="noreferrer noopener">
            {url}
          </a>
          {result?.snapshotId && (
            <ToWorkbench request={{ url, ...(selectors ? { selectors } : {}) }} page={result} />
          )}
        </div>
        <PageNotes metadata={result?.metadata} />
        {result?.file && <FileLink file={result.file} />}
        {result && !result.file && (
          <ResultTabs data={result.data} formats={result.formats} selectors={selectors} />
        )}
        {result?.screenshotUrl && <Screenshot path={result.screenshotUrl} url={url} />}
        <TracePanel
          traceKey={[jobId, url]}
          read={async (signal) => {
            const place = index ?? (await findIndex(jobId, url, signal));
            return gleaner.jobs.trace(jobId, place, { signal });
          }}
        />
      </div>
    </Modal>
  );
}

/** The screenshot of a page: read with the session, which an image by itself does not have. */
function Screenshot({ path, url }: { readonly path: string; readonly url: string }) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['screenshot', path],
    queryFn: async ({ signal }) => {
      const response = await fetchAsSession(apiUrl(path), { signal });
      if (!response.ok) throw new Error(`The service answered ${response.status}.`);
      return response.blob();
    },
    gcTime: 0,
  });
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    if (!data || !image.current) return;
    const source = URL.createObjectURL(data);
    image.current.src = source;
    return () => URL.revokeObjectURL(source);
  }, [data]);
  if (error) return <ErrorPanel error={error} onRetry={refetch} />;
  if (isPending) return <WaitingRows label="Loading the screenshot" />;
  return <img ref={image} className={styles.shot} alt={`Screenshot of ${url}`} />;
}

/** Returns the position of a URL in a job: results of crawls have no position of their own. */
async function findIndex(jobId: string, url: string, signal: AbortSignal): Promise<number> {
  for await (const { index } of gleaner.jobs.urls(jobId, { url }, { signal })) {
    if (index !== undefined) return index;
  }
  throw new Error('The job has no page with this URL.');
}
