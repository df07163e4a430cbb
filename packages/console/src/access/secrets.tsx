import type { Secret } from '@gleaner/client';
import { Button, Modal, PasswordInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { useChange } from '../api/use-change.ts';
import { CreateForm } from '../forms/create-form.tsx';
import { bindTo } from '../forms/problems.ts';
import { type Column, Table } from '../parts/data/table.tsx';
import { ConfirmButton } from '../parts/feedback/confirm-button.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { EmptyState, WaitingRows } from '../parts/feedback/states.tsx';
import { Time } from '../parts/marks/time.tsx';
import { PageHeader } from '../parts/page-header.tsx';

/** The secrets of the account, without their values, which the service does not show. */
export function Secrets() {
  /** Name of the secret whose value is set; '' of a new one. */
  const [opened, setOpened] = useState<string>();
  const { data, error, refetch } = useQuery({
    queryKey: ['secrets'],
    queryFn: ({ signal }) => gleaner.secrets.list({ signal }),
  });
  const action = <Button onClick={() => setOpened('')}>New secret</Button>;
  return (
    <>
      <PageHeader
        title="Secrets"
        below="Passwords and other texts that actions write into fields of pages. Their values are not shown."
        actions={action}
      />
      <div className="stack">
        {error && <ErrorPanel error={error} onRetry={() => refetch()} />}
        {!data && !error && <WaitingRows label="Loading secrets" />}
        {data?.length === 0 && (
          <EmptyState icon="lock" title="No secrets" action={action}>
            A step of actions names a secret instead of a text: {'{"secret": "shop-password"}'}.
          </EmptyState>
        )}
        {data && data.length > 0 && (
          <Table label="Secrets" columns={columnsFor(setOpened)} rows={data} keyOf={({ name }) => name} />
        )}
      </div>
      {opened !== undefined && (
        <SecretDialog
          secret={data?.find(({ name }) => name === opened)}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}

function columnsFor(open: (name: string) => void): readonly Column<Secret>[] {
  return [
    { head: 'Name', cell: ({ name }) => <span className="mono">{name}</span> },
    {
      head: 'Origins',
      cell: ({ origins }) =>
        origins?.join(', ') ?? <span className="muted">that of the page that is scraped</span>,
    },
    { head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
    { head: 'Last set', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
    {
      head: 'Actions',
      cell: ({ name }) => (
        <span className="row">
          <Button size="xs" variant="default" onClick={() => open(name)}>
            Replace
          </Button>
          <DeleteButton name={name} />
        </span>
      ),
    },
  ];
}

function DeleteButton({ name }: { readonly name: string }) {
  return (
    <ConfirmButton
      label="Delete"
      question={
        <>
          Pages whose actions write <code>{name}</code> fail from now on. This cannot be undone.
        </>
      }
      confirm="Delete the secret"
      changes="secrets"
      action={() => gleaner.secrets.delete(name)}
    />
  );
}

/** Stores a secret, or replaces the value and the origins of one. */
function SecretDialog({ secret, onClose }: { readonly secret: Secret | undefined; onClose(): void }) {
  const [name, setName] = useState(secret?.name ?? '');
  const [value, setValue] = useState('');
  const [origins, setOrigins] = useState(secret?.origins?.join(' ') ?? '');
  const put = useChange({
    key: 'secrets',
    change() {
      const given = origins.split(/[\s,]+/).filter(Boolean);
      return gleaner.secrets.put(name.trim(), { value, ...(given.length > 0 && { origins: given }) });
    },
    onDone: onClose,
  });
  const bind = bindTo(put.error);
  const title = secret ? `Replace ${secret.name}` : 'New secret';
  return (
    <Modal opened onClose={onClose} title={title}>
      <CreateForm
        label={title}
        submit="Store the secret"
        look="dialog"
        create={put}
        isComplete={name.trim() !== '' && value !== ''}
      >
        {!secret && (
          <TextInput
            label="Name"
            placeholder="shop-password"
            {...bind('name', name, setName)}
            autoComplete="off"
            data-autofocus
          />
        )}
        <PasswordInput
          label="Value"
          description="It is stored encrypted, and never shown again."
          {...bind('value', value, setValue)}
          autoComplete="new-password"
        />
        <TextInput
          label="Origins"
          description="Only pages of these get it. Without any: those of the URL that is scraped."
          placeholder="https://shop.example"
          {...bind('origins', origins, setOrigins)}
        />
      </CreateForm>
    </Modal>
  );
}
