import type { PageSuccess } from '@gleaner/client';
import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { gleaner } from '../api/gleaner.ts';
import { type Column, Table } from '../parts/data/table.tsx';
import { EmptyState } from '../parts/feedback/empty-state.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { WaitingRows } from '../parts/feedback/waiting.tsx';
import { cellText } from '../tables/tables-in.ts';
import { type Change, diffData } from './diff-data.ts';

/** Pages of a run that are compared, and changes that are shown. */
const MAX_PAGES = 1_000;
const MAX_SHOWN = 500;

type PageChange = Change & { readonly url: string };

const COLUMNS: readonly Column<PageChange>[] = [
  { head: 'Field', cell: ({ path }) => <code>{path}</code> },
  { head: 'Before', cell: ({ before }) => <Value value={before} /> },
  { head: 'After', cell: ({ after }) => <Value value={after} /> },
  { head: 'Page', isMinor: true, cell: ({ url }) => <span className="mono muted">{url}</span> },
];

/** The values that a run found differently than the run before it. */
export function RunChanges(props: { readonly id: string; readonly beforeId: string; onClose(): void }) {
  const { id, beforeId, onClose } = props;
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['run-changes', beforeId, id],
    queryFn: async ({ signal }) => {
      const [before, after] = await Promise.all([readPages(beforeId, signal), readPages(id, signal)]);
      return [...after].flatMap(([url, page]) =>
        diffData(before.get(url)?.data ?? {}, page.data ?? {}).map((change) => ({ ...change, url })),
      );
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title="Changes since the run before"
      size={900}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {error && <ErrorPanel error={error} onRetry={refetch} />}
      {isPending && <WaitingRows label="Comparing the runs" rows={3} />}
      {data?.length === 0 && (
        <EmptyState icon="check" title="Nothing changed">
          Both runs found the same values.
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

async function readPages(id: string, signal: AbortSignal): Promise<ReadonlyMap<string, PageSuccess>> {
  const pages = new Map<string, PageSuccess>();
  for await (const result of gleaner.jobs.results(id, { signal })) {
    if (!result.error) pages.set(result.url, result as PageSuccess);
    if (pages.size >= MAX_PAGES) break;
  }
  return pages;
}
