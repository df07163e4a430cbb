import type { Change } from '@gleaner/client';
import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { gleaner } from '../api/gleaner.ts';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { EmptyState, WaitingRows } from '../parts/feedback/states.tsx';
import styles from './changes-dialog.module.css';
import { describeValue, markDifference, placeOf } from './describe-change.ts';

const MAX_SHOWN = 500;

const KINDS: Readonly<Record<Change['kind'], string>> = { added: '+', removed: '−', changed: '±' };

/** Shows the differences of a run from the run before: one line for each value, old and new beside each other. */
export function ChangesDialog({ jobId, onClose }: { readonly jobId: string; onClose(): void }) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['jobs', jobId, 'changes'],
    queryFn: ({ signal }) =>
      gleaner.call('getJobChanges', { path: { id: jobId }, query: { limit: MAX_SHOWN } }, { signal }),
  });
  return (
    <Modal opened onClose={onClose} title="Changes since the run before" size={900}>
      {error && <ErrorPanel error={error} onRetry={refetch} />}
      {isPending && <WaitingRows label="Loading the changes" rows={3} />}
      {data?.changes.length === 0 && (
        <EmptyState
          icon="check"
          title={data.comparedWith === null ? 'Nothing to compare' : 'Nothing changed'}
        >
          {data.comparedWith === null
            ? 'There is no earlier run of these pages.'
            : 'The run before found the same values.'}
        </EmptyState>
      )}
      {data && data.notCompared > 0 && (
        <p className="muted small">
          {data.notCompared.toLocaleString()} of the pages {data.notCompared === 1 ? 'is' : 'are'} of another
          kind than before, such as a login instead of content, and not compared.
        </p>
      )}
      {data && data.changes.length > 0 && (
        <>
          <p className="muted small">
            Records:{' '}
            {Object.entries(data.counts)
              .filter(([, count]) => count > 0)
              .map(([kind, count]) => `${count.toLocaleString()} ${kind}`)
              .join(', ')}
          </p>
          <ul className={styles.list} aria-label="Changes">
            {data.changes.map((change, index) => (
              <ChangeLine
                key={JSON.stringify(change)}
                change={change}
                isFirstOfPage={data.changes[index - 1]?.url !== change.url}
              />
            ))}
          </ul>
          {data.pagination.total + data.omitted > data.changes.length && (
            <p className="muted small">
              The first {data.changes.length.toLocaleString()} of{' '}
              {(data.pagination.total + data.omitted).toLocaleString()}. All of them:{' '}
              <code>gleaner job changes {jobId}</code>
            </p>
          )}
        </>
      )}
    </Modal>
  );
}

function ChangeLine({ change, isFirstOfPage }: { readonly change: Change; readonly isFirstOfPage: boolean }) {
  const { kind, path, url } = change;
  const { list, record, field } = placeOf(path);
  return (
    <li className={styles.change}>
      {isFirstOfPage && <span className={styles.page}>{url}</span>}
      <span className={styles.kind} data-kind={kind} role="img" aria-label={kind}>
        {KINDS[kind]}
      </span>
      <span className={styles.place}>
        {list && <code>{list}</code>} {record && <strong>{record}</strong>} {field && <code>{field}</code>}
      </span>
      <Values change={change} />
    </li>
  );
}

/** Shows the old value struck out and the new one behind it; of long texts only the part that differs. */
function Values({ change: { kind, before, after } }: { readonly change: Change }) {
  if (kind === 'added') return <ins className={styles.value}>{describeValue(after)}</ins>;
  if (kind === 'removed') return <del className={styles.value}>{describeValue(before)}</del>;
  const { start, old, fresh, end } = markDifference(describeValue(before), describeValue(after));
  return (
    <span className={styles.value}>
      {start}
      {old && <del>{old}</del>} {fresh && <ins>{fresh}</ins>}
      {end}
    </span>
  );
}
