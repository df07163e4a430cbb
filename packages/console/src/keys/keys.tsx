import type { Key } from '@gleaner/client';
import { Button } from '@mantine/core';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { Pager } from '../parts/data/pager.tsx';
import { type Column, Table } from '../parts/data/table.tsx';
import { ConfirmButton } from '../parts/feedback/confirm-button.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { EmptyState, WaitingRows } from '../parts/feedback/states.tsx';
import { StatusBadge } from '../parts/marks/status-badge.tsx';
import { Time } from '../parts/marks/time.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';

const PAGE_SIZE = 50;

const COLUMNS: readonly Column<Key>[] = [
  {
    head: 'Key',
    cell: ({ name, prefix }) => (
      <>
        <div>{name}</div>
        <div className="mono muted">{prefix}…</div>
      </>
    ),
  },
  { head: 'Status', cell: (key) => <StatusBadge status={statusOf(key)} /> },
  { head: 'Scopes', cell: ({ scopes }) => scopes.join(', ') },
  { head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    head: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : <span className="muted">never</span>),
  },
  {
    head: 'Expires',
    cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} /> : <span className="muted">never</span>),
  },
  { head: 'Actions', cell: (key) => (statusOf(key) === 'active' ? <RevokeButton apiKey={key} /> : null) },
];

/** The API keys of the account. */
export function Keys() {
  const [offset, setOffset] = useState(0);
  const [isCreating, setCreating] = useState(false);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['keys', offset],
    queryFn: ({ signal }) => gleaner.keys.list({ limit: PAGE_SIZE, offset }, { signal }).page(),
    placeholderData: keepPreviousData,
  });
  const action = <Button onClick={() => setCreating(true)}>New key</Button>;
  return (
    <>
      <PageHeader
        title="API keys"
        below="Keys for scripts, and for people who sign in to this console."
        actions={action}
      />
      <div className="stack">
        {error && <ErrorPanel error={error} onRetry={refetch} />}
        {isPending && <WaitingRows label="Loading keys" />}
        {data && data.items.length === 0 && (
          <EmptyState icon="key" title="No keys" action={action}>
            A key has the scopes that you choose and can have an expiry date.
          </EmptyState>
        )}
        {data && data.items.length > 0 && (
          <>
            <Table label="API keys" columns={COLUMNS} rows={data.items} keyOf={({ id }) => id} />
            <Pager pagination={data.pagination} onOffset={setOffset} />
          </>
        )}
      </div>
      {isCreating && <NewKeyDialog onClose={() => setCreating(false)} />}
    </>
  );
}

function RevokeButton({ apiKey }: { readonly apiKey: Key }) {
  const queries = useQueryClient();
  return (
    <ConfirmButton
      label="Revoke"
      question={
        <>
          “{apiKey.name}” (<code>{apiKey.prefix}…</code>) stops working within seconds, and sessions that were
          opened with it end. This cannot be undone.
        </>
      }
      confirm="Revoke the key"
      action={async () => {
        await gleaner.keys.revoke(apiKey.id);
        await queries.invalidateQueries({ queryKey: ['keys'] });
      }}
    />
  );
}

function statusOf({ revokedAt, expiresAt }: Key): 'active' | 'revoked' | 'expired' {
  if (revokedAt) return 'revoked';
  return expiresAt && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'active';
}
