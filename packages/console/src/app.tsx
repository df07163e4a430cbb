import { GleanerError } from '@gleaner/client';
import { createTheme, MantineProvider } from '@mantine/core';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Notices } from './parts/feedback/notices.tsx';
import { router } from './router.tsx';
import { SESSION_QUERY, SessionGate } from './session/session.tsx';

const theme = createTheme({
  primaryColor: 'indigo',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    ActionIcon: { defaultProps: { color: 'gray', variant: 'subtle' } },
    Button: { defaultProps: { size: 'sm' } },
    InputWrapper: { defaultProps: { withAsterisk: false } },
    // Locking writes a style element, and the page itself does not scroll.
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' }, lockScroll: false } },
    TextInput: { defaultProps: { size: 'sm' } },
  },
});

const STALE_MS = 5_000;

/** The service no longer accepts the session. */
const onError = (error: unknown) => {
  if (error instanceof GleanerError && error.code === 'UNAUTHORIZED')
    queries.setQueryData(SESSION_QUERY, { session: null });
};
const queries = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  // The client of the service repeats what can be repeated.
  defaultOptions: { queries: { retry: false, staleTime: STALE_MS, networkMode: 'always' } },
});

/**
 * The console with its collaborators. Mantine writes no `style` elements here: the variables come from its sheet and
 * ours, so that the page's policy can forbid them.
 */
export function App() {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
      withStaticClasses={false}
    >
      <QueryClientProvider client={queries}>
        <Notices>
          <SessionGate>
            <RouterProvider router={router} />
          </SessionGate>
        </Notices>
      </QueryClientProvider>
    </MantineProvider>
  );
}
