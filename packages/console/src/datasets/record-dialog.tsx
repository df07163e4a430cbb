import type { DatasetRecord, ResultOf } from '@gleaner/client';
import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { gleaner } from '../api/gleaner.ts';
import { CodeBlock } from '../parts/data/code-block.tsx';
import { Facts } from '../parts/data/facts.tsx';
import { UrlText } from '../parts/data/url-text.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { WaitingRows } from '../parts/feedback/states.tsx';
import { StatusBadge } from '../parts/marks/status-badge.tsx';
import { Time } from '../parts/marks/time.tsx';

/** A record of a dataset, and how it has changed. */
export function RecordDialog(props: {
  readonly dataset: string;
  readonly record: DatasetRecord;
  onClose(): void;
}) {
  const { dataset, record, onClose } = props;
  const { key, url, firstSeen, lastSeen } = record;
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['dataset', dataset, 'history', key],
    queryFn: ({ signal }) => gleaner.datasets.history(dataset, key, { signal }),
  });
  return (
    <Modal opened onClose={onClose} title={`Record ${key}`} size={820}>
      <div className="stack">
        <Facts
          facts={{
            'First seen': <Time at={firstSeen} />,
            'Last seen': <Time at={lastSeen} />,
            Page: (
              <a href={url} target="_blank" rel="noreferrer noopener">
                <UrlText url={url} />
              </a>
            ),
          }}
        />
        <h2>History</h2>
        {error && <ErrorPanel error={error} onRetry={() => refetch()} />}
        {isPending && <WaitingRows label="Loading the history" />}
        {data?.map((state) => (
          <RecordState key={state.revision} state={state} />
        ))}
      </div>
    </Modal>
  );
}

/** One state of a record. */
function RecordState({ state }: { readonly state: ResultOf<'getRecordHistory'>['history'][number] }) {
  const { revision, op, record, jobId, changedAt } = state;
  return (
    <section className="stack-tight" aria-label={`Revision ${revision}`}>
      <span className="row">
        <StatusBadge status={op === 'gone' ? 'gone' : 'ok'} />
        <span>
          Revision {revision.toLocaleString()} · <Time at={changedAt} />
        </span>
        <Link to="/jobs/$id" params={{ id: jobId }} className="small">
          {jobId}
        </Link>
      </span>
      {op === 'upsert' && (
        <CodeBlock label={`Record at revision ${revision}`} text={JSON.stringify(record, null, 2)} />
      )}
    </section>
  );
}
