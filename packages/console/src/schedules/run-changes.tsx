import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { gleaner } from '../api/gleaner.ts';
import { type Column, Table } from '../parts/data/table.tsx';
import { EmptyState } from '../parts/feedback/empty-state.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { WaitingRows } from '../parts/feedback/waiting.tsx';
import { cellText } from '../tables/tables-in.ts';

const MAX_SHOWN = 500;

interface PageChange {
  readonly url: string;
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

const COLUMNS: readonly Column<PageChange>[] = [
  { head: 'Field', cell: ({ path }) => <code>{path}</code> },
  { head: 'Before', cell: ({ before }) => <Value value={before} /> },
  { head: 'After', cell: ({ after }) => <Value value={after} /> },
  { head: 'Page', cell: ({ url }) => <span className="mono muted">{url}</span> },
];

/** The values that a run found differently than the runs before it. */
export function RunChanges(props: {
  readonly scheduleId: string;
  readonly runId: string;
  /** Place of the run among those of the schedule, the newest first. */
  readonly offset: number;
  onClose(): void;
}) {
  const { scheduleId, runId, offset, onClose } = props;
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['run-changes', runId],
    queryFn: async ({ signal }) => {
      // Another run may have started since.
      const query = { limit: 2, offset };
      const { items } = await gleaner.schedules.changes(scheduleId, query, { signal }).page();
      const pages = items.find(({ jobId }) => jobId === runId)?.pages ?? [];
      return pages.flatMap(({ url, changes }) => changes.map((change): PageChange => ({ url, ...change })));
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title="Changes since earlier runs"
      size={900}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {error && <ErrorPanel error={error} onRetry={refetch} />}
      {isPending && <WaitingRows label="Comparing the runs" rows={3} />}
      {data?.length === 0 && (
        <EmptyState icon="check" title="Nothing changed">
          Earlier runs found the same values.
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <Table
          label="Changes"
          columns={COLUMNS}
          rows={data.slice(0, MAX_SHOWN)}
          keyOf={({ url, path }) => `${url} ${path}`}
        />
      )}
      {data && data.length > MAX_SHOWN && (
        <p className="muted small">
          The first {MAX_SHOWN} of {data.length.toLocaleString()}.
        </p>
      )}
    </Modal>
  );
}

function Value({ value }: { readonly value: unknown }) {
  return value === undefined || value === null ? <span className="muted">none</span> : cellText(value);
}
