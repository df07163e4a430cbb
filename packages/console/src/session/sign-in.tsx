import { Button, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type OpenedSession, openSession, type Session } from '../api/session-api.ts';
import { Facts } from '../parts/data/facts.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { Logo } from '../parts/marks/icons.tsx';
import styles from './sign-in.module.css';

/** Asks for an API key and opens a session with it. */
export function SignIn(props: { readonly problem: unknown; onSignedIn(opened: OpenedSession): void }) {
  const [apiKey, setApiKey] = useState('');
  const signIn = useMutation({
    mutationFn: () => openSession({ apiKey: apiKey.trim() }),
    onSuccess: props.onSignedIn,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  const problem = signIn.error ?? props.problem;
  return (
    <main className={styles.page}>
      <div className={styles.panel}>
        <Logo className={styles.logo} />
        <h1>Sign in to Gleaner</h1>
        <p className="muted">
          Paste an API key. <code>npm start</code> prints one, and a link that signs in by itself.
        </p>
        <form className="stack" onSubmit={submit}>
          <PasswordInput
            label="API key"
            placeholder="gl_…"
            value={apiKey}
            onChange={(event) => setApiKey(event.currentTarget.value)}
            autoComplete="current-password"
            autoFocus
            required
            withAsterisk={false}
            visibilityToggleButtonProps={{ 'aria-label': 'Show the key' }}
          />
          <Button type="submit" loading={signIn.isPending} fullWidth>
            Sign in
          </Button>
        </form>
        {problem ? <ErrorPanel error={problem} /> : null}
        <p className="muted small">
          The key is sent to this service once and is not stored in the browser. The session ends with the
          last tab of the console, or after 12 hours without use.
        </p>
      </div>
    </main>
  );
}

/** Asks before the session of a link replaces another one: the link may come from someone else. */
export function ChooseSession(props: {
  readonly current: Session;
  readonly offered: Session;
  onStay(): Promise<void>;
  onSwitch(): Promise<void>;
}) {
  const { current, offered } = props;
  const stay = useMutation({ mutationFn: props.onStay });
  const change = useMutation({ mutationFn: props.onSwitch });
  const isSameAccount = current.accountId === offered.accountId;
  return (
    <main className={styles.page}>
      <div className={styles.panel}>
        <Logo className={styles.logo} />
        <h1>Switch to another {isSameAccount ? 'key' : 'account'}?</h1>
        <p>
          The link that you opened signs in with another API key. If you did not expect that, stay: what you
          enter after switching belongs to the owner of that key.
        </p>
        <Facts
          facts={{
            'Signed in now': <KeyAndAccount session={current} />,
            'Key of the link': <KeyAndAccount session={offered} />,
          }}
        />
        <div className="row">
          <Button autoFocus loading={stay.isPending} onClick={() => stay.mutate()}>
            Stay signed in
          </Button>
          <Button variant="default" loading={change.isPending} onClick={() => change.mutate()}>
            Switch
          </Button>
        </div>
      </div>
    </main>
  );
}

function KeyAndAccount({ session: { name, keyId, accountId } }: { readonly session: Session }) {
  return (
    <>
      {name}
      <br />
      <span className="mono muted">{keyId}</span>
      <br />
      <span className="mono muted">{accountId}</span>
    </>
  );
}
