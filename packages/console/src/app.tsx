import { createTheme, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createQueryClient } from './api/query-client.ts';
import { Notices } from './parts/feedback/notices.tsx';
import { router } from './router.tsx';
import { SESSION_QUERY, SessionGate } from './session/session.tsx';

const theme = createTheme({
  primaryColor: 'indigo',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Button: { defaultProps: { size: 'sm' } },
    // Locking writes a style element, and the page itself does not scroll.
    Modal: { defaultProps: { lockScroll: false } },
    TextInput: { defaultProps: { size: 'sm' } },
  },
});

const queries = createQueryClient(() => queries.setQueryData(SESSION_QUERY, { session: null }));

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
