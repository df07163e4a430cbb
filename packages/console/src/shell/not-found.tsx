import { Link } from '@tanstack/react-router';
import { EmptyState } from '../parts/feedback/empty-state.tsx';
import { PageHeader } from '../parts/page-header.tsx';

/** Stands for addresses that are not a view. */
export function NotFound() {
  return (
    <>
      <PageHeader title="Not found" />
      <EmptyState
        icon="search"
        title="There is no such page"
        action={<Link to="/">Open the playground</Link>}
      >
        The link may have been cut off.
      </EmptyState>
    </>
  );
}
