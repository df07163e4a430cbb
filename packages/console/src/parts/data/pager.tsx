import { Button } from '@mantine/core';

/** Position in a list that is read page by page. */
export interface PagerProps {
  readonly pagination: { limit: number; offset: number; total: number; hasMore: boolean };
  onOffset(offset: number): void;
}

/** Buttons to the pages before and after; nothing when there is one page. */
export function Pager({ pagination, onOffset }: PagerProps) {
  const { limit, offset, total, hasMore } = pagination;
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
