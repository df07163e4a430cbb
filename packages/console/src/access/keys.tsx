import type { Key, NewKey } from '@gleaner/client';
import { Button, Checkbox, Modal, NativeSelect, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { gleaner, SERVICE_URL } from '../api/gleaner.ts';
import { useChange } from '../api/use-change.ts';
import { CreateForm } from '../forms/create-form.tsx';
import { bindTo, problemAt } from '../forms/problems.ts';
import { CodeBlock } from '../parts/data/code-block.tsx';
import { PagedList } from '../parts/data/paged-list.tsx';
import { type Column, Table } from '../parts/data/table.tsx';
import { ConfirmButton } from '../parts/feedback/confirm-button.tsx';
import { EmptyState } from '../parts/feedback/states.tsx';
import { StatusBadge } from '../parts/marks/status-badge.tsx';
import { Time } from '../parts/marks/time.tsx';
import { PageHeader } from '../parts/page-header.tsx';

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
  const query = useQuery({
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
        <PagedList
          query={query}
          noun="keys"
          onOffset={setOffset}
          empty={
            <EmptyState icon="key" title="No keys" action={action}>
              A key has the scopes that you choose and can have an expiry date.
            </EmptyState>
          }
        >
          {(items) => <Table label="API keys" columns={COLUMNS} rows={items} keyOf={({ id }) => id} />}
        </PagedList>
      </div>
      {isCreating && <NewKeyDialog onClose={() => setCreating(false)} />}
    </>
  );
}

function RevokeButton({ apiKey }: { readonly apiKey: Key }) {
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
      changes="keys"
      action={() => gleaner.keys.revoke(apiKey.id)}
    />
  );
}

function statusOf({ revokedAt, expiresAt }: Key): 'active' | 'revoked' | 'expired' {
  if (revokedAt) return 'revoked';
  return expiresAt && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'active';
}

const SCOPES: readonly { scope: Key['scopes'][number]; allows: string }[] = [
  { scope: 'scrape', allows: 'scrape pages' },
  { scope: 'jobs', allows: 'create and read jobs' },
  { scope: 'schedules', allows: 'create and change schedules' },
  { scope: 'profiles', allows: 'manage sessions at sites' },
  { scope: 'webhooks', allows: 'read deliveries and the secret' },
  { scope: 'usage', allows: 'read the usage' },
  { scope: 'admin', allows: 'create and revoke keys, see the system' },
];

const DAY_MS = 86_400_000;
const EXPIRIES = [
  { value: '', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '365', label: 'In a year' },
];

/** Creates a key and shows it, once. */
function NewKeyDialog({ onClose }: { onClose(): void }) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<string[]>(['scrape', 'jobs']);
  const [days, setDays] = useState('');
  const create = useChange({
    key: 'keys',
    change: () =>
      gleaner.keys.create({
        ...(name.trim() && { name: name.trim() }),
        scopes: scopes as Key['scopes'],
        ...(days && { expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
      }),
  });
  const title = create.data ? 'Copy the key now' : 'New API key';
  return (
    <Modal opened onClose={onClose} title={title}>
      {create.data ? (
        <CreatedKey created={create.data} onClose={onClose} />
      ) : (
        <CreateForm
          label="New API key"
          submit="Create the key"
          look="dialog"
          create={create}
          isComplete={scopes.length > 0}
        >
          <TextInput
            label="Name"
            placeholder="Reporting"
            {...bindTo(create.error)('name', name, setName)}
            data-autofocus
          />
          <Checkbox.Group
            label="Scopes"
            value={scopes}
            onChange={setScopes}
            error={problemAt(create.error, 'scopes')}
          >
            <div className="stack-tight" style={{ paddingTop: 6 }}>
              {SCOPES.map(({ scope, allows }) => (
                <Checkbox key={scope} value={scope} label={`${scope}: ${allows}`} size="xs" />
              ))}
            </div>
          </Checkbox.Group>
          <NativeSelect
            label="Expires"
            value={days}
            onChange={(event) => setDays(event.currentTarget.value)}
            data={EXPIRIES}
          />
        </CreateForm>
      )}
    </Modal>
  );
}

function CreatedKey({ created, onClose }: { readonly created: NewKey; onClose(): void }) {
  return (
    <div className="stack">
      <p>The key is shown only now; the service stores its hash.</p>
      <CodeBlock label="API key" text={created.key} />
      <p className="muted small">For an .env file:</p>
      <CodeBlock label="Lines for .env" text={`GLEANER_URL=${SERVICE_URL}\nGLEANER_API_KEY=${created.key}`} />
      <p className="muted small">For programs that were written for Firecrawl:</p>
      <CodeBlock
        label="Lines for programs of Firecrawl"
        text={`FIRECRAWL_API_URL=${SERVICE_URL}\nFIRECRAWL_API_KEY=${created.key}`}
      />
      <Button onClick={onClose}>I have copied it</Button>
    </div>
  );
}
