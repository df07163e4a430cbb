import type { RecipeSummary } from '@gleaner/client';
import { useQuery } from '@tanstack/react-query';
import { gleaner } from '../api/gleaner.ts';
import { type Column, Table } from '../parts/data/table.tsx';
import { ConfirmButton } from '../parts/feedback/confirm-button.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { EmptyState, WaitingRows } from '../parts/feedback/states.tsx';
import { StatusBadge } from '../parts/marks/status-badge.tsx';
import { Time } from '../parts/marks/time.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { TestsButton } from './tests-button.tsx';

/** The recipes of the account, with the state of their tests. */
export function Recipes() {
  const { data, error, refetch } = useQuery({
    queryKey: ['recipes'],
    queryFn: ({ signal }) => gleaner.recipes.list({ signal }),
  });
  return (
    <>
      <PageHeader
        title="Recipes"
        below="Options for the pages of a site, with pages that prove them. Tests fetch nothing and cost nothing."
      />
      <div className="stack">
        {error && <ErrorPanel error={error} onRetry={() => refetch()} />}
        {!data && !error && <WaitingRows label="Loading recipes" />}
        {data?.length === 0 && (
          <EmptyState icon="check" title="No recipes">
            Recipes are files in a repository, stored by <code>gleaner recipe push</code>, or by{' '}
            <code>POST /v1/recipes</code>.
          </EmptyState>
        )}
        {data && data.length > 0 && (
          <Table label="Recipes" columns={COLUMNS} rows={data} keyOf={({ id }) => id} />
        )}
      </div>
    </>
  );
}

const COLUMNS: readonly Column<RecipeSummary>[] = [
  { head: 'Name', cell: ({ name }) => name },
  {
    head: 'Version',
    cell: ({ id, version }) => (
      <span className="mono">
        {id}@{version}
      </span>
    ),
  },
  {
    head: 'Matches',
    cell: ({ match }) =>
      match.length > 0 ? match.join(' ') : <span className="muted">used by its id alone</span>,
  },
  { head: 'Tests', cell: (recipe) => <TestState recipe={recipe} /> },
  { head: 'Changed', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  {
    head: 'Actions',
    cell: ({ id, name, tests }) => (
      <span className="row">
        {tests > 0 && <TestsButton id={id} name={name} />}
        <ConfirmButton
          label="Delete"
          question="Its versions and tests are deleted. Jobs and schedules that use it keep its options."
          confirm="Delete the recipe"
          changes="recipes"
          action={() => gleaner.recipes.delete(id)}
        />
      </span>
    ),
  },
];

/** Outcome of the last run of the tests. */
function TestState({ recipe: { tests, tested } }: { readonly recipe: RecipeSummary }) {
  if (tests === 0) return <span className="muted">none</span>;
  if (!tested) return <span className="muted">{tests}, not run yet</span>;
  const { failed, at } = tested;
  return (
    <span className="row">
      <StatusBadge status={failed === 0 ? 'green' : 'red'} />
      <span>
        {failed === 0 ? tests : `${failed} of ${tests}`} · <Time at={at} />
      </span>
    </span>
  );
}
