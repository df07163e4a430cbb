import { GleanerError } from '@gleaner/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';

const STALE_MS = 5_000;

/** Creates the cache of answers. `onSignedOut` is called when the service no longer accepts the session. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof GleanerError && error.code === 'UNAUTHORIZED') onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    // The client of the service repeats what can be repeated.
    defaultOptions: { queries: { retry: false, staleTime: STALE_MS, networkMode: 'always' } },
  });
}
