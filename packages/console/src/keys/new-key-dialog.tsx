import type { Key, NewKey } from '@gleaner/client';
import { Button, Checkbox, Modal, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { gleaner, SERVICE_URL } from '../api/gleaner.ts';
import { CreateForm } from '../forms/create-form.tsx';
import { problemAt } from '../forms/problems.ts';
import { CodeBlock } from '../parts/data/code-block.tsx';

const SCOPES: readonly { scope: Key['scopes'][number]; allows: string }[] = [
  { scope: 'scrape', allows: 'scrape pages' },
  { scope: 'jobs', allows: 'create and read jobs' },
  { scope: 'schedules', allows: 'create and change schedules' },
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
export function NewKeyDialog({ onClose }: { onClose(): void }) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<string[]>(['scrape', 'jobs']);
  const [days, setDays] = useState('');
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: () =>
      gleaner.keys.create({
        ...(name.trim() && { name: name.trim() }),
        scopes: scopes as Key['scopes'],
        ...(days && { expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  });
  const title = create.data ? 'Copy the key now' : 'New API key';
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
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
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={problemAt(create.error, 'name')}
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
      <CodeBlock label="API key" text={created.key} isWrapped />
      <p className="muted small">For an .env file:</p>
      <CodeBlock
        label="Lines for .env"
        text={`GLEANER_URL=${SERVICE_URL}\nGLEANER_API_KEY=${created.key}`}
        isWrapped
      />
      <Button onClick={onClose}>I have copied it</Button>
    </div>
  );
}
