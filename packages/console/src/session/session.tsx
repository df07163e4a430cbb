import type { Key } from '@gleaner/client';
import { Button, PasswordInput } from '@mantine/core';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type FormEvent,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState,
} from 'react';
import {
  closeSession,
  type OpenedSession,
  openSession,
  readSession,
  type Session,
} from '../api/session-api.ts';
import { changeToken, onTokenChange } from '../api/session-token.ts';
import { Facts } from '../parts/data/facts.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { Waiting } from '../parts/feedback/states.tsx';
import { Logo } from '../parts/marks/icons.tsx';
import { codeIn } from './code-in.ts';
import styles from './sign-in.module.css';

/** The session and what its key may do. */
export interface SessionState {
  readonly session: Session;
  may(scope: Key['scopes'][number]): boolean;
  signOut(): Promise<void>;
}

export const SESSION_QUERY = ['session'] as const;

const Context = createContext<SessionState | undefined>(undefined);

/** The code of the address belongs to the first visit: it is read once, before the router reads the rest. */
let code = takeCode();
// A link that is opened in a tab of the console changes the fragment alone.
addEventListener('hashchange', () => {
  if (codeIn(location.hash)) location.reload();
});

/** Renders the console for those who are signed in, and the sign-in for others. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: SESSION_QUERY,
    queryFn: readFirstSession,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => onTokenChange(() => void queries.resetQueries().catch(() => {})), [queries]);
  const state = useMemo(
    () =>
      data?.session && {
        session: data.session,
        may: (scope: Key['scopes'][number]) => data.session?.scopes.includes(scope) ?? false,
        async signOut() {
          await closeSession();
          changeSession(queries, null);
        },
      },
    [data, queries],
  );
  if (isPending) return <Waiting label="Opening the console" />;
  if (error) {
    return (
      <main style={{ margin: '10vh auto', maxWidth: 560, padding: 16 }}>
        <ErrorPanel error={error} onRetry={() => refetch()} />
      </main>
    );
  }
  if (!state)
    return <SignIn problem={data?.problem} onSignedIn={(opened) => changeSession(queries, opened)} />;
  if (data?.offered) {
    const { offered } = data;
    return (
      <ChooseSession
        current={state.session}
        offered={offered.session}
        onStay={async () => {
          await closeSession(offered.token).catch(() => {});
          queries.setQueryData<FirstSession>(SESSION_QUERY, { session: state.session });
        }}
        onSwitch={async () => {
          await closeSession().catch(() => {});
          changeSession(queries, offered);
        }}
      />
    );
  }
  return <Context value={state}>{children}</Context>;
}

/** Returns the session of the surrounding console. */
export function useSession(): SessionState {
  const state = useContext(Context);
  if (!state) throw new Error('useSession needs a SessionGate around it.');
  return state;
}

/** Shows another session; what was read with the one before is forgotten. */
function changeSession(queries: QueryClient, opened: OpenedSession | null): void {
  changeToken(opened?.token ?? null);
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_QUERY[0] });
  queries.setQueryData<FirstSession>(SESSION_QUERY, { session: opened?.session ?? null });
}

interface FirstSession {
  readonly session: Session | null;
  /** The session of a link, where there is one of another key already. */
  readonly offered?: OpenedSession;
  /** The error of a code that was not accepted. */
  readonly problem?: unknown;
}

/** Reads the session. The code of a link opens one, which does not replace that of another key without a question. */
async function readFirstSession(): Promise<FirstSession> {
  const session = await readSession();
  const given = code;
  code = undefined;
  if (!given) return { session };
  try {
    const offered = await openSession({ code: given });
    if (session && session.keyId !== offered.session.keyId) return { session, offered };
    if (session) await closeSession().catch(() => {});
    changeToken(offered.token);
    return { session: offered.session };
  } catch (problem) {
    // A code that was used before does not end a session that is still open.
    return session ? { session } : { session, problem };
  }
}

/** Returns the one-time code of the page's address and removes it from there and from the history. */
function takeCode(): string | undefined {
  const taken = codeIn(location.hash);
  if (taken) history.replaceState(null, '', `${location.pathname}${location.search}`);
  return taken;
}

function SignIn(props: { readonly problem: unknown; onSignedIn(opened: OpenedSession): void }) {
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
function ChooseSession(props: {
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
