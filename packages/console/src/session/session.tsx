import type { Key } from '@gleaner/client';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { Waiting } from '../parts/feedback/waiting.tsx';
import { closeSession, openSession, readSession, type Session } from './session-api.ts';
import { SignIn } from './sign-in.tsx';
import { takeCode } from './take-code.ts';

/** The session and what its key may do. */
export interface SessionState {
  readonly session: Session;
  may(scope: Key['scopes'][number]): boolean;
  signOut(): Promise<void>;
}

export const SESSION_QUERY = ['session'] as const;

const Context = createContext<SessionState | undefined>(undefined);

/** The code of the address belongs to the first visit: it is read once, before the router reads the rest. */
const code = takeCode();

/** Renders the console for those who are signed in, and the sign-in for others. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: SESSION_QUERY,
    queryFn: readFirstSession,
    staleTime: Number.POSITIVE_INFINITY,
  });
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
  if (!state) {
    return (
      <SignIn
        problem={data?.problem}
        onSignedIn={(session) => {
          changeSession(queries, session);
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
function changeSession(queries: QueryClient, session: Session | null): void {
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_QUERY[0] });
  queries.setQueryData<FirstSession>(SESSION_QUERY, { session });
}

interface FirstSession {
  readonly session: Session | null;
  /** The error of a code that was not accepted. */
  readonly problem?: unknown;
}

let isCodeUsed = false;

async function readFirstSession(): Promise<FirstSession> {
  if (!code || isCodeUsed) return { session: await readSession() };
  isCodeUsed = true;
  try {
    return { session: await openSession({ code }) };
  } catch (problem) {
    // A code that was used before does not end a session that is still open.
    const session = await readSession();
    return session ? { session } : { session, problem };
  }
}
