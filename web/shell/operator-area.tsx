import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { readGate } from '#contract/access.ts';
import { requestIdOf } from '#web/client/call.ts';
import { useSession, useSiteConfig } from '#web/client/session.ts';
import { useRead } from '#web/client/use-call.ts';
import { withWords } from '#web/client/words.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { OperatorFrame } from './operator-frame.tsx';

const AdminLoginPage = lazy(() =>
  withWords(import('#web/access/admin-login-page.tsx'), 'access').then((page) => ({
    default: page.GatedAdminLoginPage,
  })),
);
const AdminGate = lazy(() =>
  withWords(import('#web/access/admin-gate.tsx'), 'access').then((page) => ({ default: page.AdminGate })),
);
const NoAccess = lazy(() =>
  withWords(import('#web/access/no-access.tsx'), 'access').then((page) => ({ default: page.NoAccess })),
);

/**
 * The operators' screens. Signed-out visitors get the operators' sign-in, members a refusal. Operators whose session
 * has not passed the gate get the gate. The frame does not wait for the answer about the gate, because the server
 * refuses every call until it was passed.
 */
export function OperatorArea() {
  const { t } = useTranslation();
  const session = useSession();
  const gate = useRead(readGate);
  // The times of all screens are in the site's zone. If it can't be read, they are in the device's.
  const config = useSiteConfig();
  if (session.isPending || config.isPending) return null;
  if (session.isError) {
    return (
      <main id="main" tabIndex={-1} className="wrap">
        <ErrorState
          title={t('common.failed')}
          text={t(`refusals.${session.error.code}`)}
          requestId={requestIdOf(session.error)}
          onRetry={() => void session.refetch()}
        />
      </main>
    );
  }
  if (session.data === null) {
    return (
      <Suspense>
        <AdminLoginPage />
      </Suspense>
    );
  }
  if (session.data.role !== 'admin') {
    return (
      <Suspense>
        <NoAccess email={session.data.email} />
      </Suspense>
    );
  }
  if (gate.data?.isOpen === false) {
    return (
      <Suspense>
        <AdminGate onPass={() => void gate.refetch()} />
      </Suspense>
    );
  }
  return (
    <OperatorFrame>
      <Outlet />
    </OperatorFrame>
  );
}
