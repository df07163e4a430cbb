import type { BodyOf, JobWithResults } from '@gleaner/client';
import { Button, Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { draftOf, requestOf } from '../forms/page-draft.ts';
import { SelectorRows } from '../forms/selector-rows.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';

/** Asks for other fields of the pages that a job kept, and opens the job that extracts them. */
export function ExtractDialog({ job, onClose }: { readonly job: JobWithResults; onClose(): void }) {
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
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title="Extract other data"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          extract.mutate();
        }}
      >
        <p className="muted small">
          Reads the pages that the job kept. Nothing is fetched, and it is free.
        </p>
        <SelectorRows
          fields={draft.fields}
          error={extract.error}
          onChange={(fields) => setDraft({ ...draft, fields })}
        />
        {extract.error && <ErrorPanel error={extract.error} />}
        <Button type="submit" loading={extract.isPending}>
          Extract
        </Button>
      </form>
    </Modal>
  );
}
