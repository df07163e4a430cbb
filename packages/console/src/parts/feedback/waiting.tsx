import { Loader, Skeleton, VisuallyHidden } from '@mantine/core';

/** Fills a page while nothing of it is known yet. */
export function Waiting({ label }: { readonly label: string }) {
  return (
    <div role="status" style={{ display: 'grid', height: '60vh', placeItems: 'center' }}>
      <Loader size="sm" aria-hidden />
      <VisuallyHidden>{label}</VisuallyHidden>
    </div>
  );
}

/** Stands for rows that load. */
export function WaitingRows({ label, rows = 6 }: { readonly label: string; readonly rows?: number }) {
  return (
    <div role="status" className="stack-tight">
      <VisuallyHidden>{label}</VisuallyHidden>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move.
        <Skeleton key={index} height={36} radius="sm" />
      ))}
    </div>
  );
}
