import type { BodyOf, Profile, StorageState } from '@gleaner/client';
import { Button, Modal, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { useChange } from '../api/use-change.ts';
import { ActionList } from '../forms/action-list.tsx';
import { CreateForm } from '../forms/create-form.tsx';
import { bindTo } from '../forms/problems.ts';
import { PagedList } from '../parts/data/paged-list.tsx';
import { type Column, Table } from '../parts/data/table.tsx';
import { ConfirmButton } from '../parts/feedback/confirm-button.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { EmptyState } from '../parts/feedback/states.tsx';
import { StatusBadge } from '../parts/marks/status-badge.tsx';
import { Time } from '../parts/marks/time.tsx';
import { PageHeader } from '../parts/page-header.tsx';

const PAGE_SIZE = 50;
const LOOK_MS = 2000;

const COLUMNS: readonly Column<Profile>[] = [
  {
    head: 'Profile',
    cell: ({ id, name }) => (
      <>
        <div>{name}</div>
        <div className="mono muted">{id}</div>
      </>
    ),
  },
  {
    head: 'Status',
    cell: ({ status, lastError }) => (
      <>
        <StatusBadge status={status} />
        {lastError && <div className="muted small">{lastError.message}</div>}
      </>
    ),
  },
  {
    head: 'Signs in at',
    cell: ({ login }) =>
      login ? <span className="mono">{login.url}</span> : <span className="muted">nowhere by itself</span>,
  },
  { head: 'Signed in', cell: ({ signedInAt }) => <TimeOr at={signedInAt} otherwise="never" /> },
  { head: 'Expires', cell: ({ expiresAt }) => <TimeOr at={expiresAt} otherwise="by its check" /> },
  { head: 'Sessions', isNumeric: true, cell: ({ logins }) => logins },
  {
    head: 'Actions',
    cell: (profile) => (
      <span className="row">
        {profile.login?.actions && <LoginButton profile={profile} />}
        <UploadButton profile={profile} />
        <DeleteButton profile={profile} />
      </span>
    ),
  },
];

function TimeOr({ at, otherwise }: { readonly at: string | null; readonly otherwise: string }) {
  return at ? <Time at={at} /> : <span className="muted">{otherwise}</span>;
}

/** The sessions at sites that the account keeps. */
export function Profiles() {
  const [offset, setOffset] = useState(0);
  const [isCreating, setCreating] = useState(false);
  const query = useQuery({
    queryKey: ['profiles', offset],
    queryFn: ({ signal }) => gleaner.profiles.list({ limit: PAGE_SIZE, offset }, { signal }).page(),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ status }) => status === 'signing-in') ? LOOK_MS : false,
  });
  const action = <Button onClick={() => setCreating(true)}>New profile</Button>;
  return (
    <>
      <PageHeader
        title="Profiles"
        below="Sessions at sites: signed in once, used by the scrapes, jobs and schedules that name them."
        actions={action}
      />
      <div className="stack">
        <PagedList
          query={query}
          noun="profiles"
          onOffset={setOffset}
          empty={
            <EmptyState icon="profile" title="No profiles" action={action}>
              A profile signs in by steps, or has a session that you upload.
            </EmptyState>
          }
        >
          {(items) => <Table label="Profiles" columns={COLUMNS} rows={items} keyOf={({ id }) => id} />}
        </PagedList>
      </div>
      {isCreating && <NewProfileDialog onClose={() => setCreating(false)} />}
    </>
  );
}

function LoginButton({ profile }: { readonly profile: Profile }) {
  const login = useChange({ key: 'profiles', change: () => gleaner.profiles.login(profile.id) });
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={login.isPending}
        disabled={profile.status === 'signing-in'}
        onClick={() => login.mutate()}
      >
        Sign in again
      </Button>
      {login.error && <ErrorPanel error={login.error} />}
    </>
  );
}

