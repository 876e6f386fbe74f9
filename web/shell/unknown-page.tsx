import { useLocation } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { PANEL_PATH } from './navigation.ts';
import { NotFoundPage } from './not-found-page.tsx';

const NoScreenPage = lazy(() =>
  import('./operator-no-screen-page.tsx').then((file) => ({ default: file.NoScreenPage })),
);

/** What stands at an address that no screen has. */
export function UnknownPage() {
  const path = useLocation({ select: ({ pathname }) => pathname });
  if (!path.startsWith(`${PANEL_PATH}/`)) return <NotFoundPage />;
  return (
    <Suspense>
      <NoScreenPage />
    </Suspense>
  );
}
