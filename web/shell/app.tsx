import { MantineProvider } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { readStats } from '#contract/ledger.ts';
import { isApiError } from '#web/client/call.ts';
import { settingsQuery } from '#web/client/display-settings.ts';
import { configQuery, endSession, userQuery } from '#web/client/session.ts';
import { readQuery } from '#web/client/use-call.ts';
import { router } from '#web/routes.tsx';
import { below } from '#web/ui/sizes.ts';
import { cssVariables, theme } from '#web/ui/theme.ts';
import { setFirstScreen } from '#web/ui/use-delayed.ts';
import styles from './app.module.css';
import { PANEL_PATH } from './navigation.ts';

/** Signs out locally when any call answers `unauthenticated`, so that the login view appears at the same URL. */
function noticeEndOfSession(error: unknown): void {
  if (isApiError(error) && error.code === 'unauthenticated') endSession(client);
}

/** Fetched data stays fresh until it is invalidated. A failed call is not repeated. */
const client: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEndOfSession }),
  mutationCache: new MutationCache({ onError: noticeEndOfSession }),
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
    mutations: { retry: false },
  },
});

/** The operators' frame does not wait longer for a reply: it has a skeleton of its own. */
const FRAME_WAIT_MS = 2_000;

/**
 * Loads the screen at the URL and the replies that its first render needs. A failed prefetch is fetched again, or shown
 * as an error, by the component that uses it. Until the first navigation, skeletons show without their delay.
 */
export async function prepareFirstScreen(): Promise<void> {
  const replies: Promise<unknown> = Promise.all([
    client.prefetchQuery(userQuery),
    client.prefetchQuery(configQuery),
    client.prefetchQuery(settingsQuery),
    client.prefetchQuery(readQuery(readStats)),
  ]);
  const isOfOperators = window.location.pathname.startsWith(PANEL_PATH);
  const passed = new Promise((resolve) => setTimeout(resolve, FRAME_WAIT_MS));
  await Promise.all([router.load(), isOfOperators ? Promise.race([replies, passed]) : replies]);
  setFirstScreen(true);
  const unsubscribe = router.subscribe('onBeforeNavigate', ({ fromLocation, hrefChanged }) => {
    if (fromLocation === undefined || !hrefChanged) return;
    setFirstScreen(false);
    unsubscribe();
  });
}

/** The app with its providers. */
export function App({ nonce }: { nonce: string }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={client}>
        <Toasts />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** Shows one toast at a time: top right, on phones above the bottom bar. */
function Toasts() {
  const isPhone = useMediaQuery(below('tablet'));
  return (
    <Notifications
      limit={1}
      // Above dialogs, because a wall fills the screen while points arrive; below menus.
      zIndex={250}
      autoClose={5_000}
      containerWidth={380}
      position={isPhone ? 'bottom-center' : 'top-right'}
      classNames={{ root: styles.toasts }}
    />
  );
}