function DeleteButton({ profile: { id, name } }: { readonly profile: Profile }) {
  return (
    <ConfirmButton
      label="Delete"
      question={<>“{name}” and its session are deleted. Jobs that use it end with PROFILE_NOT_FOUND.</>}
      confirm="Delete the profile"
      changes="profiles"
      action={() => gleaner.profiles.delete(id)}
    />
  );
}

function UploadButton({ profile }: { readonly profile: Profile }) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const upload = useChange({
    key: 'profiles',
    change: async () => gleaner.profiles.update(profile.id, { storageState: readState(text) }),
    onDone: () => setOpen(false),
  });
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        Upload a session
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={`Session of ${profile.name}`}>
        <CreateForm
          label="Upload a session"
          submit="Upload"
          look="dialog"
          create={upload}
          isComplete={text.trim() !== ''}
        >
          <StateField value={text} onChange={setText} error={upload.error} />
        </CreateForm>
      </Modal>
    </>
  );
}

function StateField(props: {
  readonly value: string;
  readonly error: unknown;
  onChange(text: string): void;
}) {
  const { value, error, onChange } = props;
  return (
    <>
      <Textarea
        label="Session"
        description="JSON, as Playwright’s storageState() returns it: cookies, and localStorage of origins."
        placeholder='{"cookies": […], "origins": []}'
        autosize
        minRows={4}
        maxRows={12}
        {...bindTo(error)('storageState', value, onChange)}
        classNames={{ input: 'mono' }}
      />
      <input
        type="file"
        accept="application/json,.json"
        aria-label="Read the session from a file"
        onChange={(event) => {
          void event.currentTarget.files?.[0]?.text().then(onChange, () => {});
        }}
      />
    </>
  );
}

function readState(text: string): StorageState {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('The session is not JSON: paste the whole file that Playwright has written.');
  }
}

const SIGNS = [
  { value: 'present', label: 'this selector matches', example: '.account' },
  { value: 'absent', label: 'this selector matches nothing', example: 'form.login' },
  { value: 'url', label: 'its URL matches', example: '/account/**' },
];

/** Creates a profile that signs in by steps, or begins with a session. */
function NewProfileDialog({ onClose }: { onClose(): void }) {
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [sign, setSign] = useState({ kind: 'present', text: '' });
  const [actions, setActions] = useState<readonly object[]>();
  const [state, setState] = useState('');
  const create = useChange({
    key: 'profiles',
    onDone: onClose,
    async change() {
      const login = {
        url: url.trim(),
        check: { [sign.kind]: sign.text.trim() },
        ...(actions && { actions }),
      };
      const body = {
        name: name.trim(),
        ...(url.trim() && { login }),
        ...(state.trim() && { storageState: readState(state) }),
      };
      return gleaner.profiles.create(body as BodyOf<'createProfile'>);
    },
  });
  const bind = bindTo(create.error);
  const { example = '' } = SIGNS.find(({ value }) => value === sign.kind) ?? {};
  return (
    <Modal opened onClose={onClose} title="New profile" size="lg">
      <CreateForm
        label="New profile"
        submit="Create the profile"
        look="dialog"
        create={create}
        isComplete={name.trim() !== '' && (url.trim() !== '' || state.trim() !== '')}
      >
        <TextInput label="Name" placeholder="shop" {...bind('name', name, setName)} data-autofocus />
        <TextInput
          label="Page with the form"
          inputMode="url"
          placeholder="https://shop.example/login"
          {...bind('login.url', url, setUrl)}
        />
        <NativeSelect
          label="A page is signed in where"
          data={SIGNS.map(({ value, label }) => ({ value, label }))}
          value={sign.kind}
          onChange={(event) => setSign({ ...sign, kind: event.currentTarget.value })}
        />
        <TextInput
          aria-label="Sign of a page that is signed in"
          placeholder={example}
          {...bind('login.check', sign.text, (text) => setSign({ ...sign, text: text }))}
          classNames={{ input: 'mono' }}
        />
        <ActionList value={actions} path="login.actions" error={create.error} onChange={setActions} />
        <StateField value={state} onChange={setState} error={create.error} />
      </CreateForm>
    </Modal>
  );
}
