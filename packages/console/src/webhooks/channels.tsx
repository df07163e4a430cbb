import type { BodyOf, Channel } from '@gleaner/client';
import { Button, Modal, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CHANNELS } from '../api/channels.ts';
import { gleaner } from '../api/gleaner.ts';
import { useChange } from '../api/use-change.ts';
import { CreateForm } from '../forms/create-form.tsx';
import { bindTo } from '../forms/problems.ts';
import { type Column, Table } from '../parts/data/table.tsx';
import { ConfirmButton } from '../parts/feedback/confirm-button.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { EmptyState, WaitingRows } from '../parts/feedback/states.tsx';
import { StatusBadge } from '../parts/marks/status-badge.tsx';
import { Time } from '../parts/marks/time.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { DeliveryAttempts } from './test-panel.tsx';

/** The channels of the account, each with a test. */
export function Channels() {
  const [isNew, setNew] = useState(false);
  const { data, error, refetch } = useQuery(CHANNELS);
  const action = <Button onClick={() => setNew(true)}>New channel</Button>;
  return (
    <>
      <PageHeader
        title="Channels"
        below="Email, chats and endpoints by which the rules of schedules tell you. Addresses that hold a secret are cut."
        actions={action}
      />
      <div className="stack">
        {error && <ErrorPanel error={error} onRetry={() => refetch()} />}
        {!data && !error && <WaitingRows label="Loading channels" />}
        {data?.length === 0 && (
          <EmptyState icon="bell" title="No channels" action={action}>
            A rule of a schedule tells you by a channel: when a price falls, when something is back in stock.
          </EmptyState>
        )}
        {data && data.length > 0 && (
          <Table label="Channels" columns={COLUMNS} rows={data} keyOf={({ id }) => id} />
        )}
      </div>
      {isNew && <ChannelDialog onClose={() => setNew(false)} />}
    </>
  );
}

const COLUMNS: readonly Column<Channel>[] = [
  { head: 'Name', cell: ({ name }) => name },
  { head: 'Type', cell: ({ type }) => TYPES[type].label },
  { head: 'Leads to', cell: ({ address }) => <span className="mono">{address}</span> },
  { head: 'State', cell: ({ status }) => <StatusBadge status={status} /> },
  { head: 'Changed', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  {
    head: 'Actions',
    cell: (channel) => (
      <span className="row">
        <TestButton channel={channel} />
        <ConfirmButton
          label="Delete"
          question="Messages that wait for it fail; rules that name it go on with their other channels."
          confirm="Delete the channel"
          changes="channels"
          action={() => gleaner.channels.delete(channel.id)}
        />
      </span>
    ),
  },
];

/** Sends a test message, and shows what came back. */
function TestButton({ channel: { id, name } }: { readonly channel: Channel }) {
  const [isOpen, setOpen] = useState(false);
  const test = useChange({ key: 'channels', change: () => gleaner.channels.test(id) });
  const send = () => {
    setOpen(true);
    test.mutate();
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={send} loading={test.isPending}>
        Test
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={`Test of ${name}`}>
        <div className="stack" aria-live="polite">
          {test.isPending && <p>Sending…</p>}
          {test.error && <ErrorPanel error={test.error} />}
          {test.data && (
            <>
              <div>
                <StatusBadge status={test.data.status} />
              </div>
              <DeliveryAttempts delivery={test.data} />
            </>
          )}
        </div>
      </Modal>
    </>
  );
}

type Field = 'url' | 'to' | 'token' | 'chat' | 'topic' | 'server' | 'key' | 'tag';

/** Kinds of channels, with the fields of each; those with a question mark may be empty. */
const TYPES: Readonly<
  Record<Channel['type'], { readonly label: string; readonly fields: readonly (Field | `${Field}?`)[] }>
> = {
  email: { label: 'Email', fields: ['to'] },
  slack: { label: 'Slack', fields: ['url'] },
  discord: { label: 'Discord', fields: ['url'] },
  teams: { label: 'Teams', fields: ['url'] },
  telegram: { label: 'Telegram', fields: ['token', 'chat', 'server?'] },
  ntfy: { label: 'ntfy', fields: ['topic', 'server?', 'token?'] },
  apprise: { label: 'Apprise', fields: ['key', 'tag?'] },
  webhook: { label: 'Webhook', fields: ['url'] },
};

const LABELS: Readonly<Record<Field, readonly [label: string, placeholder: string]>> = {
  url: ['URL', 'https://hooks.example.com/T000/B000'],
  to: ['Recipients', 'ann@example.com, ben@example.com'],
  token: ['Token', ''],
  chat: ['Chat', '@prices'],
  topic: ['Topic', 'my-prices'],
  server: ['Server of your own', 'https://ntfy.example.com'],
  key: ['Key of the configuration', 'family'],
  tag: ['Tags', ''],
};

function ChannelDialog({ onClose }: { onClose(): void }) {
  const [type, setType] = useState<Channel['type']>('email');
  const [name, setName] = useState('');
  const [texts, setTexts] = useState<Partial<Record<Field, string>>>({});
  const fields = TYPES[type].fields.map((field) => ({
    name: field.replace('?', '') as Field,
    isOptional: field.endsWith('?'),
  }));
  const create = useChange({
    key: 'channels',
    change: () => gleaner.channels.create(bodyOf(type, name, fields, texts)),
    onDone: onClose,
  });
  const bind = bindTo(create.error);
  const isComplete = fields.every(({ name: field, isOptional }) => isOptional || texts[field]?.trim());
  return (
    <Modal opened onClose={onClose} title="New channel">
      <CreateForm
        label="New channel"
        submit="Create the channel"
        look="dialog"
        create={create}
        isComplete={name.trim() !== '' && isComplete}
      >
        <NativeSelect
          label="Type"
          value={type}
          onChange={({ currentTarget: { value } }) => setType(value as Channel['type'])}
          data={Object.entries(TYPES).map(([value, { label }]) => ({ value, label }))}
        />
        <TextInput label="Name" placeholder="Buyers" {...bind('name', name, setName)} data-autofocus />
        {fields.map(({ name: field, isOptional }) => (
          <TextInput
            key={field}
            label={LABELS[field][0]}
            placeholder={LABELS[field][1]}
            {...(isOptional && { description: 'May be empty.' })}
            {...bind(field, texts[field] ?? '', (text) => setTexts({ ...texts, [field]: text }))}
            autoComplete="off"
          />
        ))}
      </CreateForm>
    </Modal>
  );
}

function bodyOf(
  type: Channel['type'],
  name: string,
  fields: readonly { readonly name: Field }[],
  texts: Partial<Record<Field, string>>,
): BodyOf<'createChannel'> {
  const given = fields.flatMap(({ name: field }) => {
    const text = texts[field]?.trim();
    if (!text) return [];
    return [[field, field === 'to' ? text.split(/[\s,;]+/).filter(Boolean) : text] as const];
  });
  return Object.assign({ type, name: name.trim() }, Object.fromEntries(given));
}
