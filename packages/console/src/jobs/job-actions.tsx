import { type BodyOf, hasFinished, type JobWithResults, progressOf } from '@gleaner/client';
import { Button, Menu, Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { ticketUrl } from '../api/session-api.ts';
import { CreateForm } from '../forms/create-form.tsx';
import { draftOf, requestOf } from '../forms/page-draft.ts';
import { SelectorRows } from '../forms/page-fields.tsx';
import { ConfirmButton } from '../parts/feedback/confirm-button.tsx';
import { useAnnounce } from '../parts/feedback/notices.tsx';

const FORMATS = ['csv', 'parquet', 'ndjson', 'json'] as const;

/** Cancels a job while it runs, exports its results, runs it again. */
export function JobActions({ job }: { readonly job: JobWithResults }) {
  const [isExtracting, setExtracting] = useState(false);
  const navigate = useNavigate();
  const announce = useAnnounce();
  const rerun = useMutation({
    mutationFn: (only: 'failed' | undefined) => gleaner.jobs.rerun(job.id, only ? { only } : {}),
    onSuccess: ({ id }) => navigate({ to: '/jobs/$id', params: { id } }),
    onError: (error) => announce(error.message),
  });
  return (
    <>
      {!hasFinished(job) && job.status !== 'cancelled' && (
        <ConfirmButton
          size="sm"
          label="Cancel"
          question="No further pages are started. Results so far are kept and remain charged."
          confirm="Cancel the job"
          changes="jobs"
          action={() => gleaner.jobs.cancel(job.id)}
        />
      )}
      {hasFinished(job) && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" loading={rerun.isPending}>
              Run again
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => rerun.mutate(undefined)}>All URLs</Menu.Item>
            {job.failedUrls > 0 && (
              <Menu.Item onClick={() => rerun.mutate('failed')}>
                The {job.failedUrls.toLocaleString()} that failed
              </Menu.Item>
            )}
            {(job.options.snapshot || job.extractOf) && (
              <Menu.Item onClick={() => setExtracting(true)}>Extract other data</Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      {isExtracting && <ExtractDialog job={job} onClose={() => setExtracting(false)} />}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button disabled={progressOf(job).done === 0}>Export</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {FORMATS.map((format) => (
            <Menu.Item
              key={format}
              onClick={() => void download(job.id, format).catch((error: Error) => announce(error.message))}
            >
              {format === 'parquet' ? 'Parquet' : format.toUpperCase()}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

/** Has the browser download a file of the results: it streams to the disk, however large it is. */
async function download(id: string, format: (typeof FORMATS)[number]): Promise<void> {
  const link = document.createElement('a');
  link.href = await ticketUrl(`/v1/jobs/${encodeURIComponent(id)}/results?format=${format}`);
  link.download = `${id}.${format}`;
  link.click();
}

/** Asks for other fields of the pages that a job kept, and opens the job that extracts them. */
function ExtractDialog({ job, onClose }: { readonly job: JobWithResults; onClose(): void }) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState(() => draftOf({ selectors: job.options.selectors }));
  const extract = useMutation({
    mutationFn: () => gleaner.jobs.extract(job.id, requestOf(draft) as BodyOf<'extractJob'>),
    onSuccess: async ({ id }) => {
      onClose();
      await navigate({ to: '/jobs/$id', params: { id } });
    },
  });
  return (
    <Modal opened onClose={onClose} size="lg" title="Extract other data">
      <CreateForm label="Extract other data" submit="Extract" look="dialog" create={extract}>
        <p className="muted small">Reads the pages that the job kept. Nothing is fetched, and it is free.</p>
        <SelectorRows
          fields={draft.fields}
          error={extract.error}
          onChange={(fields) => setDraft({ ...draft, fields })}
        />
      </CreateForm>
    </Modal>
  );
}
