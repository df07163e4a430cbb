import { Button, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { Logo } from '../parts/marks/icons.tsx';
import { openSession, type Session } from './session-api.ts';
import styles from './sign-in.module.css';

/** Asks for an API key and opens a session with it. */
export function SignIn(props: { readonly problem: unknown; onSignedIn(session: Session): void }) {
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
          The key is sent to this service once and not stored in the browser. The session ends after 12 hours
          without use.
        </p>
      </div>
    </main>
  );
}
