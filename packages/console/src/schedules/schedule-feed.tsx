import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiUrl, gleaner } from '../api/gleaner.ts';
import { CopyText } from '../parts/data/code-block.tsx';
import { ConfirmButton } from '../parts/feedback/confirm-button.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';

/** The addresses of the feeds of a schedule, on request: the token in them is made when they are first shown. */
export function ScheduleFeed({ id }: { readonly id: string }) {
  const [isShown, setShown] = useState(false);
  const queries = useQueryClient();
  const queryKey = ['schedules', id, 'feed'];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => gleaner.schedules.feed(id, { signal }),
    enabled: isShown,
  });
  return (
    <section className="card stack" aria-label="Feed">
      <h2>Feed</h2>
      <p className="muted small">
        Follow what the rules tell and what the runs find changed in a reader of feeds. The address opens this
        feed without an API key: keep it secret.
      </p>
      {error && <ErrorPanel error={error} onRetry={refetch} />}
      {isShown && data && (
        <>
          <FeedAddress label="Atom" path={data.atomUrl} />
          <FeedAddress label="JSON Feed" path={data.jsonUrl} />
        </>
      )}
      <div className="row">
        <Button size="xs" variant="default" onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide the addresses' : 'Show the addresses'}
        </Button>
        <ConfirmButton
          label="Replace"
          question="The feed gets other addresses. Readers that have the present ones can open it no longer."
          confirm="Replace the addresses"
          changes="feeds"
          action={async () => queries.setQueryData(queryKey, await gleaner.schedules.rotateFeed(id))}
          onDone={() => setShown(true)}
        />
      </div>
    </section>
  );
}

function FeedAddress({ label, path }: { readonly label: string; readonly path: string }) {
  const url = apiUrl(path);
  return (
    <div className="row">
      <a href={url} style={{ overflowWrap: 'anywhere' }}>
        {label}
      </a>
      <CopyText text={url} label={`Copy the ${label} address`} />
    </div>
  );
}
