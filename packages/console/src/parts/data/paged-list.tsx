import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorPanel } from '../feedback/error-panel.tsx';
import { WaitingRows } from '../feedback/states.tsx';

/** Position in a list that is read page by page. */
interface Pagination {
  readonly limit: number;
  readonly offset: number;
  readonly total: number;
  readonly hasMore: boolean;
}

/** A page of a list with the way to the others, or what stands for it while it loads, when it is empty and after an error. */
export function PagedList<Item>(props: {
  readonly query: UseQueryResult<{ readonly items: readonly Item[]; readonly pagination: Pagination }>;
  /** Plural of what is listed. */
  readonly noun: string;
  readonly waitingRows?: number;
  readonly empty: ReactNode;
  onOffset(offset: number): void;
  children(items: readonly Item[]): ReactNode;
}) {
  const { query, noun, waitingRows = 6, empty, onOffset, children } = props;
  const { data, error, isPending, refetch } = query;
  return (
    <>
      {error && <ErrorPanel error={error} onRetry={refetch} />}
      {isPending && <WaitingRows label={`Loading ${noun}`} rows={waitingRows} />}
      {data && data.items.length === 0 && empty}
      {data && data.items.length > 0 && (
        <>
          {children(data.items)}
          <Pager pagination={data.pagination} onOffset={onOffset} />
        </>
      )}
    </>
  );
}

/** Buttons to the pages before and after; nothing when there is one page. */
function Pager(props: { readonly pagination: Pagination; onOffset(offset: number): void }) {
  const {
    pagination: { limit, offset, total, hasMore },
    onOffset,
  } = props;
  if (total <= limit && offset === 0) return null;
  return (
    <nav className="spread" aria-label="Pages">
      <span className="muted small">
        {(offset + 1).toLocaleString()}–{Math.min(offset + limit, total).toLocaleString()} of{' '}
        {total.toLocaleString()}
      </span>
      <span className="row">
        <Button
          size="xs"
          variant="default"
          disabled={offset === 0}
          onClick={() => onOffset(Math.max(0, offset - limit))}
        >
          Newer
        </Button>
        <Button size="xs" variant="default" disabled={!hasMore} onClick={() => onOffset(offset + limit)}>
          Older
        </Button>
      </span>
    </nav>
  );
}
