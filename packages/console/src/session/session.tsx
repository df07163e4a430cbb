import type { Key } from '@gleaner/client';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react';
import {
  closeSession,
  type OpenedSession,
  openSession,
  readSession,
  type Session,
} from '../api/session-api.ts';
import { changeToken, onTokenChange } from '../api/session-token.ts';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { Waiting } from '../parts/feedback/states.tsx';
import { codeIn } from './code-in.ts';
import { ChooseSession, SignIn } from './sign-in.tsx';

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
