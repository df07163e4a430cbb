import type { PageSuccess } from '@gleaner/client';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ticketUrl } from '../api/session-api.ts';
import { Facts } from '../parts/data/facts.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import styles from './results.module.css';

type StoredFile = NonNullable<PageSuccess['file']>;

/** A downloaded file with a button for saving it. */
export function FileLink({ file }: { readonly file: StoredFile }) {
  const { id, name, contentType, size, sha256 } = file;
  const save = useMutation({
    mutationFn: async () => {
      const link = document.createElement('a');
      link.href = await ticketUrl(`/v1/files/${encodeURIComponent(id)}`);
      link.download = name;
      link.click();
    },
  });
  return (
    <section className="card stack-tight" aria-label="File">
      <Facts
        facts={{
          File: name,
          Type: contentType,
          Size: `${size.toLocaleString()} bytes`,
        }}
      />
      <p className={`mono small ${styles.hash}`}>SHA-256 {sha256}</p>
      <div>
        <Button variant="default" size="xs" loading={save.isPending} onClick={() => save.mutate()}>
          Save the file
        </Button>
      </div>
      {save.error && <ErrorPanel error={save.error} onRetry={() => save.mutate()} />}
    </section>
  );
}
